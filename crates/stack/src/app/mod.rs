//! The application: as its `app.toml` declares it, or as a look into its folder finds it.

pub(crate) mod detect;
mod file;
pub(crate) mod recognise;
mod route;

pub use detect::detect;
pub(crate) use file::nameable;
pub use file::{interpreter, read};
