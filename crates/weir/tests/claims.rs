//! The claims that ship can come out either way: their plans measure them.

mod document;
mod exchanged;
mod figures;
mod live;
mod reports;
