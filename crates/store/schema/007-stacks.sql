-- the stacks of a trial's profile: at most 2,000 for each trial, and only of trials whose load asks for one
CREATE TABLE stacks (
    trial  INTEGER PRIMARY KEY REFERENCES trial (id) ON DELETE CASCADE,
    stacks TEXT    NOT NULL                    -- JSON of record::Stacks
) STRICT;
