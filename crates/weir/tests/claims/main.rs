//! The claims that ship can come out either way: their plans measure them.

#[path = "../support/mod.rs"]
mod support;

mod document;
mod exchanged;
mod figures;
mod live;
mod reports;
