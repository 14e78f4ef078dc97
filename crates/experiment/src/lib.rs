//! A plan becomes trials: resolved, ordered in seeded blocks, run one by one, stored at once.
//!
//! Three rooms: `plan` reads and checks what is to be done, `run` does it block by block, `search` decides what is
//! done next in the light of what was seen. Arrows: plan and run → search.

mod calibrate;
mod candidates;
mod capture;
mod cores;
mod design;
mod error;
mod named;
mod network;
mod observed;
mod plan;
mod pointed;
mod priority;
mod requests;
mod run;
mod same;
mod search;
mod settled;
mod suite;

pub use calibrate::{Effort, calibrate, is_disturbed};
pub use candidates::{Candidates, behind_a_front, candidates, made_of, suits};
pub use client::Upstream;
pub use cores::own_cores;
pub use design::design;
pub use error::ExperimentError;
pub use named::may_name;
pub use observed::observed_load;
pub use plan::address::{Address, AddressError};
pub use plan::blocks::Blocks;
pub use plan::claims::require;
pub use plan::duration::duration;
pub use plan::error::PlanError;
pub use plan::fewer::{Fewer, fewer, grown, levels_of, more};
pub use plan::only::only;
pub use plan::slicing::{SLICE, cut_into, slice};
pub use plan::varied::{Factor, can_vary, varied};
pub use plan::written::written;
pub use plan::{check, read_plan};
pub use pointed::{Asked, PLACE, Pointed, Reached, VARIABLE};
pub use requests::{find_requests, requests_write};
pub use run::app_times::AppTimes;
pub use run::at_once::{AtOnce, Slots, slots};
pub use run::budget::Outlook;
pub use run::estimate::{Basis, Estimate, estimate};
pub use run::lab::{Allowance, Lab, News, Place};
pub use run::looks::Looked;
pub use run::order::{Slot, order};
pub use run::run;
pub use run::share::{Need, enough, shares};
pub use same::same;
pub use search::{Found, Goal, LeftOut, Listed, Loads, Pooled, Proposal, Strategy, Survey, search};
pub use suite::{OpenClaim, Report, Suite, suite};

/// A seed for a plan that names none.
pub fn seed() -> u64 {
    // JSON numbers are exact up to 2^53; a seed that cannot be typed back is no seed
    rand::random::<u64>() >> 11
}
