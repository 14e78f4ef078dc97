//! Connections that the programs of a stack open among themselves.

use crate::{CrowdFacts, Measured, ServerFacts, StackFacts, Transport};

impl Measured {
    /// TCP connections that programs opened among themselves, for each response: all that were opened in the network namespace of
    /// the trial (`Tcp: ActiveOpens`), less those of the load and of the crowd beside it, over the window and its drain.
    ///
    /// In a namespace of the trial's own these are the stack's. In the machine's they are the most that the stack opened, as
    /// whatever else runs there is among them. What load and crowd opened before the window is taken off as well, so the count may
    /// be short by as many. Connections over Unix sockets are never among them.
    ///
    /// `None` without a response, where weir started no program, where the system does not tell, and in the machine's namespace of a
    /// stack without a joint over TCP, as one of one program is: what is opened beside its clients' connections is somebody else's.
    pub fn opened_inside(&self) -> Option<f64> {
        let load = &self.load;
        let network = load.network?;
        let mut joints = self.stack.joints();
        let may = network.own || joints.any(|over| over != Some(Transport::Unix));
        if self.stack.servers.is_empty() || !may {
            return None;
        }
        let crowd = load.crowd.as_ref().map_or(0, CrowdFacts::opened);
        load.per_response(network.opened.saturating_sub(load.connects + crowd))
    }
}

impl StackFacts {
    /// Over what each program is reached by the one before it, from the outermost inwards, and each service by the app; `None` for
    /// one of which nobody wrote that down.
    pub fn joints(&self) -> impl Iterator<Item = Option<Transport>> {
        let behind = self.passed().skip(1);
        let services = self.servers.iter().filter(|of| of.service.is_some());
        behind.chain(services).map(ServerFacts::transport)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        CrowdFacts, CrowdFigures, Habit, Link, LoadFacts, Measured, NetworkFacts, Observed,
        ServerFacts, StackFacts, Target, Transport, Verified,
    };

    /// A hundred responses over ten connections, while so many were opened.
    fn measured(servers: Vec<ServerFacts>, opened: u64, own: bool) -> Measured {
        Measured {
            stack: StackFacts {
                servers,
                address: Target::Tcp(([127, 0, 0, 1], 8_000).into()),
                ready_after: 0.1,
                verified: Verified::default(),
            },
            load: LoadFacts {
                scheduled: 100,
                completed: 100,
                connects: 10,
                network: Some(NetworkFacts {
                    opened,
                    own,
                    ..NetworkFacts::default()
                }),
                ..LoadFacts::default()
            },
            processes: Vec::new(),
            stolen: 0.0,
            observed: Observed::default(),
        }
    }

    fn two() -> Vec<ServerFacts> {
        vec![ServerFacts::default(), ServerFacts::default()]
    }

    fn over(transport: Option<Transport>) -> ServerFacts {
        ServerFacts {
            link: Some(Link {
                transport,
                ..Link::default()
            }),
            ..ServerFacts::default()
        }
    }

    /// For each hundred responses.
    fn inside(of: &Measured) -> Option<u64> {
        let each = of.opened_inside()?;
        Some((each * 100.0).round() as u64)
    }

    #[test]
    fn connections_of_the_load_and_its_crowd_are_not_the_stacks() {
        let mut of = measured(two(), 110, false);
        assert_eq!(inside(&of), Some(100));
        let resets = CrowdFigures {
            opened: 60,
            ..CrowdFigures::default()
        };
        of.load.crowd = Some(CrowdFacts {
            habits: [(Habit::Reset, resets)].into(),
            ..CrowdFacts::default()
        });
        assert_eq!(inside(&of), Some(40));
        of.load.network.as_mut().unwrap().opened = 20;
        assert_eq!(inside(&of), Some(0), "some were opened before the window");
        of.load.network = None;
        assert_eq!(inside(&of), None);
    }

    #[test]
    fn without_a_joint_over_tcp_somebody_else_opens_them_unless_nobody_is_there() {
        let unix = vec![ServerFacts::default(), over(Some(Transport::Unix))];
        for servers in [vec![ServerFacts::default()], unix] {
            let of = |own| measured(servers.clone(), 110, own);
            assert_eq!(inside(&of(false)), None);
            assert_eq!(inside(&of(true)), Some(100));
        }
        assert_eq!(inside(&measured(Vec::new(), 110, true)), None);
    }

    #[test]
    fn a_joint_is_over_what_the_program_behind_is_reached() {
        let service = ServerFacts {
            service: Some("database".to_owned()),
            ..over(None)
        };
        let unix = over(Some(Transport::Unix));
        let servers = vec![over(None), unix, ServerFacts::default(), service];
        let stack = measured(servers, 0, true).stack;
        let joints: Vec<_> = stack.joints().collect();
        let wanted = [Some(Transport::Unix), None, Some(Transport::Tcp)];
        assert_eq!(joints, wanted);
    }
}
