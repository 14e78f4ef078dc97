//! The claims that ship can come out either way: their plans measure them.

mod document;
mod exchanged;
mod figures;
mod later_reports;
mod live;
mod report_d;
mod reports;
mod supervised;
