//! Where two profiles can be compared whose servers differ: from the app on.

use std::collections::BTreeMap;

use record::{CodeClass, Function, Stack, Stacks};

/// Where the app begins on a stack, as the place of a function from the outermost on: the first one of the app or of a framework.
/// Where the stack has a function of a server, it is the first one inside that, as a framework may start a server. `None` where
/// the app has no part in it.
pub(super) fn begin(all: &Stacks, stack: &Stack) -> Option<usize> {
    let functions = || all.of(stack).enumerate();
    let server = functions().find(|(_, of)| of.class == CodeClass::Server);
    let from = server.map_or(0, |(place, _)| place);
    let mut inside = functions().skip(from);
    let is_own = |class: CodeClass| matches!(class, CodeClass::App | CodeClass::Framework);
    let own = inside.find(|(_, of)| is_own(of.class));
    own.map(|(place, _)| place)
}

/// What stands for all stacks in which the app has no part.
pub(super) fn others() -> Function {
    Function {
        name: "the server and its language".to_owned(),
        file: "without the app".to_owned(),
        line: 0,
        class: CodeClass::Server,
    }
}

/// Whether two profiles are compared from the app on, by what leads to it on their stacks and how often each way was seen: where
/// both have the app, and not more than half of the samples with it have a way, in both of them, that the other one has too.
pub(super) fn is_due<K: Ord>(earlier: &BTreeMap<K, u64>, later: &BTreeMap<K, u64>) -> bool {
    let is_alike = |one: &BTreeMap<K, u64>, other: &BTreeMap<K, u64>| {
        let all: u64 = one.values().sum();
        let shared = one.iter().filter(|(way, _)| other.contains_key(*way));
        let shared: u64 = shared.map(|(_, samples)| samples).sum();
        2 * shared > all
    };
    let have_app = !earlier.is_empty() && !later.is_empty();
    have_app && !(is_alike(earlier, later) && is_alike(later, earlier))
}

#[cfg(test)]
mod tests;
