//! What a trial loads: a stack that weir serves, or a URL that leads to a server which weir does not run.

use std::borrow::Cow;

use load::Cgi;
use observe::Watch;
use profile::Subject;
use record::{App, Load, Plan, Protocol, Route, StackFacts, Target, Tls, Variant};
use stack::{Exposed, HOST, Options, Reference, Remote, RemoteAddress, Running, StackError};

use crate::cores::{self, Division};
use crate::error::ExperimentError;
use crate::plan::address::Address;
use crate::run::lab::Place;
use crate::run::references::References;

/// It answers, and can be loaded.
pub(crate) struct Served<'a> {
    /// Where, in what, and by which name.
    pub(crate) target: Target,
    pub(crate) protocol: Protocol,
    pub(crate) tls: Option<Tls>,
    pub(crate) host: String,
    pub(crate) cgi: Cgi,
    /// What is asked.
    pub(crate) route: Route,
    by: By<'a>,
}

/// The variant with what its programs need so that their stacks can be read, if its load asks for that: behind what the app and
/// the variant themselves set.
fn profiled<'v>(app: &App, variant: &'v Variant, load: &Load) -> Cow<'v, Variant> {
    if load.profile.is_none() {
        return Cow::Borrowed(variant);
    }
    let mut variant = variant.clone();
    for (name, options) in profile::environment() {
        let own = variant.env.get(&name).or_else(|| app.env.get(&name));
        let options = own.map_or(options.clone(), |own| format!("{own} {options}"));
        variant.env.insert(name, options);
    }
    Cow::Owned(variant)
}

