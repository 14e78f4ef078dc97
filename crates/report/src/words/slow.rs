use record::{PauseFacts, Slow, TcpState};

use crate::units;

/// A part of a slow request shorter than this share of it explains nothing.
const TELLING: f64 = 0.01;

/// Where the time of a slow request went, in one line, and when in the window it fell due:
/// `1.23 s, due at 4.50 s: 10.0 ms until it could be sent, 1.20 s to the first byte`. What of it weir
/// itself was `paused` comes first: the rest of the line has it in it.
pub fn slow(of: &Slow, paused: Option<&PauseFacts>) -> String {
    let name = of.name.as_ref().map(|name| format!(" `{name}`"));
    let socket = of.tcp.as_ref().map(|tcp| format!("; {}", socket(tcp)));
    format!(
        "{}{}, due at {}: {}{}",
        units::duration(of.response),
        name.unwrap_or_default(),
        units::duration(of.due),
        course(of, paused).join(", "),
        socket.unwrap_or_default()
    )
}

fn course(of: &Slow, paused: Option<&PauseFacts>) -> Vec<String> {
    let rest = of.response - of.waited - of.late - of.first_byte.unwrap_or(0.0);
    let told = |seconds: f64| (seconds >= TELLING * of.response).then(|| units::duration(seconds));
    let mut parts = Vec::new();
    let paused = paused.map_or(0.0, |paused| paused.between(of.due, of.due + of.response));
    parts.extend(told(paused).map(|time| format!("weir itself was paused for {time} of it")));
    if of.is_unsent() {
        parts.push("it waited for a connection and was never sent".to_owned());
        return parts;
    }
    if of.again {
        parts.push("sent again".to_owned());
    }
    // Whether it waited for a connection, or for the kernel to wake the engine, nobody wrote down.
    parts.extend(told(of.waited).map(|time| format!("{time} until it could be sent")));
    parts.extend(told(of.late).map(|time| format!("sent {time} late by the engine")));
    match of.first_byte {
        Some(time) => parts.push(format!("{} to the first byte", units::duration(time))),
        None => parts.push(format!(
            "no response for {}",
            units::duration(rest.max(0.0))
        )),
    }
    let body = of.first_byte.and_then(|_| told(rest));
    parts.extend(body.map(|time| format!("{time} from there to the last")));
    if of.status >= 300 {
        parts.push(format!("status {}", of.status));
    }
    if of.before == 0 {
        parts.push("first on its connection".to_owned());
    }
    parts
}

/// A retransmission can be the whole story of a slow request, and its absence rules it out.
fn socket(of: &TcpState) -> String {
    let again = super::counted(u64::from(of.retransmits), "retransmit");
    let unacknowledged = match of.unacknowledged {
        0 => String::new(),
        some => format!(", {some} unacknowledged"),
    };
    format!(
        "TCP rtt {}, {again}{unacknowledged}",
        units::duration(of.rtt)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_request_says_where_its_time_went() {
        let mut of = Slow {
            due: 4.5,
            waited: 0.1,
            late: 0.000_01,
            first_byte: Some(1.1),
            response: 1.23,
            status: 200,
            before: 12,
            tcp: Some(TcpState {
                rtt: 30e-6,
                retransmits: 1,
                ..TcpState::default()
            }),
            ..Slow::default()
        };
        assert_eq!(
            slow(&of, None),
            "1.23 s, due at 4.50 s: 100 ms until it could be sent, 1.10 s to the first byte, \
             30.0 ms from there to the last; TCP rtt 30.0 µs, 1 retransmit"
        );
        (of.first_byte, of.tcp, of.status) = (None, None, 0);
        (of.name, of.again, of.before) = (Some("home".into()), true, 0);
        assert_eq!(
            slow(&of, Some(&PauseFacts::default())),
            "1.23 s `home`, due at 4.50 s: sent again, 100 ms until it could be sent, \
             no response for 1.13 s, first on its connection"
        );
    }

    #[test]
    fn a_slow_request_that_never_had_a_connection_says_so() {
        let of = Slow {
            due: 0.5,
            waited: 10.0,
            response: 10.0,
            ..Slow::default()
        };
        assert_eq!(
            slow(&of, None),
            "10.0 s, due at 500 ms: it waited for a connection and was never sent"
        );
    }

    #[test]
    fn a_slow_request_is_not_blamed_for_a_pause_of_weir() {
        let of = Slow {
            due: 1.0,
            first_byte: Some(4.0),
            response: 4.0,
            status: 200,
            before: 1,
            ..Slow::default()
        };
        let paused = PauseFacts {
            stretches: vec![
                record::Pause {
                    from: 0.5,
                    until: 0.9,
                },
                record::Pause {
                    from: 1.5,
                    until: 5.4,
                },
            ],
            ..PauseFacts::default()
        };
        assert_eq!(
            slow(&of, Some(&paused)),
            "4.00 s, due at 1.00 s: weir itself was paused for 3.50 s of it, 4.00 s to the first byte"
        );
    }
}
