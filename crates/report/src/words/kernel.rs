use record::units::counted;
use record::{JointFacts, Measured, PortFacts, QueueFacts, Transport};

use crate::units::{count, duration, number};

/// Share of the local ports that is worth a word, 0 to 1: there are none left at 1.
const MANY_PORTS: f64 = 0.1;

/// What the kernel counted of how programs are connected, a figure each.
pub(super) fn told(measured: &Measured) -> Vec<String> {
    let observed = &measured.observed;
    let waited = observed.queues.iter().filter(|of| of.waiting > 0);
    let looks = observed.sockets.map_or(0, |of| of.looks);
    let queues = waited.map(|of| queue(of, looks));
    let ports = observed.ports.as_ref().and_then(ports);
    between(measured)
        .into_iter()
        .chain(observed.joints.iter().map(joint))
        .chain(queues)
        .chain(attempts(measured))
        .chain(ports)
        .collect()
}

/// `connections between programs: 0.980 opened per response over TCP`; none where nobody counted them, or none is over TCP.
fn between(measured: &Measured) -> Option<String> {
    let mut joints = measured.stack.joints();
    if !joints.any(|over| over == Some(Transport::Tcp)) {
        return None;
    }
    let opened = number(measured.opened_inside()?);
    let others = others(measured);
    let most = if others.is_empty() { "" } else { "at most " };
    Some(format!(
        "connections between programs: {most}{opened} opened per response over TCP{others}"
    ))
}

/// `front to app: 8 connections kept open, 3 of 41,200 segments sent again, acknowledged after 0.0410 ms and 40.1 ms`.
fn joint(of: &JointFacts) -> String {
    let JointFacts {
        from,
        to,
        there,
        back,
        ..
    } = of;
    let kept = counted(of.connections.into(), "connection");
    let again = count(there.retransmitted + back.retransmitted);
    let all = count(there.segments + back.segments);
    let [there, back] = [there.rtt, back.rtt].map(duration);
    format!(
        "{from} to {to}: {kept} kept open, {again} of {all} segments sent again, acknowledged after {there} and {back}"
    )
}

/// `accept queue of app at 127.0.0.1:8000: 65 connections at most, with room for 64, full in 3 of 20 looks`.
fn queue(of: &QueueFacts, looks: u32) -> String {
    let QueueFacts {
        program, address, ..
    } = of;
    let waiting = counted(of.waiting.into(), "connection");
    let [room, full, looks] = [of.room, of.full, looks].map(|number| count(number.into()));
    let full = if of.full > 0 {
        format!(", full in {full} of {looks} looks")
    } else {
        String::new()
    };
    format!("accept queue of {program} at {address}: {waiting} at most, with room for {room}{full}")
}

/// `attempts to connect: 12 dropped, 7 sent again`; none where all was well.
fn attempts(measured: &Measured) -> Option<String> {
    let network = measured.load.network?;
    let counts = [
        (network.dropped, "dropped"),
        (network.syn_retries, "sent again"),
    ];
    let counts = counts.into_iter().filter(|(times, _)| *times > 0);
    let told: Vec<String> = counts
        .map(|(times, what)| format!("{} {what}", count(times)))
        .collect();
    let others = others(measured);
    (!told.is_empty()).then(|| format!("attempts to connect: {}{others}", told.join(", ")))
}

/// `local ports in use to 127.0.0.1:8000: 20,100 at most, of 28,232`; none where hardly any were.
fn ports(of: &PortFacts) -> Option<String> {
    let share = f64::from(of.used) / f64::from(of.of.max(1));
    let [used, all] = [of.used, of.of].map(|number| count(number.into()));
    let to = &of.to;
    let many = share >= MANY_PORTS;
    many.then(|| format!("local ports in use to {to}: {used} at most, of {all}"))
}

/// What is said of a count that is of the whole machine.
fn others(measured: &Measured) -> &'static str {
    match measured.load.network {
        Some(network) if !network.own => ", those of other programs on this machine among them",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use record::FlowFacts;

    use super::*;

    fn waited(waiting: u32, full: u32) -> String {
        let of = QueueFacts {
            program: "app".to_owned(),
            address: "127.0.0.1:8000".to_owned(),
            waiting,
            room: 2_048,
            full,
        };
        queue(&of, 20)
    }

    #[test]
    fn a_queue_is_told_with_whose_it_is_and_what_it_holds() {
        let of = "accept queue of app at 127.0.0.1:8000:";
        assert_eq!(
            waited(1, 0),
            format!("{of} 1 connection at most, with room for 2,048")
        );
        assert_eq!(
            waited(12, 0),
            format!("{of} 12 connections at most, with room for 2,048")
        );
        assert_eq!(
            waited(2_049, 3),
            format!("{of} 2,049 connections at most, with room for 2,048, full in 3 of 20 looks")
        );
    }

    #[test]
    fn what_is_between_programs_is_told_of_both_ways() {
        let flow = |segments, retransmitted, rtt| FlowFacts {
            segments,
            retransmitted,
            rtt,
            app_limited: 0,
        };
        let told = joint(&JointFacts {
            from: "front".to_owned(),
            to: "app".to_owned(),
            connections: 8,
            there: flow(20_000, 1, 0.0401),
            back: flow(21_200, 2, 0.0502),
        });
        assert_eq!(
            told,
            "front to app: 8 connections kept open, 3 of 41,200 segments sent again, acknowledged after 40.1 ms and 50.2 ms"
        );
    }

    #[test]
    fn ports_are_told_where_many_are_in_use() {
        let told = |used| {
            ports(&PortFacts {
                to: "10.0.0.7:80".to_owned(),
                used,
                of: 28_232,
            })
        };
        assert_eq!(told(2_000), None);
        let many = "local ports in use to 10.0.0.7:80: 20,100 at most, of 28,232";
        assert_eq!(told(20_100).as_deref(), Some(many));
    }
}
