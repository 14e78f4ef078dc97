-- What a plan lists is called a variant.
ALTER TABLE trial RENAME COLUMN stage TO variant;
