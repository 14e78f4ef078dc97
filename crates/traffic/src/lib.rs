//! Where the requests of a load come from: mixes, templates, recordings, pages.
//!
//! The engine (`load`) knows how to send requests and how to time them; the request sources of this crate
//! know which. [`Mix`] draws weighted requests, some of them filled in anew each time, from a file;
//! [`Replay`] repeats what an access log or a browser's archive has recorded; [`Page`] is a visitor
//! who fetches a document and all that it needs.

mod address;
mod error;
mod mix;
mod page;
mod replay;

pub use error::TrafficError;
pub use mix::Mix;
pub use page::{Counts, Page, PagePlan, assets_of_document, assets_of_stylesheet};
pub use replay::{LogFormat, Pace, Replay, ReplayPlan, Summary};

use load::{Body, Expected, Status};

/// An answer with one of these statuses, or with any if there is none, whatever its body.
fn statuses(allowed: &[u16]) -> Expected {
    let status = match allowed {
        [] => Status::Any,
        [status] => Status::Is(*status),
        several => Status::OneOf(several.to_vec()),
    };
    Expected::new(status, Body::Any)
}
