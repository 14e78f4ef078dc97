//! Protocols without sockets, one file each: bytes in, events out.
