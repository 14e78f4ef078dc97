use std::collections::BTreeSet;

use record::units::counted;
use record::{JointFacts, Measured, Observed, PortFacts, QueueFacts, Transport};

use crate::units::{count, duration, number};

/// Share of the local ports that is worth a word, 0 to 1: there are none left at 1.
const MANY_PORTS: f64 = 0.1;
/// Requests that wait until they are read, on average, which are worth a word.
const MANY_UNREAD: f64 = 1.0;

/// What the kernel counted of how programs are connected, a figure each.
pub(super) fn told(measured: &Measured) -> Vec<String> {
    let observed = &measured.observed;
    let queues = observed.queues.iter();
    let waited = queues.filter(|of| of.waiting > 0 || of.dropped > Some(0));
    let looks = observed.sockets.map_or(0, |of| of.looks_at_queues());
    let queues = waited.map(|of| queue(of, looks));
    let ports = observed.ports.as_ref().and_then(ports);
    between(measured)
        .into_iter()
        .chain(observed.joints.iter().map(joint))
        .chain(queues)
        .chain(unread(observed, measured.load.throughput()))
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

/// `front to app: 8 connections kept open, 3 of 41,200 segments sent again, acknowledged after 0.0410 ms and 40.1 ms, what was sent
/// last was bound by the program on 8 and 5 of them`.
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
    let bound = [there, back].map(|of| count(of.app_limited.into()));
    let [there, back] = [there.rtt, back.rtt].map(duration);
    format!(
        "{from} to {to}: {kept} kept open, {again} of {all} segments sent again, acknowledged after {there} and {back}, \
         what was sent last was bound by the program on {} of them",
        bound.join(" and ")
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
    let away = of.dropped.filter(|dropped| *dropped > 0);
    let away = away.map_or_else(String::new, |dropped| {
        format!(", {} turned away", counted(dropped, "attempt"))
    });
    format!(
        "accept queue of {program} at {address}: {waiting} at most, with room for {room}{full}{away}"
    )
}

/// `requests that app had not begun to read: 14.2 on average, about 350 ms of a response`, of each program that let so many wait
/// at this rate of responses.
fn unread(observed: &Observed, rate: f64) -> Vec<String> {
    let queues = observed.queues.iter();
    let programs: BTreeSet<&str> = queues.map(|of| of.program.as_str()).collect();
    let told = |program: &str| {
        let (waiting, looks) = observed.unread(program)?;
        if looks < QueueFacts::ENOUGH_LOOKS || waiting < MANY_UNREAD || rate <= 0.0 {
            return None;
        }
        let [waiting, time] = [number(waiting), duration(waiting / rate)];
        Some(format!(
            "requests that {program} had not begun to read: {waiting} on average, about {time} of a response"
        ))
    };
    programs.into_iter().filter_map(told).collect()
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
    use record::{FlowFacts, SocketFacts};

    use super::*;

    fn of_app(waiting: u32, full: u32) -> QueueFacts {
        QueueFacts {
            program: "app".to_owned(),
            address: "127.0.0.1:8000".to_owned(),
            waiting,
            room: 2_048,
            full,
            ..QueueFacts::default()
        }
    }

    fn waited(waiting: u32, full: u32) -> String {
        queue(&of_app(waiting, full), 20)
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
        let away = QueueFacts {
            dropped: Some(1_204),
            ..of_app(2_049, 0)
        };
        let told = queue(&away, 20);
        assert!(
            told.ends_with("with room for 2,048, 1,204 attempts turned away"),
            "{told}"
        );
    }

    /// What is told of so many requests that nobody had begun to read, in so many looks, at 100 responses a second.
    fn not_read(count: Option<u64>, looks: u32) -> Vec<String> {
        let sockets = SocketFacts {
            looks,
            ..SocketFacts::default()
        };
        let queue = QueueFacts {
            unread: count,
            ..of_app(0, 0)
        };
        let observed = Observed {
            sockets: Some(sockets),
            queues: vec![queue],
            ..Observed::default()
        };
        unread(&observed, 100.0)
    }

    #[test]
    fn requests_that_wait_until_they_are_read_are_told_as_time() {
        let begin = "requests that app had not begun to read:";
        let end = "5.00 on average, about 50.0 ms of a response";
        assert_eq!(not_read(Some(100), 20), [format!("{begin} {end}")]);
        assert!(not_read(Some(10), 20).is_empty(), "hardly any");
        assert!(not_read(Some(20), 4).is_empty(), "hardly looked at");
        assert!(not_read(None, 20).is_empty(), "it was not counted");
    }

    #[test]
    fn what_is_between_programs_is_told_of_both_ways() {
        let flow = |segments, retransmitted, rtt, app_limited| FlowFacts {
            segments,
            retransmitted,
            rtt,
            app_limited,
        };
        let told = joint(&JointFacts {
            from: "front".to_owned(),
            to: "app".to_owned(),
            connections: 8,
            there: flow(20_000, 1, 0.0401, 8),
            back: flow(21_200, 2, 0.0502, 5),
        });
        assert_eq!(
            told,
            "front to app: 8 connections kept open, 3 of 41,200 segments sent again, acknowledged after 40.1 ms and 50.2 ms, \
             what was sent last was bound by the program on 8 and 5 of them"
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
