//! What a connection and its requests add to how a client talked.

use std::collections::BTreeMap;

use kernel::TcpInfo;
use record::{Malformed, Misread, Talk};

use crate::forward::Answered;
use crate::request::Request;

/// Largest request that one segment takes on loopback, in bytes: half of the window that a connection begins with, and half of
/// that again to be sure.
const SMALL: u64 = 16 * 1024;

/// Bytes that are kept of what is no request.
pub(crate) const SAMPLE: usize = 80;

/// A request came whole, in so many segments with data and bytes.
pub(crate) fn request(talk: &mut Talk, request: &Request, segments: u32, bytes: u64) {
    talk.requests += 1;
    talk.http10 += u64::from(request.http10);
    talk.closing += u64::from(!request.keep);
    talk.expecting += u64::from(request.expects);
    let small = bytes <= SMALL;
    if request.expects {
        talk.bodies.asked += u64::from(small);
    } else if request.has_body() && !small {
        talk.bodies.large += 1;
    } else if request.has_body() {
        talk.bodies.small += 1;
        talk.bodies.apart += u64::from(segments >= 2);
    }
}

/// A connection ended, of which the kernel knows this.
pub(crate) fn ended(talk: &mut Talk, info: &TcpInfo, requests: u64, unfinished: bool) {
    talk.segments += u64::from(info.segments_received);
    talk.data_segments += u64::from(info.data_segments_received);
    talk.bytes += info.bytes_received;
    talk.unused += u64::from(requests == 0);
    talk.unfinished += u64::from(unfinished);
}

/// A server answered a request that was passed on to it, or did not.
pub(crate) fn forwarded(talk: &mut Talk, answered: &Answered) {
    let forwarded = talk.forwarded.get_or_insert_default();
    match answered {
        Ok(answer) => {
            forwarded.answered += 1;
            *forwarded.statuses.entry(answer.status).or_default() += 1;
            forwarded.closed += u64::from(!answer.keep);
        }
        Err(refusal) => {
            forwarded.failed += 1;
            let why = || refusal.why.clone();
            forwarded.example.get_or_insert_with(why);
        }
    }
}

/// What was misread, by its kind.
pub(crate) fn misread(misread: BTreeMap<Malformed, (u64, String)>) -> Vec<Misread> {
    let told = misread.into_iter();
    told.map(|(why, (connections, sample))| Misread {
        why,
        connections,
        sample,
    })
    .collect()
}
