//! What clients do: try again, give up, ask different things, look closely at answers.

mod mixes;
mod patience;
mod sleep;
mod sources;

use load::{Body, Expected, Request, Status};
use testkit::answer;

fn ok() -> Vec<u8> {
    answer(200, &[("X-Worker", "7")], r#"{"id":7}"#)
}

fn get(path: &str) -> Request {
    Request {
        method: "GET".into(),
        path: path.into(),
        ..Request::default()
    }
}

fn any() -> Expected {
    Expected::new(Status::Is(200), Body::Any)
}
