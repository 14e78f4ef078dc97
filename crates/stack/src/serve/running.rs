mod facts;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use record::{CounterSource, NotedSource, Protocol, StackFacts, Target, Tls, Verified};

use crate::compose::{CERTIFICATE, Composition, Program};
use crate::error::{Result, StackError, shortage};
use crate::process::{Folder, Supervised, bounded};
use crate::serve::elsewhere;
use crate::serve::fetch::Endpoint;
use crate::serve::login::{self, Session};
use crate::serve::readiness::{self, Patience};
use crate::serve::strike::Exposed;
use crate::serve::verify::{self, Reference};

/// Longest time for one answer while answers are compared.
pub(crate) const ANSWER_LIMIT: Duration = Duration::from_secs(30);

/// A stack that serves. Dropped, it is stopped in a hurry, and nothing of it is left.
#[derive(Debug)]
pub struct Running<'a> {
    composition: Composition,
    /// From the program that clients speak to inwards, then services, as in the composition.
    programs: Vec<Program>,
    supervised: Vec<Supervised>,
    folder: Option<Folder>,
    ready_after: Duration,
    /// Where each program was seen to listen.
    listened: Vec<Option<String>>,
    verified: Verified,
    /// Headers of every request, once its session is open.
    session: Session,
    interrupted: &'a AtomicBool,
}

impl<'a> Running<'a> {
    pub(crate) fn new(
        composition: Composition,
        programs: Vec<Program>,
        supervised: Vec<Supervised>,
        folder: Folder,
        interrupted: &'a AtomicBool,
    ) -> Self {
        Self {
            composition,
            programs,
            supervised,
            folder: Some(folder),
            ready_after: Duration::ZERO,
            listened: Vec::new(),
            verified: Verified::default(),
            session: Session::new(),
            interrupted,
        }
    }

    /// The programs of each part of the composition, from the one that clients speak to inwards, then
    /// services.
    pub(crate) fn parts(&mut self) -> Vec<Vec<(&Program, &mut Supervised)>> {
        let mut supervised = self.supervised.iter_mut();
        let parts = self.programs.chunk_by(|one, next| one.part == next.part);
        parts
            .map(|part| part.iter().zip(supervised.by_ref()).collect())
            .collect()
    }

    pub(crate) fn ready(&mut self, after: Duration) {
        self.ready_after = after;
        let all = self.programs.iter().zip(&self.supervised);
        self.listened = all
            .map(|(program, server)| elsewhere::listened(server, program))
            .collect();
    }

    /// Opens the session that the app asks for, where there is an app.
    pub(crate) fn log_in(&mut self) -> Result<()> {
        let login = self.composition.app.login.as_ref();
        let Some(login) = login.filter(|_| self.composition.app_server().is_some()) else {
            return Ok(());
        };
        let (front, patience) = (&self.programs[0], self.patience());
        let opened = login::log_in(&self.endpoint(front), login, &mut || patience.lasts());
        let opened = opened.map_err(|no| {
            patience.or_interrupted(no.error(&front.entry, login, bounded::tail(&front.log)))
        });
        self.session = opened?;
        Ok(())
    }

    /// The headers by which its session is known; none where there is none.
    pub fn session(&self) -> &[(String, String)] {
        &self.session
    }

    /// Where one of its programs is spoken to, and by whom.
    fn endpoint(&self, program: &Program) -> Endpoint {
        let mut endpoint = Endpoint::of(program, &self.programs);
        endpoint.at.headers.extend_from_slice(&self.session);
        endpoint
    }

    /// The programs as they were rendered, from the one that clients speak to inwards; services last.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// Where clients connect.
    pub fn address(&self) -> &Target {
        &self.programs[0].listen
    }

    /// What clients speak there.
    pub fn protocol(&self) -> Protocol {
        self.programs[0].spoken.protocol
    }

    /// Names and values of the parameters that a client sends with each request, as a front end would; none in HTTP.
    pub fn params(&self) -> &[(String, String)] {
        &self.programs[0].params
    }

    /// How clients make their handshake; none outside TLS.
    pub fn tls(&self) -> Option<Tls> {
        let folder = self.folder.as_ref()?.path();
        self.programs[0].spoken.tls.then(|| Tls {
            authorities: Some(folder.join(CERTIFICATE)),
            ..Tls::default()
        })
    }

    /// The main process of each program with the name of its entry, from the client's side inwards.
    pub fn processes(&self) -> Vec<(u32, String)> {
        self.each(Supervised::pid)
    }

    /// The guardian of each program with the name of its entry: everything that program ever
    /// started lives below it, the guardian itself is weir's.
    pub fn guardians(&self) -> Vec<(u32, String)> {
        self.each(Supervised::guardian_pid)
    }

