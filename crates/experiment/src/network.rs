//! Where trials take place: in the machine's network, or each in one of its own.

use std::path::{Path, PathBuf};

use kernel::{OwnNetwork, Packets};
use record::{Measured, Network, Plan, Run, Variant};
use stack::StackError;

use crate::capture::Capture;
use crate::error::ExperimentError;
use crate::plan::error::PlanError;
use crate::run::lab::News;
use crate::run::progress::Again;

/// Puts this thread, and what it starts from now on, into a network of its own until this is dropped, if the plan wants
/// that.
///
/// # Errors
/// The system's, where the plan wants nothing else.
pub(crate) fn of(plan: &Plan) -> Result<Option<OwnNetwork>, StackError> {
    let entered = match plan.network {
        Network::Machine => return Ok(None),
        Network::OwnIfAllowed => return Ok(OwnNetwork::enter().ok()),
        Network::Own => OwnNetwork::enter(),
    };
    entered.map(Some).map_err(|error| StackError::System {
        doing: "making a network for a trial".to_owned(),
        error,
    })
}

/// Where trials take place, of a plan that leaves that to what weir may do.
pub(crate) fn told(plan: &Plan) -> Option<News> {
    let open = plan.network == Network::OwnIfAllowed;
    open.then(|| News::Network {
        refused: OwnNetwork::enter().err().map(|reason| reason.to_string()),
    })
}

/// Carries out a trial where the plan wants it: nothing of it is started before, and nothing of it is left after. What
/// its network carries meanwhile is captured if the plan wants that.
///
/// # Errors
/// The trial's, and the system's.
pub(crate) fn within(
    run: &Run,
    what: &Again,
    variant: &Variant,
    trial: impl FnOnce() -> Result<Measured, ExperimentError>,
) -> Result<Measured, ExperimentError> {
    let network = of(&run.plan).map_err(ExperimentError::of(variant))?;
    let file = run.plan.capture.as_deref().map(|to| file(to, run, what));
    let uncaptured = |error| {
        let file = file.as_deref().unwrap_or(Path::new("")).display();
        let doing = format!("capturing packets into `{file}`");
        ExperimentError::of(variant)(StackError::System { doing, error })
    };
    let capture = file.as_deref().map(Capture::start).transpose();
    let capture = capture.map_err(uncaptured)?;
    let mut measured = trial()?;
    let captured = capture.map(Capture::finish).transpose();
    measured.observed.capture = captured.map_err(uncaptured)?;
    if let Some(counts) = &mut measured.load.network {
        counts.own = network.is_some();
    }
    Ok(measured)
}

/// The file for a trial's packets, in this folder. The names of variants have what they like in them.
fn file(folder: &str, run: &Run, what: &Again) -> PathBuf {
    let (run, block, position) = (run.id, what.block + 1, what.position + 1);
    let again = match what.attempt {
        0 => String::new(),
        more => format!("-again-{more}"),
    };
    let variant = what.slot.variant.replace('/', "_");
    Path::new(folder).join(format!("{run}-{block}-{position}-{variant}{again}.pcap"))
}

/// Whether trials can take place where the plan wants them: one is entered and left again.
///
/// # Errors
/// weir may not make networks, or capture in them where that is wanted; a server of the plan is outside.
pub(crate) fn check(plan: &Plan) -> Result<(), PlanError> {
    if plan.network == Network::Machine {
        return Ok(());
    }
    if let Some(outside) = plan.variants.iter().find(|variant| variant.url.is_some()) {
        return Err(PlanError::Outside {
            variant: outside.name.clone(),
        });
    }
    if plan.network == Network::OwnIfAllowed {
        return Ok(());
    }
    let entered = OwnNetwork::enter();
    let _network = entered.map_err(|reason| PlanError::Network { reason })?;
    if let Some(folder) = &plan.capture {
        let made = std::fs::create_dir_all(folder);
        made.and_then(|()| Packets::open(1)).map_err(|reason| {
            let folder = folder.clone();
            PlanError::Capture { folder, reason }
        })?;
    }
    Ok(())
}
