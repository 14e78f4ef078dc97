//! The first look at an app under load: what a response costs when as many are wanted at once as in the trials.

use load::{Body, Cgi, Expected, Job, Status};
use observe::Watch;
use record::{Amount, App, Load, Plan, Route, Variant, WarmUpPlan};
use stack::{HOST, Running, StackError};

use crate::observed::observed;
use crate::requests::{self, requests_write};
use crate::run::lab::{Lab, News};

/// Seconds of the look: enough for this many rounds of responses, within these bounds.
const ROUNDS: f64 = 3.0;
const LEAST: f64 = 0.5;
const MOST: f64 = 5.0;
/// Times as long as alone that a response takes of a server that is not ready for many.
const SLOW: f64 = 3.0;

/// What a response cost under load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// Seconds from one response to the next.
    pub(crate) each: f64,
    /// Seconds of CPU time of the programs.
    pub(crate) cpu: f64,
    /// Seconds that the longest response took.
    pub(crate) longest: f64,
}

/// How a variant is to be looked at: as it will be loaded, where that counts requests, so that nothing but their cost
/// says how long it takes. A route that writes is not, unless something brings the app's data back before each start.
pub(crate) fn wanted<'a>(
    plan: &'a Plan,
    variant: &'a Variant,
    app: &App,
    route: &Route,
) -> Option<&'a Load> {
    let load = plan.load_of(variant);
    let counted = matches!(load.amount, Amount::Requests(_))
        || matches!(load.warm_up, WarmUpPlan::Requests(requests) if requests > 0);
    let writes = route.method.writes() || requests_write(load);
    let harmless = !writes || !app.prepare.is_empty();
    let closed = !load.shape.is_open() && load.page.is_none();
    (counted && harmless && closed).then_some(load)
}

/// Loads a server that answers alone in so many seconds; none where nothing was answered, which the trials will say. One that answers
/// far less than a single connection had of it is loaded once more, as some of its workers may still start; the better of both.
///
/// # Errors
/// The user interrupts.
pub(crate) fn settled(
    lab: &Lab,
    running: &Running,
    route: &Route,
    load: &Load,
    answer: f64,
    news: &mut dyn FnMut(&News),
) -> Result<Option<Cost>, StackError> {
    let first = cost(lab, running, route, load, answer, news)?;
    let Some(slow) = first.filter(|of| of.each > SLOW * answer) else {
        return Ok(first);
    };
    let again = cost(lab, running, route, load, answer, news)?;
    Ok(again.filter(|of| of.each < slow.each).or(first))
}

/// Loads it once.
fn cost(
    lab: &Lab,
    running: &Running,
    route: &Route,
    load: &Load,
    answer: f64,
    news: &mut dyn FnMut(&News),
) -> Result<Option<Cost>, StackError> {
    let route = route.clone().within(running.session());
    let seconds = (ROUNDS * answer).clamp(LEAST, MOST);
    let expected = Expected::new(Status::Is(route.status), Body::Any);
    let secure = running.tls().is_some();
    let Ok(traffic) = requests::traffic(&route, (HOST, secure), expected, load, 0) else {
        return Ok(None);
    };
    let job = Job {
        may_break: true,
        cores: lab.place.machine.cores(),
        busy_wait: false,
        target: running.address().clone(),
        protocol: running.protocol(),
        host: HOST.to_owned(),
        cgi: Cgi {
            params: running.params().to_vec(),
            ..Cgi::default()
        },
        traffic,
        load: Load {
            amount: Amount::Seconds(seconds),
            warm_up: WarmUpPlan::None,
            drain: Some(0.0),
            tls: running.tls(),
            ..load.clone()
        },
    };
    let watch = Watch::of_stack(running.guardians());
    let mut tell = |event| news(&News::Load(event));
    let loaded = observed(&job, (watch, None), lab.place.interrupted, None, &mut tell);
    if lab.place.is_interrupted() {
        return Err(StackError::Interrupted);
    }
    let Ok((facts, seen)) = loaded else {
        return Ok(None);
    };
    let rate = facts.throughput();
    let own = std::process::id();
    let programs = seen.processes.iter().filter(|of| of.pid != own);
    let cpu: f64 = programs.map(|of| of.cpu_user + of.cpu_system).sum();
    Ok((rate > 0.0).then(|| Cost {
        each: 1.0 / rate,
        cpu: cpu / facts.completed.max(1) as f64,
        longest: facts.response.max().unwrap_or(0.0),
    }))
}
