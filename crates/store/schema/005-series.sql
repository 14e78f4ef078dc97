-- what probes sampled over a trial's window: at most 512 series of 240 samples for each trial
CREATE TABLE series (
    id      INTEGER PRIMARY KEY,
    trial   INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
    figures TEXT    NOT NULL                   -- JSON of record::Series
) STRICT;
CREATE INDEX series_trial ON series (trial);
