//! Which event loop of the engine applies a load where nobody has chosen one.

use judge::RingCost;
use load::{Body, Job, Part, Traffic};
use record::{Load, Protocol};

/// Most bytes of a request and of its response (their bodies) that count as short.
const SHORT: usize = 64 << 10;

/// The job with the event loop that is cheaper on this machine, as its calibration found, for loads as the calibration's were.
/// Of others it says nothing, and they keep epoll.
pub(crate) fn settled(job: Job, costs: &[RingCost]) -> Job {
    let of = &job.load;
    if costs.is_empty() || !of.reactor.is_auto() || !is_as_measured(&job) || !load::has_ring() {
        return job;
    }
    let each = of.connections.div_ceil(load::threads(of, job.cores));
    let reactor = judge::cheaper_loop(costs, each);
    Job {
        load: Load {
            reactor,
            ..job.load
        },
        ..job
    }
}

/// Whether a load is like those of a calibration: short requests that are the same again and again, with short responses of which
/// every byte is known, one at a time over kept HTTP/1.1 connections without TLS.
fn is_as_measured(job: &Job) -> bool {
    let of = &job.load;
    let kept = of.keep_alive && of.per_connection.is_none() && of.streams <= 1;
    let Traffic::Mix(parts) = &job.traffic else {
        return false;
    };
    let [only] = parts.as_slice() else {
        return false;
    };
    job.protocol == Protocol::Http1 && of.tls.is_none() && kept && is_short(only)
}

fn is_short(part: &Part) -> bool {
    match &part.expected.body {
        Body::Exact(body) | Body::But(body, _) => body.len().max(part.request.body.len()) <= SHORT,
        Body::Any | Body::Contains(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};
    use std::path::Path;
    use std::sync::Arc;

    use record::{Calibration, ClosedLoop, Distribution, Host, Race, Reactor, Shape, Target};

    use super::*;

    /// Over 100 connections of a thread epoll is cheaper, over 1,000 the other one.
    fn costs() -> Vec<RingCost> {
        let loops = |cpu_per_request| {
            vec![
                ClosedLoop {
                    throughput: 1.0,
                    cpu_per_request,
                    busy: 1.0,
                };
                5
            ]
        };
        judge::ring_costs(&Calibration {
            measured: record::now(),
            weir: String::new(),
            host: Host::default(),
            closed_loops: loops(4e-6),
            ring: loops(5e-6),
            races: vec![Race {
                connections: 1_000,
                poll: loops(4e-6),
                ring: loops(3e-6),
            }],
            connections: 100,
            rate: 1.0,
            response: Distribution::default(),
            woken: Distribution::default(),
            lateness: Distribution::default(),
            others: None,
        })
    }

    /// Over so many connections from two threads.
    fn job(connections: u32) -> Job {
        let target = Target::Tcp(SocketAddr::from((Ipv4Addr::LOCALHOST, 1)));
        let mut job = crate::calibrate::job(&target, 2, connections, 1.0, Shape::default());
        job.load.threads = 2;
        job
    }

    #[test]
    fn the_cheaper_loop_is_taken_for_loads_that_were_measured() {
        let reactor = |job: Job| settled(job, &costs()).load.reactor;
        let [poll, ring] = if load::has_ring() {
            [Reactor::Poll, Reactor::Ring]
        } else {
            [Reactor::Auto; 2]
        };
        assert_eq!(reactor(job(1_998)), poll, "999 in each thread");
        assert_eq!(reactor(job(2_000)), ring);
        for change in [
            |job: &mut Job| part(job).expected.body = Body::Exact(vec![0; SHORT]),
            |job: &mut Job| part(job).expected.body = Body::But(b"12:00".to_vec(), Vec::new()),
            |job: &mut Job| part(job).request.body = vec![0; SHORT],
        ] {
            let mut alike = job(2_000);
            change(&mut alike);
            assert_eq!(reactor(alike), ring);
        }
    }

    #[test]
    fn of_other_loads_a_calibration_says_nothing() {
        let changes = [
            |job: &mut Job| job.load.keep_alive = false,
            |job: &mut Job| job.load.per_connection = Some(100),
            |job: &mut Job| job.load.streams = 2,
            |job: &mut Job| job.protocol = Protocol::Http2,
            |job: &mut Job| job.load.tls = Some(record::Tls::default()),
            |job: &mut Job| job.traffic = made(),
            |job: &mut Job| part(job).request.body = vec![0; SHORT + 1],
            |job: &mut Job| part(job).expected.body = Body::Exact(vec![0; SHORT + 1]),
            |job: &mut Job| part(job).expected.body = Body::But(vec![0; SHORT + 1], Vec::new()),
            |job: &mut Job| part(job).expected.body = Body::Any,
            |job: &mut Job| part(job).expected.body = Body::Contains(vec![b"ok".to_vec()]),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut other = job(2_000);
            change(&mut other);
            let reactor = settled(other, &costs()).load.reactor;
            assert_eq!(reactor, Reactor::Auto, "change {number}");
        }
    }

    /// The one request of a job.
    fn part(job: &mut Job) -> &mut Part {
        let Traffic::Mix(parts) = &mut job.traffic else {
            panic!("a calibration asks for the same again and again");
        };
        &mut parts[0]
    }

    /// Requests that are thought of one by one.
    fn made() -> Traffic {
        let text = "[[request]]\npath = \"/\"\n";
        let mix = traffic::Mix::parse(text, Path::new("mix.toml"), &[], 1);
        Traffic::Made(Arc::new(mix.unwrap()))
    }

    #[test]
    fn who_chooses_is_heard_and_nobody_knows_without_a_calibration() {
        let mut chosen = job(2_000);
        chosen.load.reactor = Reactor::Poll;
        assert_eq!(settled(chosen, &costs()).load.reactor, Reactor::Poll);
        assert_eq!(settled(job(2_000), &[]).load.reactor, Reactor::Auto);
    }
}
