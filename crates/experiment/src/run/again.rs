//! Which trials are taken again: those with a transient doubt, and those that were lost. No clock in here.

use load::LoadError;
use stack::StackError;

use crate::error::ExperimentError;

/// How often a trial is taken again at most. What goes wrong three times in a row is not transient.
pub(crate) const AGAIN: u32 = 2;

/// Whether a lost trial may come out otherwise if it is taken again. What this machine refused weir may, always;
/// what the variant's own programs did not do, they may do where they have `served` in this run. What is wrong
/// with a plan, an entry or an answer stays wrong.
pub(crate) fn may_pass(error: &ExperimentError, served: bool) -> bool {
    match error {
        ExperimentError::Variant { error, .. } => match **error {
            StackError::AddressInUse { .. }
            | StackError::Stranger { .. }
            | StackError::Guardian { .. }
            | StackError::System { .. } => true,
            StackError::Prepare { .. }
            | StackError::Exited { .. }
            | StackError::Died { .. }
            | StackError::WrongAnswer { .. }
            | StackError::NotReady { .. }
            | StackError::Fetch { .. } => served,
            _ => false,
        },
        ExperimentError::Load { error, .. } => match **error {
            LoadError::Setup(_) => true,
            LoadError::Unreachable { .. } | LoadError::NothingRight { .. } => served,
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(error: StackError) -> ExperimentError {
        ExperimentError::Variant {
            variant: "a".into(),
            error: Box::new(error),
        }
    }

    #[test]
    fn what_the_machine_refused_passes_and_what_is_wrong_stays() {
        let taken = variant(StackError::AddressInUse {
            entry: "gunicorn".into(),
            address: "127.0.0.1:8000".into(),
            attempts: 5,
            log_tail: Vec::new(),
        });
        assert!(may_pass(&taken, false) && may_pass(&taken, true));
        let differs = variant(StackError::Differs {
            request: "GET /".into(),
            problem: "another body".into(),
            context: Vec::new(),
            dynamic: Vec::new(),
        });
        assert!(!may_pass(&differs, false) && !may_pass(&differs, true));
    }

    /// A server that never came up says so at once, instead of three ready time-outs later.
    #[test]
    fn a_server_that_came_up_before_is_given_another_chance() {
        let late = variant(StackError::NotReady {
            entry: "gunicorn".into(),
            seconds: 30,
            last: "connection refused".into(),
            log_tail: Vec::new(),
        });
        assert!(!may_pass(&late, false) && may_pass(&late, true));
    }
}
