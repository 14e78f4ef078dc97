//! How many requests variants work on at once.

use record::{Plan, Variant};
use stack::Machine;

use crate::cores;

/// What a variant's app server does at once.
#[derive(Clone, Copy, Debug)]
pub struct AtOnce {
    /// Requests that it works on; `None` where nothing bounds them.
    pub requests: Option<f64>,
    /// Cores that it has for them.
    pub cores: u32,
}

/// What each variant does at once.
pub type Slots<'a> = &'a dyn Fn(&Variant) -> AtOnce;

/// The same as the catalogue's entries say. A variant that cannot be composed is left to the check of its plan.
pub fn slots<'a>(plan: &'a Plan, machine: &'a Machine) -> impl Fn(&Variant) -> AtOnce + 'a {
    |variant| {
        let composition = cores::compose(machine, plan, variant).ok();
        let slots = composition.and_then(|composition| stack::slots(&composition).ok()?);
        AtOnce {
            requests: slots,
            cores: cores::of_stack(plan, machine),
        }
    }
}
