//! Files are made new: nothing is written through a link that lies where one is to be.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::claims_whole::{claims, folder};
use crate::support::Place;
use testkit::{ScriptedPeer, Step, answer};

struct Shared {
    place: Place,
    victim: PathBuf,
    peer: ScriptedPeer,
}

impl Shared {
    fn new() -> Self {
        let place = Place::new();
        let victim = place.write("victim", "mine");
        let peer = ScriptedPeer::tcp(|_| Step::serve(answer(200, &[], "hello")));
        Self {
            place,
            victim,
            peer,
        }
    }

    /// A load with these options fails for the link, and leaves what it leads to.
    fn refused(&self, code: i32, args: &[&str]) {
        let url = format!("http://{}/", self.peer.address());
        let said = self.place.run(&[args, &[url.as_str()]].concat());
        said.fails(code, &["is a link"]);
        assert_eq!(fs::read_to_string(&self.victim).unwrap(), "mine");
    }
}

#[test]
fn a_bench_writes_through_no_link() {
    let shared = Shared::new();
    let bench = ["bench", "-c", "1", "-n", "2", "--warm-up", "0s"];
    for name in ["run.json", "intervals.ndjson", "report.html", "times.hdr"] {
        let folder = shared.place.path("results");
        fs::create_dir_all(&folder).unwrap();
        symlink(&shared.victim, folder.join(name)).unwrap();
        shared.refused(2, &[&bench[..], &["--out", "results"]].concat());
        fs::remove_dir_all(&folder).unwrap();
    }
    symlink(&shared.victim, shared.place.path("own.hdr")).unwrap();
    shared.refused(2, &[&bench[..], &["--hdr", "own.hdr"]].concat());
    symlink(&shared.victim, shared.place.path("own.live")).unwrap();
    shared.refused(2, &[&bench[..], &["--live", "own.live"]].concat());
    symlink(&shared.victim, shared.place.path("own.csv")).unwrap();
    shared.refused(22, &["ab", "-n", "2", "-e", "own.csv"]);
}

#[test]
fn a_run_writes_its_report_through_no_link() {
    let shared = Shared::new();
    let place = &shared.place;
    place.app("def app(environ, start):\n    start('200 OK', [('Content-Length', '2')])\n    return [b'ok']\n");
    let plan = place.plan("[[variant]]\nname = \"one\"\nroute = \"/\"\nserver = \"gunicorn\"\n");
    fs::create_dir_all(place.path("weir.reports/run-1")).unwrap();
    for name in ["report.html", "run.json"] {
        let link = place.path("weir.reports/run-1").join(name);
        symlink(&shared.victim, &link).unwrap();
        let args: &[&str] = match name {
            "report.html" => &["run", plan.to_str().unwrap()],
            _ => &["report", "1"],
        };
        place.run(args).fails(10, &["is a link", "in the store"]);
        assert_eq!(fs::read_to_string(&shared.victim).unwrap(), "mine");
        fs::remove_file(&link).unwrap();
    }
    place.run(&["report", "1"]).succeeds();
}

#[test]
fn pages_of_claims_are_written_through_no_link() {
    let place = folder();
    let victim = place.write("victim", "mine");
    for name in ["index.html", "A1.html"] {
        fs::create_dir(place.path("pages")).unwrap();
        symlink(&victim, place.path("pages").join(name)).unwrap();
        let said = claims(&place, &["--stored", "--out", "pages"]);
        said.fails(10, &[name, "is a link"]);
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
        fs::remove_dir_all(place.path("pages")).unwrap();
    }
    claims(&place, &["--stored", "--out", "pages"]).succeeds();
}

#[test]
fn what_was_there_is_replaced_whole() {
    let shared = Shared::new();
    let url = format!("http://{}/", shared.peer.address());
    shared.place.write("results/run.json", "an older one");
    let out = ["--out", "results"];
    let bench = ["bench", &url, "-c", "1", "-n", "2", "--warm-up", "0s"];
    let said = shared.place.run(&[&bench[..], &out].concat());
    said.measured();
    let text = fs::read_to_string(shared.place.path("results/run.json")).unwrap();
    assert!(text.starts_with('{'), "{text}");
    let names = fs::read_dir(shared.place.path("results")).unwrap();
    assert_eq!(names.count(), 4, "nothing beside them is left");
}
