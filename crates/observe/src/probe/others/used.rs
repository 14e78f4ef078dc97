//! What processes used, and what those of one name did.

use std::collections::{BTreeMap, BTreeSet};

use record::{OtherProgram, Others};

/// Most programs that are named.
const NAMED: usize = 3;

/// What was used, by the id of a process and when that began.
pub(super) type Used = BTreeMap<(i32, u64), Use>;

/// What a process used.
pub(super) struct Use {
    pub(super) name: String,
    pub(super) seconds: f64,
    /// Its id, and those of processes that it descended from when it was seen first.
    pub(super) line: Vec<i32>,
}

impl Use {
    /// Whether it is one of these processes, or descends from one.
    pub(super) fn is_of(&self, processes: &BTreeSet<i32>) -> bool {
        self.line.iter().any(|pid| processes.contains(pid))
    }
}

/// What these used of so many seconds of processors, beside what is not seen.
pub(super) fn taken(used: Used, unseen: f64, whole: f64) -> Others {
    let seen = used.values().map(|of| of.seconds);
    let seconds = seen.sum::<f64>() + unseen;
    let mut programs = by_name(used);
    programs.truncate(NAMED);
    Others {
        seconds,
        share: (seconds / whole).min(1.0),
        programs,
        unseen,
    }
}

/// The processes of each name together, those first that used most.
pub(super) fn by_name(used: Used) -> Vec<OtherProgram> {
    let mut programs: BTreeMap<String, OtherProgram> = BTreeMap::new();
    for ((pid, _), of) in used {
        let program = programs.entry(of.name).or_default();
        program.seconds += of.seconds;
        program.processes += 1;
        program.pid = (program.processes == 1).then(|| pid.cast_unsigned());
    }
    let programs = programs.into_iter();
    let named = programs.map(|(name, of)| OtherProgram { name, ..of });
    let mut named: Vec<_> = named.collect();
    named.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    named
}
