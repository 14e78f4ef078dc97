//! The application: as its `app.toml` declares it, or as a look into its folder finds it.

pub(crate) mod detect;
mod file;
mod interpreter;
pub(crate) mod recognise;
mod route;

pub use detect::detect;
pub use file::read;
pub use interpreter::interpreter;