    /// The processes of its app server, for whoever is to strike them; none of a stack without one.
    pub fn exposed(&self) -> Option<Exposed<'_>> {
        let mut all = self.programs.iter().zip(&self.supervised);
        let (program, server) = all.find(|(program, _)| program.runs_app)?;
        Some(Exposed {
            guardian: server.guardian_pid(),
            started: server.pid(),
            birth: server.birth(),
            supervised: program.supervisor.is_some(),
            folder: (self.folder.as_ref()?.path(), program.name.as_str()),
        })
    }

    fn each(&self, id: fn(&Supervised) -> u32) -> Vec<(u32, String)> {
        let entries = self.programs.iter().map(|program| program.entry.clone());
        self.supervised.iter().map(id).zip(entries).collect()
    }

    /// Where programs tell what they count, from the client's side inwards.
    pub fn counters(&self) -> Vec<CounterSource> {
        let programs = self.programs.iter();
        programs.filter_map(|of| of.counters.clone()).collect()
    }

    /// Where programs note single requests, likewise.
    pub fn noted(&self) -> Vec<NotedSource> {
        let programs = self.programs.iter();
        programs.filter_map(|of| of.noted.clone()).collect()
    }

    /// What counts as right: the answers of the bare app server, asked directly and not through the
    /// front end, unless it dials that in; or the files themselves when there is no app server, and where a script could
    /// answer in their place.
    ///
    /// # Errors
    /// A request that fails, or a file that cannot be read.
    pub fn reference(&self) -> Result<Reference> {
        let (mut routes, mut files) = (Vec::new(), Vec::new());
        for route in self.composition.routes() {
            match self.composition.file(route) {
                Some(file) => files.push((route, file)),
                None => routes.push(route),
            }
        }
        let files = Reference::from_files(&files)?;
        let asked =
            |program: &&Program| program.service.is_none() && !program.spoken.protocol.dials_in();
        let innermost = self.programs.iter().rfind(asked);
        let innermost = innermost.filter(|_| self.composition.app_server().is_some());
        let Some(server) = innermost else {
            return Ok(files);
        };
        let source = format!("{} alone", server.entry);
        let (at, entry) = (self.endpoint(server), Some(&*server.entry));
        let answers = Reference::ask(&at, &routes, &source, entry, self.patience())?;
        Ok(answers.with(files))
    }

    /// Compares the stack's answers with the reference, before any timed request.
    ///
    /// # Errors
    /// The first answer that differs in status, in a header the app declares, in text it must
    /// contain, or in its body.
    pub fn verify(&mut self, reference: &Reference) -> Result<Verified> {
        let (routes, loaded) = (self.composition.routes(), &self.composition.route);
        let front = self.endpoint(&self.programs[0]);
        let verified = verify::verify(&front, &routes, loaded, reference, self.patience());
        self.verified = verified.map_err(|error| self.composition.advised(error))?;
        Ok(self.verified.clone())
    }

    fn patience(&self) -> Patience<'a> {
        Patience::new(ANSWER_LIMIT, self.interrupted)
    }

    /// Whether every program still runs.
    ///
    /// # Errors
    /// The first that ended, with the last lines of its log; or a guardian that was killed.
    pub fn check_alive(&mut self) -> Result<()> {
        for (program, server) in self.programs.iter().zip(&mut self.supervised) {
            if let Some(exit) = server.exit_within(Duration::ZERO) {
                let (how, log_tail) = (exit.words(), bounded::tail(&program.log));
                if let Some(number) = shortage::seen(&log_tail.join("\n"), &program.log) {
                    let what = format!("{how} while it should have served");
                    return Err(readiness::short(program, what, number));
                }
                return Err(StackError::Died {
                    entry: program.started().to_owned(),
                    how,
                    log_tail,
                });
            }
            if !server.guarded() {
                return Err(StackError::Guardian {
                    entry: program.entry.clone(),
                    problem: "is gone".to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Ends every program, the front end first, removes the stack's folder, and returns what was served.
    ///
    /// # Errors
    /// A program that could not be ended.
    pub fn stop(mut self) -> Result<StackFacts> {
        let stopped = self.end(false);
        let facts = self.facts();
        self.clear();
        stopped.map(|()| facts)
    }

    /// Front end first: an app server waits for connections that a front end keeps open. The instances of a
    /// part end at the same time: some look for a signal only once a second.
    fn end(&mut self, hurry: bool) -> Result<()> {
        let mut outcome = Ok(());
        for mut part in self.parts() {
            let servers = part.iter_mut();
            let asked: Vec<_> = servers
                .map(|(_, server)| server.ask_to_stop(hurry))
                .collect();
            for ((_, server), asked) in part.into_iter().zip(asked) {
                outcome = outcome.and(server.stopped(asked));
            }
        }
        outcome
    }

    /// The folder goes before the guardians, who would remove it if weir died right here.
    fn clear(&mut self) {
        if let Some(folder) = self.folder.take() {
            folder.end_unguarded(&mut self.supervised);
        }
        self.supervised.drain(..).for_each(Supervised::dismiss);
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.end(true);
        self.clear();
    }
}
