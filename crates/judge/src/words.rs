//! Words and numbers inside sentences: the judge says with which figures it came to an opinion.

pub(crate) use record::units::{count, counted, duration, number, percent};
pub(crate) use record::{closest, listed, meant};
