-- Which of its variant's trials of a block one is: 1 is the second half of the A/A pair, and each group before its own counts 2.
ALTER TABLE trial RENAME COLUMN again TO turn;
