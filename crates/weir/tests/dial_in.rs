//! The front end that servers connect to: by itself, before scripted servers, and before the real one.

mod front;
mod people;
mod real;
mod requests;
mod trouble;
