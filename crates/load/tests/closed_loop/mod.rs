//! What a closed loop must get right, each after a flaw that popular load generators have.

mod answers;
mod connections;
mod refused;
mod reopened;
mod slices;
mod time_limits;
mod unanswered;
mod window;

use testkit::answer;

fn ok() -> Vec<u8> {
    answer(200, &[], "ok\n")
}
