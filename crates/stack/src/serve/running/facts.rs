//! What was served, as a trial records it.

use record::{Link, ServerFacts, StackFacts};

use super::Running;
use crate::compose::Program;
use crate::error::log;
use crate::process::bounded;

impl Running<'_> {
    pub(super) fn facts(&self) -> StackFacts {
        let listened = |place: usize| self.listened.get(place).cloned().flatten();
        let server = |(place, program): (usize, &Program)| {
            let log_tail = bounded::tail(&program.log);
            ServerFacts {
                entry: program.entry.clone(),
                service: program.service.clone(),
                link: Some(Link {
                    protocol: Some(program.spoken.protocol),
                    transport: Some(program.spoken.transport),
                    tls: program.spoken.tls,
                }),
                keeps: program.keeps,
                development: self.composition.parts[program.part].entry.development,
                version: program.version.clone(),
                argv: program.argv.clone(),
                deployed: program.deployed.clone(),
                supervisor: program.supervisor.clone(),
                env: program.env.clone(),
                knobs: program.knobs.clone(),
                slots: program.slots,
                scale: program.scale.clone(),
                files: program.files.clone(),
                listened: listened(place),
                complaint: log::complaint(&log_tail).map(str::to_owned),
                log_tail,
            }
        };
        StackFacts {
            servers: self.programs.iter().enumerate().map(server).collect(),
            address: self.address().clone(),
            ready_after: self.ready_after.as_secs_f64(),
            verified: self.verified.clone(),
        }
    }
}
