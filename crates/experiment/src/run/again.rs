//! Which trials are taken again: those with a transient doubt, and those that were lost. No clock in here.

use load::LoadError;
use record::{Choice, NotTried, Plan, Variant};
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

/// The variants of a plan that would end as this one's app server did when it was started alone: all that run the same program,
/// where that has a port of its own, and this one where it is nothing but a server that did not get ready. None where another
/// start may end otherwise, or ends at once.
pub(crate) fn hopeless<'a>(
    plan: &'a Plan,
    variant: &'a Variant,
    error: &StackError,
) -> Vec<&'a Variant> {
    match error {
        StackError::Elsewhere { .. } => {
            let all = plan.variants.iter();
            all.filter(|of| run_the_same(plan, of, variant)).collect()
        }
        StackError::NotReady { .. } if variant.fronts.is_empty() => vec![variant],
        _ => Vec::new(),
    }
}

fn run_the_same(plan: &Plan, one: &Variant, other: &Variant) -> bool {
    let servers = one.server.as_ref().zip(other.server.as_ref());
    let command = |of: &Choice| (of.entry.clone(), of.knobs.clone());
    let same = servers.is_some_and(|(one, other)| command(one) == command(other));
    same && one.env == other.env && plan.app_of(one) == plan.app_of(other)
}

/// The same as what a plan is left without, in words; none where there are none.
pub(crate) fn left_out(plan: &Plan, variant: &Variant, error: &StackError) -> Option<NotTried> {
    let names = hopeless(plan, variant, error).into_iter();
    let names: Vec<String> = names.map(|of| of.name.clone()).collect();
    (!names.is_empty()).then(|| NotTried {
        names,
        why: error.to_string(),
        how: error.hint(),
    })
}

#[cfg(test)]
mod tests {
    use record::Knob;

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
            hint: None,
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

    /// Each start of them costs ten seconds, or all that there are to get ready.
    #[test]
    fn what_a_server_did_alone_is_known_of_all_that_run_it() {
        let of = |name: &str, command: &str, front: Option<&str>| {
            let knobs = [("command".to_owned(), Knob::Text(command.to_owned()))];
            Variant {
                name: name.to_owned(),
                server: Some(Choice::of("command").with(knobs.into())),
                fronts: front.map(Choice::of).into_iter().collect(),
                ..Variant::default()
            }
        };
        let plan = Plan {
            variants: vec![
                of("today", "serve", None),
                of("other", "serve -p $PORT", None),
                of("fronted", "serve", Some("a-front")),
            ],
            ..Plan::default()
        };
        let names = |at: usize, error: &StackError| {
            left_out(&plan, &plan.variants[at], error).map(|of| of.names)
        };
        let elsewhere = StackError::Elsewhere {
            entry: "command".into(),
            at: "0.0.0.0:8000".into(),
            given: "127.0.0.1:41000".into(),
            log_tail: Vec::new(),
        };
        let both = Some(vec!["today".to_owned(), "fronted".to_owned()]);
        assert_eq!(names(0, &elsewhere), both);
        assert_eq!(names(2, &elsewhere), both);
        let told = left_out(&plan, &plan.variants[0], &elsewhere).unwrap();
        assert!(told.why.contains("listens at 0.0.0.0:8000"), "{}", told.why);
        assert!(told.how.unwrap().contains("$PORT"));
        let late = StackError::NotReady {
            entry: "command".into(),
            seconds: 30,
            last: "connection refused".into(),
            log_tail: Vec::new(),
        };
        assert_eq!(names(0, &late), Some(vec!["today".to_owned()]));
        assert_eq!(names(2, &late), None, "it may speak another protocol there");
        assert_eq!(names(0, &StackError::Interrupted), None);
    }
}
