-- a trial that was lost or disturbed is taken again; every attempt is kept
CREATE TABLE attempts (
    id       INTEGER PRIMARY KEY,
    run      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    block    INTEGER NOT NULL,
    position INTEGER NOT NULL,
    stage    TEXT    NOT NULL,
    again    INTEGER NOT NULL,
    attempt  INTEGER NOT NULL,                 -- 0 is the first
    started  TEXT    NOT NULL,
    outcome  TEXT    NOT NULL,                 -- JSON of record::Outcome, contents of files left out
    UNIQUE (run, block, stage, again, attempt) -- a resumed run cannot count a trial twice
) STRICT;
INSERT INTO attempts
    SELECT id, run, block, position, stage, again, 0, started, outcome FROM trial;
DROP TABLE trial;
ALTER TABLE attempts RENAME TO trial;
