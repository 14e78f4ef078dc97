//! What the load engine does and tells, in one program: it is linked once. Tests that need their process or the machine to
//! themselves are programs of their own.

mod clients;
mod closed_loop;
mod common;
mod connections;
mod crowd;
mod flaws;
mod floods;
mod long_bodies;
mod real_app_servers;
mod real_http2;
mod real_nginx;
mod tls;
mod ugly_answers;
mod ugly_app_servers;
mod websocket;
