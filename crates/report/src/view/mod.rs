//! The sections of a run's report: what each says, and how a terminal and a page draw it. Names stand in backticks.
//!
//! A new section is a file here, its template in `html/`, and its line in [`SECTIONS`].

mod blocks;
mod changes;
mod claims;
mod curves;
pub(crate) mod decision;
mod details;
pub(crate) mod doubts;
mod faulted;
pub(crate) mod findings;
mod head;
mod latency;
mod load;
mod loads;
pub(crate) mod matrices;
pub(crate) mod profile;
pub(crate) mod rankings;
mod reading;
mod revised;
mod stress;
mod variants;

use minijinja::Environment;

use crate::JudgedRun;
use crate::html::Drawn;
use crate::terminal::paragraph::Page;

pub(crate) use claims::conditions;
pub use curves::curves;
pub use decision::why_to_run;
pub use doubts::Doubt;
pub use findings::{Explained, explained};
pub(crate) use head::facts;
pub(crate) use load::Load;
pub use matrices::{Matrix, MatrixCell, SHADES, matrix};
pub use rankings::{RankCell, Ranking, Rival, ranking};
pub(crate) use variants::{Variant, markdown};

/// A section's place on a terminal, and how it is drawn there.
type OnTerminal = (u8, fn(&mut Page, &JudgedRun));
type OnPage = fn(&Environment, &JudgedRun) -> Drawn;

/// Every section in the order in which a page has them. One of which there is nothing
/// to say draws nothing.
pub(crate) const SECTIONS: [(Option<OnTerminal>, Option<OnPage>); 20] = [
    (Some((9, decision::draw)), Some(decision::page)),
    (Some((9, revised::draw)), Some(revised::page)),
    (Some((0, head::draw)), None),
    (Some((1, variants::draw)), Some(variants::page)),
    (Some((2, loads::draw)), None),
    (Some((5, changes::draw)), Some(changes::page)),
    (Some((5, stress::draw)), Some(stress::page)),
    (Some((5, faulted::draw)), Some(faulted::page)),
    (Some((4, head::headline)), None),
    (Some((4, findings::draw)), Some(findings::page)),
    (Some((4, profile::draw)), Some(profile::page)),
    (Some((5, doubts::draw)), Some(doubts::page)),
    (Some((6, matrices::draw)), Some(matrices::page)),
    (Some((7, rankings::draw)), Some(rankings::page)),
    (Some((8, claims::draw)), Some(claims::page)),
    (Some((3, curves::draw)), Some(curves::page)),
    (None, Some(latency::page)),
    (None, Some(blocks::page)),
    (None, Some(details::page)),
    (None, Some(reading::page)),
];