enum By<'a> {
    Weir(Box<Running<'a>>),
    Others(Box<Remote<'a>>),
}

impl<'a> Served<'a> {
    /// Starts the stack of a variant, or looks up its URL.
    ///
    /// # Errors
    /// A stack that cannot be composed or started; a URL that leads nowhere.
    pub(crate) fn start(
        place: &Place<'a>,
        plan: &Plan,
        variant: &Variant,
        load: &Load,
    ) -> Result<Self, ExperimentError> {
        if let Some(url) = &variant.url {
            return Self::elsewhere(place, plan.app_of(variant), variant, url, load);
        }
        let variant = profiled(plan.app_of(variant), variant, load);
        Self::stack(place, plan, &variant).map_err(ExperimentError::of(&variant))
    }

    fn stack(place: &Place<'a>, plan: &Plan, variant: &Variant) -> Result<Self, StackError> {
        let composition = cores::compose(place.machine, plan, variant)?;
        let division = Division::of(plan).map_err(|error| StackError::System {
            doing: "asking which processors there are".to_owned(),
            error,
        })?;
        let options = Options {
            cpus: division.map(|of| of.stack).unwrap_or_default(),
            ..place.options()
        };
        let running = stack::start(&composition, &options)?;
        let route = composition.route.within(running.session());
        Ok(Self {
            target: running.address().clone(),
            protocol: running.protocol(),
            tls: running.tls(),
            host: HOST.to_owned(),
            cgi: Cgi {
                params: running.params().to_vec(),
                ..Cgi::default()
            },
            route,
            by: By::Weir(Box::new(running)),
        })
    }

    fn elsewhere(
        place: &Place<'a>,
        app: &App,
        variant: &Variant,
        url: &str,
        load: &Load,
    ) -> Result<Self, ExperimentError> {
        let nowhere = |problem| ExperimentError::Url {
            variant: variant.name.clone(),
            problem,
        };
        let address = Address::parse(url).map_err(|error| nowhere(error.why()))?;
        let address = address.reached();
        let route = app
            .route(&variant.route)
            .map_err(|why| nowhere(why.to_string()))?;
        let said: Vec<_> = route.headers.clone().into_iter().collect();
        let said = address.headers(&said);
        let tls = address.tls.then(|| load.tls.clone().unwrap_or_default());
        let settings = load::tls_settings(tls.as_ref(), &address.host);
        let settings = settings.map_err(|error| nowhere(error.to_string()))?;
        let more = said
            .iter()
            .filter(|(name, _)| !route.headers.contains_key(name));
        let at = RemoteAddress {
            target: address.target.clone(),
            protocol: address.protocol,
            host: address.host.clone(),
            headers: more.cloned().collect(),
        };
        let mut remote = Remote::new(at, settings, route.clone(), place.interrupted);
        if let Some(login) = &app.login {
            remote.log_in(login).map_err(ExperimentError::of(variant))?;
        }
        let route = Route {
            headers: said.into_iter().collect(),
            ..route.clone()
        };
        let route = route.within(remote.session());
        Ok(Self {
            target: address.target,
            protocol: address.protocol,
            tls,
            host: address.host,
            cgi: Cgi::default(),
            route,
            by: By::Others(Box::new(remote)),
        })
    }

    /// Compares its answers with what counts as right, and returns that.
    ///
    /// # Errors
    /// The first answer that differs; a reference that cannot be had.
    pub(crate) fn verify<'r>(
        &mut self,
        references: &'r mut References,
        app: &App,
        variant: &Variant,
    ) -> Result<&'r Reference, ExperimentError> {
        let verified = match &mut self.by {
            By::Weir(running) => {
                let reference = references
                    .of(app, variant, running)
                    .map_err(ExperimentError::of(variant))?;
                running.verify(reference).map(|_| reference)
            }
            By::Others(remote) => references
                .elsewhere(app, variant, remote)
                .and_then(|reference| remote.verify(reference).map(|()| reference)),
        };
        verified.map_err(|error| match error {
            StackError::Fetch { request, problem } if variant.url.is_some() => {
                ExperimentError::Url {
                    variant: variant.name.clone(),
                    problem: format!("`{request}` failed: {problem}"),
                }
            }
            error => ExperimentError::of(variant)(error),
        })
    }

    /// What looks at these programs while they are loaded: those that weir runs, or as far as it runs here and may be seen the one
    /// that listens.
    pub(crate) fn watch(&self) -> Watch {
        match &self.by {
            By::Weir(running) => Watch::of_stack(running.guardians())
                .counting(running.counters(), stack::printed)
                .noting(running.noted()),
            By::Others(_) => Watch::of_server(observe::listening(&self.target)),
        }
    }

    /// What a profile is of: the programs that weir runs, or the one that listens.
    pub(crate) fn profiled(&self, place: &Place, app: &App) -> Subject {
        let servers = place.machine.catalogue().packages();
        match &self.by {
            By::Weir(running) => Subject {
                roots: running
                    .guardians()
                    .into_iter()
                    .map(|(pid, _)| pid)
                    .collect(),
                app: Some(app.dir.clone()),
                servers,
            },
            By::Others(_) => match observe::listening(&self.target) {
                Some(server) => Subject {
                    servers,
                    ..Subject::of_process(server.pid)
                },
                None => Subject {
                    roots: Vec::new(),
                    app: None,
                    servers,
                },
            },
        }
    }

    /// The main process of each program that weir runs, with the name of its entry.
    pub(crate) fn processes(&self) -> Vec<(u32, String)> {
        match &self.by {
            By::Weir(running) => running.processes(),
            By::Others(_) => Vec::new(),
        }
    }

    /// The processes of the app server that weir runs, for whoever is to strike them.
    pub(crate) fn exposed(&self) -> Option<Exposed<'_>> {
        match &self.by {
            By::Weir(running) => running.exposed(),
            By::Others(_) => None,
        }
    }

    /// Whether every program that weir runs still does.
    ///
    /// # Errors
    /// The first that ended.
    pub(crate) fn check_alive(&mut self) -> Result<(), StackError> {
        match &mut self.by {
            By::Weir(running) => running.check_alive(),
            By::Others(_) => Ok(()),
        }
    }

    /// Ends what weir runs, and returns what was served.
    ///
    /// # Errors
    /// A program that could not be ended.
    pub(crate) fn stop(self) -> Result<StackFacts, StackError> {
        match self.by {
            By::Weir(running) => running.stop(),
            By::Others(remote) => Ok(remote.facts()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_profile_needs_stands_behind_what_the_app_and_the_variant_set() {
        let mut load = Load::default();
        let mut app = App::default();
        let mut variant = Variant::default();
        assert!(matches!(profiled(&app, &variant, &load), Cow::Borrowed(_)));
        load.profile = Some(50.0);
        let (name, options) = profile::environment().pop_first().unwrap();
        let set = |app: &App, variant: &Variant| profiled(app, variant, &load).env[&name].clone();
        assert_eq!(set(&app, &variant), options);
        app.env.insert(name.clone(), "--app".to_owned());
        assert_eq!(set(&app, &variant), format!("--app {options}"));
        variant.env.insert(name.clone(), "--own".to_owned());
        assert_eq!(set(&app, &variant), format!("--own {options}"));
    }
}
