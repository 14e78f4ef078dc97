//! What is written of a store, in one program: it is linked once.

mod claims;
mod compat;
mod curves;
mod html;
mod json;
mod judged;
mod rankings;
mod sample;
mod searched;
mod terminal;
mod undecided;
mod words;
