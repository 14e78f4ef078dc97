//! `docs/adding-a-server.md`, done as it says.

use crate::support::{APP, Place, repository};

/// The first block of TOML in the document.
fn entry() -> String {
    let page = std::fs::read_to_string(repository().join("docs/adding-a-server.md")).unwrap();
    let (_, rest) = page.split_once("```toml\n").unwrap();
    rest.split_once("\n```").unwrap().0.to_owned() + "\n"
}

#[test]
fn the_walk_through_works_as_it_is_written() {
    let place = Place::new();
    place.write("my-servers/wsgiref.toml", &entry());
    let said = place.run(&["catalogue", "check", "my-servers/wsgiref.toml"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(
        said.out
            .contains("wsgi http+tcp: 300 requests answered correctly"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("it confirms the defaults of backlog"),
        "{}",
        said.out
    );
    let said = place.run(&[
        "--catalogue",
        "my-servers",
        "catalogue",
        "explain",
        "wsgiref",
    ]);
    assert!(said.out.contains("backlog of wsgiref"), "{}", said.out);
    assert!(said.out.contains("sensible: 128 or more"), "{}", said.out);
    place.write("myproject.py", APP);
    let said = place.run(&[
        "--catalogue",
        "my-servers",
        "try",
        "myproject:app",
        "--quick",
        "-n",
        "400",
        "-c",
        "4",
        "--variants",
        "wsgiref,gunicorn-1",
    ]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(said.out.contains("wsgiref"), "{}", said.out);
}

#[test]
fn what_is_wrong_with_an_entry_is_said_with_its_place() {
    let place = Place::new();
    for (mistake, said) in [
        (
            "runs = [\"wsgi\"]\nruns_too = 1\n",
            "line 9: unknown field `runs_too`",
        ),
        ("runs = [\"wsgy\"]\n", "unknown variant `wsgy`"),
    ] {
        place.write(
            "wsgiref.toml",
            &entry().replace("runs = [\"wsgi\"]\n", mistake),
        );
        let answer = place.run(&["catalogue", "check", "wsgiref.toml"]);
        assert_eq!(answer.code, 5, "{}", answer.err);
        assert!(answer.err.contains(said), "{}", answer.err);
    }
    place.write("wsgiref.toml", &entry().replace("{{ knobs.backlog }}", "5"));
    let unused = place.run(&["catalogue", "check", "wsgiref.toml"]);
    assert!(
        unused.err.contains("`backlog` is used in no template"),
        "{}",
        unused.err
    );
    place.write(
        "wsgiref.toml",
        &entry().replace("serve_forever()", "serve_never()"),
    );
    let broken = place.run(&["catalogue", "check", "wsgiref.toml"]);
    assert_eq!(broken.code, 5, "{}{}", broken.out, broken.err);
    assert!(
        broken.out.contains("serve_never"),
        "the server's last words: {}",
        broken.out
    );
}
