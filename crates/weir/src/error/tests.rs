use super::*;

#[test]
fn what_ran_out_here_is_not_the_targets_fault() {
    let unreachable = |cause| LoadError::Unreachable {
        target: "127.0.0.1:80".to_owned(),
        attempts: 1,
        cause,
        example: None,
    };
    let of = |error: LoadError| Error::from(error).exit();
    assert_eq!(of(unreachable(Cause::Exhausted)), Exit::Machine);
    assert_eq!(of(unreachable(Cause::Refused)), Exit::Target);
    let wrong = |cause| LoadError::NothingRight {
        target: "127.0.0.1:80".to_owned(),
        protocol: record::Protocol::Http1,
        requests: 1,
        beside: None,
        trouble: Trouble::Failed(cause),
        example: None,
    };
    assert_eq!(of(wrong(Cause::Exhausted)), Exit::Machine);
    assert_eq!(of(wrong(Cause::Status)), Exit::Target);
}

/// Whenever it is found: before the load, when a thread begins, or in each request.
#[test]
fn a_mistake_of_a_script_has_one_code() {
    let path = std::path::PathBuf::from("a.lua");
    let error = std::io::Error::from(std::io::ErrorKind::NotFound);
    let read = ScriptError::Read { path, error };
    let both = ScriptError::Both { other: "request" };
    let (attempts, why) = (1, "a.lua:1: no".to_owned());
    let called = "script";
    let begun = LoadError::RequestSource {
        called,
        why: why.clone(),
    };
    let why = Some(why);
    let asked = LoadError::NothingAsked {
        called,
        attempts,
        why,
    };
    let all: [Error; 4] = [read.into(), both.into(), begun.into(), asked.into()];
    for error in all {
        assert_eq!(error.exit(), Exit::File, "{error}");
    }
}

#[test]
fn a_comparison_without_figures_is_no_slip_of_the_users() {
    let nothing = CompareError::NothingCounts {
        of: "a".to_owned(),
        over: "b".to_owned(),
        because: String::new(),
        run: 1,
    };
    assert_eq!(Error::from(nothing).exit(), Exit::Invalid);
    let same = CompareError::Same {
        run: 1,
        variants: Vec::new(),
    };
    assert_eq!(Error::from(same).exit(), Exit::Usage);
}
