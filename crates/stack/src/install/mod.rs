//! Servers that are not here are brought: the lines that install them, a place for them that is no app's, and
//! Debian's packages.

mod debian;
mod lines;
mod overlay;

pub use debian::Debian;
pub use lines::Installs;
pub use overlay::Overlay;
