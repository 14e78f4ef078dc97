use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use load::{Body, Request, RequestSource as _, Status, What};

use super::Mix;

fn documented() -> Mix {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mix.toml");
    Mix::read(&path, &[("X-All".into(), "1".into())], 7).unwrap_or_else(|error| panic!("{error}"))
}

/// What one thread asks first, with the request's name.
fn asked(mix: &Mix, worker: usize, workers: usize, times: usize) -> Vec<(String, Request)> {
    let (names, prepared) = (mix.names(), mix.prepared());
    let mut stream = mix.stream(worker, workers, 4).unwrap();
    (0..times)
        .map(|_| {
            let asked = stream.begin(0, 0).unwrap();
            let request = match asked.what {
                What::Prepared(number) => prepared[number as usize].clone(),
                What::Request(request) => *request,
                What::Verbatim(_) => panic!("a mix writes no bytes"),
            };
            assert_eq!(asked.expected, asked.name);
            (names[asked.name as usize].clone(), request)
        })
        .collect()
}

#[test]
fn the_annotated_mix_is_a_mix() {
    let mix = documented();
    assert_eq!(mix.names(), ["front page", "older page", "sign", "report"]);
    let expected = mix.expected();
    assert_eq!(
        expected[0].body,
        Body::Contains(vec![b"Guestbook".to_vec()])
    );
    assert_eq!(expected[2].status, Status::Is(302));
    assert_eq!(expected[3].body, Body::Exact(b"no such page\n".to_vec()));
    assert_eq!(mix.prepared().len(), 1, "one needs no filling");
    assert_eq!(mix.prepared()[0].headers, [("X-All".into(), "1".into())]);
}

#[test]
fn requests_are_drawn_by_weight_and_filled_in() {
    let all = asked(&documented(), 0, 1, 4000);
    let mut counts = BTreeMap::new();
    for (name, request) in &all {
        *counts.entry(name.as_str()).or_insert(0) += 1;
        assert!(!request.path.contains("{{"), "{}", request.path);
        assert!(
            request.path.is_ascii() && !request.path.contains(' '),
            "{}",
            request.path
        );
    }
    // 4000 draws at 1/10 have a standard deviation of 19.
    assert!((1850..2150).contains(&counts["front page"]), "{counts:?}");
    assert!((310..490).contains(&counts["report"]), "{counts:?}");
    let of = |wanted| all.iter().filter(move |(name, _)| name == wanted);
    let words: BTreeSet<_> = of("older page")
        .map(|(_, request)| request.path.split_once("&q=").unwrap().1)
        .collect();
    assert_eq!(
        words,
        BTreeSet::from(["tea", "K%C3%A4se%20%26%20Brot", "42"])
    );
    let ids: BTreeSet<_> = of("older page")
        .map(|(_, request)| {
            request
                .headers
                .iter()
                .find(|(name, _)| name == "X-Request-Id")
        })
        .collect();
    assert_eq!(
        ids.len(),
        of("older page").count(),
        "each has an id of its own"
    );
}

#[test]
fn columns_of_a_row_stay_together() {
    let rows = [
        "name=Ann&message=Hello%20from%20the%20river",
        "name=Bo&message=Nice%20page%2C%20nice%20day",
        "name=%C3%87elik&message=She%20said%20%22hi%22",
    ];
    let all = asked(&documented(), 0, 1, 500);
    let bodies = all.iter().filter(|(name, _)| name == "sign");
    let bodies: BTreeSet<&str> = bodies
        .map(|(_, request)| std::str::from_utf8(&request.body).unwrap())
        .collect();
    assert_eq!(bodies, BTreeSet::from(rows));
    let report = &all.iter().find(|(name, _)| name == "report").unwrap().1;
    let body: serde_json::Value = serde_json::from_slice(&report.body).unwrap();
    assert!(body["says"].as_str().unwrap().len() > 5, "{body}");
}

#[test]
fn the_same_seed_asks_the_same_and_threads_differ() {
    let (mix, again) = (documented(), documented());
    assert_eq!(asked(&mix, 1, 2, 200), asked(&again, 1, 2, 200));
    assert_ne!(asked(&mix, 0, 2, 200), asked(&mix, 1, 2, 200));
}

