//! The application: as its `app.toml` declares it, or as a look into its folder finds it.

mod detect;
mod file;
mod interpreter;
mod lists;
mod recognise;
mod revision;
mod route;
mod trouble;
mod web_root;
mod written;

pub use detect::{Detected, detect};
pub use file::read;
pub use interpreter::interpreter;
pub use recognise::{Recognised, Today, Wish, declared, defaulted, needs, recognise};
pub use revision::revision;
pub use written::written;
