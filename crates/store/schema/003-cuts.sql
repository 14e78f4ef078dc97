ALTER TABLE run ADD COLUMN cut TEXT; -- JSON of record::Cut, where a run kept to a time
