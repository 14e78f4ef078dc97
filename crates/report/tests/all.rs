//! What is written of a store, in one program: it is linked once.

mod bench;
mod claims;
mod compat;
mod curves;
mod decided;
mod explained;
mod forms;
mod headline;
mod html;
mod json;
mod judged;
mod machines;
mod narrow;
mod profiles;
mod rankings;
mod revised;
mod sample;
mod searched;
mod terminal;
mod undecided;
mod windows;
mod words;
