//! How a client program talks: an origin that it is pointed at, and what that counts.
//!
//! The origin gives every request the same response, or that of a server to which it passes it on, and knows of each connection
//! what the kernel knows of it: segments and bytes that came, to the one (`TCP_INFO`). So nothing is captured, and no privilege
//! is needed. What a client sends is hostile: heads, connections and what is kept of them are bounded, bodies are passed over
//! or bounded, too.

mod answer;
mod background;
mod count;
mod forward;
mod gaps;
mod kept;
mod link;
mod names;
mod origin;
mod request;
mod secure;
mod served;

pub use answer::Answer;
pub use forward::Upstream;
pub use gaps::Gaps;
pub use names::{NAME_PORT, NameServer, name_servers};
pub use origin::Origin;
pub use request::{MOST_HEADERS, Reader, Request, Seen};
pub use secure::Identity;
