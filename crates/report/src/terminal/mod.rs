//! Results on a terminal. Every function returns text with colours in it, ready for `anstream`,
//! which takes them out where they do not belong; no meaning hangs on colour alone.
//!
//! `width` is the terminal's, in columns. Tables leave out their least important columns when they
//! do not fit, and say so.

mod advised;
mod against;
mod calibration;
mod catalogue;
mod claims;
mod client;
mod compare;
mod counters;
mod endpoints;
mod explain;
mod findings;
mod lists;
mod load;
mod loads;
pub(crate) mod paragraph;
mod preview;
mod profile;
mod run;
mod schedule;
pub(crate) mod style;
pub(crate) mod table;
mod url;

pub use self::client::{Clients, client, clients};
pub use self::endpoints::endpoints;
pub(crate) use crate::view::doubts;
pub use crate::view::{curves, matrix, ranking};
pub use advised::{Advised, advised};
pub use against::against;
pub use calibration::calibration;
pub use catalogue::{
    Checked, Explained, Fault, Listed, checked, entries, entries_markdown, entry, found, knobs,
};
pub use claims::claims;
pub use compare::{Compared, compare};
pub use counters::counters;
pub use findings::findings;
pub use lists::{Doctor, ListedRun, Program, doctor, runs};
pub(crate) use loads::loads_markdown;
pub use preview::{Preview, programs};
pub use profile::profile;
pub use run::run;
pub use schedule::{Due, schedule};
pub(crate) use url::told;
pub use url::{explained, of_url};
