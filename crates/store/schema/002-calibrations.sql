CREATE TABLE calibration (
    id       INTEGER PRIMARY KEY,
    measured TEXT    NOT NULL, -- RFC 3339
    weir     TEXT    NOT NULL, -- version that measured it
    cpu      TEXT    NOT NULL, -- of the host, as are the next two: what a ceiling holds for
    cores    INTEGER NOT NULL,
    kernel   TEXT    NOT NULL,
    facts    TEXT    NOT NULL  -- JSON of record::Calibration
) STRICT;