/// The error of a file, with its hint, without the folder's name.
fn complaint(text: &str) -> String {
    let folder = testkit::temp_dir();
    let file: PathBuf = folder.path().join("mix.toml");
    fs::write(&file, text).unwrap();
    fs::write(folder.path().join("empty.csv"), "a,b\n").unwrap();
    fs::write(folder.path().join("two.csv"), "a,b\n1,\"x\ny\"\n").unwrap();
    fs::write(folder.path().join("ragged.csv"), "a,b\n1\n").unwrap();
    let error = Mix::read(&file, &[], 1).unwrap_err();
    let text = format!("{error} | {}", error.hint().unwrap_or_default());
    text.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "a table of mistakes and what is said of them"
)]
fn errors_name_file_line_key_and_remedy() {
    for (text, wanted) in [
        (
            "",
            "`mix.toml`: `request`: there is none | add a `[[request]]` table with a `path`",
        ),
        (
            "[[request]]\nname = \"a\"\npath = \"/{{ x }}\"",
            "`mix.toml`, line 3: `request `a`, path`: there is no source `x` | declare it in a table `[source.x]`",
        ),
        (
            "[[request]]\npath = \"x\"",
            "`mix.toml`, line 2: `request[0]: path`: it does not begin with `/` | write the path only, as in \
             `/items?page=2`; the address is `weir bench`'s own",
        ),
        (
            "[source.r]\nrange = [3, 1]\n[[request]]\npath = \"/\"",
            "`mix.toml`, line 1: `source.r`: the range ends at 1, before its start at 3 | write `range = [SMALLEST, LARGEST]`",
        ),
        (
            "[source.u]\ncsv = \"two.csv\"\n[[request]]\npath = \"/{{ u.c }}\"",
            "`mix.toml`, line 4: `request[0]: path`: `u` has no column `c` | its columns are `a`, `b`",
        ),
        (
            "[source.u]\ncsv = \"two.csv\"\n[[request]]\npath = \"/{{ u }}\"",
            "`mix.toml`, line 4: `request[0]: path`: `u` has several columns | say which, as in `{{ u.a }}`",
        ),
        (
            "[source.u]\ncsv = \"two.csv\"\n[[request]]\npath = \"/\"\nheaders = { X = \"{{ u.b }}\" }",
            "`mix.toml`, line 5: `request[0]: headers.X`: `x\\ny` has a line break or a control character | a header's \
             value is one line",
        ),
        (
            "[[request]]\npath = \"/\"\nheaders = { \"a b\" = \"c\" }",
            "`mix.toml`, line 3: `request[0]: headers`: `a b` is no header's name | it is letters, digits and dashes, as in \
             `X-Request-Id`",
        ),
        (
            "[source.u]\ncsv = \"empty.csv\"\n[[request]]\npath = \"/\"",
            "`mix.toml`, line 1: `source.u`: `empty.csv` has no row below its first line | its first line names the \
             columns, the others have the values",
        ),
        (
            "[[request]]\npath = \"/\"\nweight = 0",
            "`mix.toml`, line 3: `request[0]: weight`: `0` is no weight | how often it is asked, relative to the others: \
             a number above 0",
        ),
        (
            "[[request]]\npath = \"/\"\n[[request]]\npath = \"/\"",
            "`mix.toml`, line 3: `request[1]: name`: another request is called `GET /` too | give each request a name of \
             its own",
        ),
    ] {
        assert_eq!(complaint(text), wanted);
    }
    for (text, part) in [
        (
            "[source.r]\n[[request]]\npath = \"/\"",
            "not one of the kinds",
        ),
        (
            "[source.r]\nuuid = true\norder = \"random\"\n[[request]]\npath = \"/\"",
            "not one of the kinds",
        ),
        (
            "[source.u]\ncsv = \"ragged.csv\"\n[[request]]\npath = \"/\"",
            "ragged.csv",
        ),
        (
            "[source.u]\ncsv = \"none.csv\"\n[[request]]\npath = \"/\"",
            "cannot read `none.csv`",
        ),
        (
            "[[request]]\npath = \"/\"\nbody = \"a\"\nbody-file = \"b\"",
            "`body-file` is given as well",
        ),
        (
            "[[request]]\npath = \"/\"\nequals = \"a\"\ncontains = \"b\"",
            "`contains` is given as well",
        ),
        (
            "[[request]]\npath = \"/\"\nstatus = 100",
            "`100` is no status",
        ),
        (
            "[[request]]\npath = \"/\"\nmethod = \"get\"",
            "`get` is no method",
        ),
        (
            "[[request]]\npath = \"/\"\nwieght = 1",
            "unknown field `wieght`",
        ),
        (
            "[[request]]\npath = \"/\"\nbody = \"{{ x\"",
            "`{{ x` has no end",
        ),
    ] {
        let complaint = complaint(text);
        assert!(complaint.contains(part), "{complaint}");
    }
}
