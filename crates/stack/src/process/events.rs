use std::io::BufRead as _;
use std::sync::mpsc::Sender;

use rustix::process::{Pid, WaitOptions, WaitStatus};

use crate::process::order::{Exit, Order};

/// What a guardian waits for.
pub(crate) enum Event {
    Order(Order),
    /// The pipe closed: weir is gone.
    Abandoned,
    Exited(Exit),
    /// No child is left, and so nothing that could have one.
    Childless,
}

/// Passes weir's orders on until there can be no more.
pub(crate) fn read_orders(orders: &Sender<Event>) {
    let lines = std::io::stdin().lock().lines().map_while(Result::ok);
    for order in lines.filter_map(|line| serde_json::from_str(&line).ok()) {
        let _ = orders.send(Event::Order(order));
    }
    let _ = orders.send(Event::Abandoned);
}

/// Takes the exit status of every child, adopted ones included, until there is none.
pub(crate) fn reap(server: Pid, events: &Sender<Event>) {
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == server => {
                let _ = events.send(Event::Exited(exit(status)));
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => {
                let _ = events.send(Event::Childless);
                return;
            }
        }
    }
}

fn exit(status: WaitStatus) -> Exit {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}
