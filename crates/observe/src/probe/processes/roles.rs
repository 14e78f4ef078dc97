//! Which of a program's processes has begun which.

use std::collections::{BTreeMap, BTreeSet};

use record::Role;

use super::{Key, Process};

/// The roles of those that are not alone in their program. An id may be given again: whoever had it before is a parent as well.
pub(super) fn of(seen: &BTreeMap<Key, Process>) -> BTreeMap<Key, Role> {
    let place = |(pid, owner): (u32, &str)| (pid, owner.to_owned());
    let all = seen.iter();
    let known: BTreeSet<(u32, String)> = all
        .clone()
        .map(|(key, of)| place((key.0, &of.owner)))
        .collect();
    let parent = |of: &Process| {
        let parent = place((of.last.parent, &of.owner));
        known.contains(&parent).then_some(parent)
    };
    let parents: BTreeSet<(u32, String)> = all.clone().filter_map(|(_, of)| parent(of)).collect();
    let role = |(key, of): (&Key, &Process)| {
        let role = if parents.contains(&place((key.0, &of.owner))) {
            Role::Main
        } else if parent(of).is_some() {
            Role::Worker
        } else {
            return None;
        };
        Some((*key, role))
    };
    all.filter_map(role).collect()
}

#[cfg(test)]
mod tests {
    use super::super::usage::Usage;
    use super::*;

    #[test]
    fn who_has_begun_others_of_its_program_is_its_main_process() {
        let process = |pid: u32, parent: u32, owner: &str| {
            let last = Usage {
                parent,
                ..Usage::default()
            };
            let process = Process {
                owner: owner.to_owned(),
                last,
                ..Process::default()
            };
            ((pid, 1), process)
        };
        let seen = [
            process(10, 1, "nginx"),
            process(20, 1, "supervised"),
            process(21, 20, "supervised"),
            process(22, 21, "supervised"),
            process(23, 21, "supervised"),
            // of another program, that one of them has begun
            process(24, 23, "weir"),
        ];
        let roles: Vec<(u32, Role)> = of(&seen.into())
            .into_iter()
            .map(|(key, role)| (key.0, role))
            .collect();
        let wanted = [
            (20, Role::Main),
            (21, Role::Main),
            (22, Role::Worker),
            (23, Role::Worker),
        ];
        assert_eq!(roles, wanted);
    }
}
