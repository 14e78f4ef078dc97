//! Folders whose names are no text, or mean something to a configuration, where weir is told to work.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use crate::support::{Place, said};

const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const VARIANT: &str = "[[variant]]\nname = \"one\"\nfront = \"nginx\"\n\
                     server = { entry = \"gunicorn\", link = \"unix\" }\n";

fn not_text() -> OsString {
    OsString::from_vec(b"no\xff\xfetext".to_vec())
}

/// An app in a folder whose name is no text.
fn app_in(place: &Place) -> PathBuf {
    let folder = place.path("").join(not_text());
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("mine.py"), APP).unwrap();
    folder
}

#[test]
fn an_app_in_a_folder_that_is_no_text_is_refused_by_name() {
    let place = Place::new();
    let folder = app_in(&place);
    for args in [
        &["try"][..],
        &["try", "mine:app"],
        &["try", "--command", "true $PORT"],
    ] {
        let mut weir = place.weir(args);
        weir.current_dir(&folder);
        said(weir).fails(5, &["text` cannot run yet: its path is not UTF-8"]);
    }
    fs::write(
        folder.join("app.toml"),
        "name = \"mine\"\ninterface = \"wsgi\"\nentry = \"mine:app\"\n[[routes]]\npath = \"/\"\n",
    )
    .unwrap();
    fs::write(
        folder.join("plan.toml"),
        format!("app = \".\"\nblocks = 1\n{VARIANT}"),
    )
    .unwrap();
    let mut weir = place.weir(&["run", "plan.toml"]);
    weir.current_dir(&folder);
    said(weir).fails(5, &["its path is not UTF-8"]);
    place.assert_clean();
}

/// Where weir is called from is not where it works.
#[test]
fn weir_may_be_called_from_a_folder_that_is_no_text() {
    let place = Place::new();
    place.app(APP);
    let plan = place.plan(VARIANT);
    let folder = app_in(&place);
    let mut weir = place.weir(&["run", plan.to_str().unwrap()]);
    weir.current_dir(&folder);
    let said = said(weir);
    said.measured();
    place.assert_clean();
}

#[test]
fn odd_folders_of_temporary_files_are_not_used_where_a_configuration_names_them() {
    for name in ["with space", "a\"quote", "new\nline", "$uri", "semi;colon"]
        .map(OsString::from)
        .into_iter()
        .chain([not_text()])
    {
        let place = Place::new();
        place.app(APP);
        place.plan(VARIANT);
        let odd = place.path("tmp").join(&name);
        fs::create_dir(&odd).unwrap();
        let mut weir = place.weir(&["run", "plan.toml"]);
        weir.env("TMPDIR", &odd);
        let said = said(weir);
        said.measured();
        fs::remove_dir(&odd).expect("nothing is left in it");
        place.assert_clean();
    }
}
