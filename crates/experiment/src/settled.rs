//! Which event loop of the engine applies a load where nobody has chosen one.

use judge::RingCost;
use load::Job;
use record::{Load, Protocol};

/// The job with the event loop that is cheaper on this machine, as its calibration found: for loads as the calibration's were,
/// over kept HTTP/1.1 connections without TLS. Of others it says nothing, and they keep epoll.
pub(crate) fn settled(job: Job, costs: &[RingCost]) -> Job {
    let of = &job.load;
    let alike = job.protocol == Protocol::Http1 && of.keep_alive && of.tls.is_none();
    if costs.is_empty() || !alike || !of.reactor.is_auto() || !load::has_ring() {
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

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};

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
            |job: &mut Job| job.load.keep_alive = false,
            |job: &mut Job| job.protocol = Protocol::Http2,
            |job: &mut Job| job.load.tls = Some(record::Tls::default()),
        ] {
            let mut other = job(2_000);
            change(&mut other);
            assert_eq!(reactor(other), Reactor::Auto);
        }
    }

    #[test]
    fn who_chooses_is_heard_and_nobody_knows_without_a_calibration() {
        let mut chosen = job(2_000);
        chosen.load.reactor = Reactor::Poll;
        assert_eq!(settled(chosen, &costs()).load.reactor, Reactor::Poll);
        assert_eq!(settled(job(2_000), &[]).load.reactor, Reactor::Auto);
    }
}
