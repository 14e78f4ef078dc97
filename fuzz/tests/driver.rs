//! The driver itself. Alone in its process, whose panic hook it changes.

use std::panic::{set_hook, take_hook};

use fuzz::{Budget, Target, drive};

/// A driver that finds nothing may be blind: this one sees a flaw some changes away.
#[test]
fn the_driver_finds_a_planted_flaw_and_says_what_found_it() {
    let planted = Target {
        name: "planted",
        run: |data| assert!(!data.starts_with(b"HTTP/1.1 2\r\n"), "found"),
    };
    let hook = take_hook();
    set_hook(Box::new(|_| ()));
    let samples = [b"HTTP/1.1 200\r\n".to_vec(), b"HTTP/1.1 404\r\nX".to_vec()];
    let outcome = drive(&planted, &samples, Budget::Inputs(1_000_000), 1);
    set_hook(hook);
    assert!(outcome.unwrap_err().starts_with(b"HTTP/1.1 2\r\n"));
}
