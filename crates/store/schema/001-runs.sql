-- "weir" in ASCII: tells a store from anybody else's SQLite file
PRAGMA application_id = 2003134834;

CREATE TABLE run (
    id      INTEGER PRIMARY KEY AUTOINCREMENT, -- users type it; a number is never given twice
    name    TEXT    NOT NULL,                  -- of the plan
    started TEXT    NOT NULL,                  -- RFC 3339
    status  TEXT    NOT NULL,                  -- begun, finished, stopped
    planned INTEGER NOT NULL,                  -- trials that the plan asks for
    weir    TEXT    NOT NULL,                  -- version that wrote it
    host    TEXT    NOT NULL,                  -- JSON of record::Host
    plan    TEXT    NOT NULL                   -- JSON of record::Plan
) STRICT;

CREATE TABLE trial (
    id       INTEGER PRIMARY KEY,
    run      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    block    INTEGER NOT NULL,
    position INTEGER NOT NULL,
    stage    TEXT    NOT NULL,
    again    INTEGER NOT NULL,
    started  TEXT    NOT NULL,
    outcome  TEXT    NOT NULL,                 -- JSON of record::Outcome, contents of files left out
    UNIQUE (run, block, stage, again)          -- a resumed run cannot count a trial twice
) STRICT;

-- what was rendered for servers: the same few files in every block, kept once
CREATE TABLE file (
    sha256  TEXT PRIMARY KEY,
    content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
