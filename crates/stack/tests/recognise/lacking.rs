//! What a Python app lacks: a module of its own, a place outside of its package, variables that a file has.

use std::path::PathBuf;

use super::Folder;
use super::python::APP;

#[test]
fn a_module_of_the_apps_own_package_that_is_not_there_is_named_by_its_file() {
    let package = |import: &str| {
        let files = [
            ("app/__init__.py", ""),
            ("app/db.py", ""),
            ("app/main.py", import),
            ("pyproject.toml", "[project]\nname = \"shop\"\n"),
        ];
        Folder::of(&files).refused().1
    };
    let hint = package("from .dbx import session\n");
    assert_eq!(hint, "there is no `app/dbx.py`: did you mean `db`?");
    let hint = package("import app.payments\n");
    assert_eq!(hint, "there is no `app/payments.py`: mend the import");
    let folder = Folder::of(&[("src/app/__init__.py", ""), ("src/app/main.py", "")]);
    let error = folder
        .run_by(&folder.python, Some("src/app/mian.py"))
        .unwrap_err();
    let hint = error.hint().unwrap();
    assert_eq!(hint, "there is no `src/app/mian.py`: did you mean `main`?");
}

#[test]
fn a_module_that_is_loaded_inside_its_package_is_to_be_loaded_from_outside() {
    let folder = Folder::of(&[
        ("shop/__init__.py", ""),
        ("shop/web/__init__.py", ""),
        ("shop/web/main.py", "from . import pages\n"),
    ]);
    let dir = folder.inside("shop/web");
    let inside = stack::Wish {
        dir: &dir,
        ..folder.wish()
    };
    let error = super::recognised(&inside).unwrap_err();
    let outside = folder.inside("").components().collect::<PathBuf>();
    let words = format!(
        "and is loaded from outside: `weir try {}`",
        outside.display()
    );
    let hint = error.hint().unwrap();
    assert!(hint.ends_with(&words), "{hint}");
}

#[test]
fn variables_that_are_in_a_file_alone_are_named_where_the_app_reads_them() {
    let reads = format!("import os\nURL = os.environ.get('SHOP_TEST_URL', 'sqlite')\n{APP}");
    let file = (
        ".env",
        "# SHOP_TEST_NO=1\nexport SHOP_TEST_URL=secret\nSHOP_TEST_KEY=secret\nPORT=80\n",
    );
    let clue = |files: &[(&str, &str)]| {
        let because = Folder::of(files).recognised().because;
        because.into_iter().find(|clue| clue.contains("`.env`"))
    };
    let told = clue(&[("app.py", &reads), file]).unwrap();
    assert_eq!(
        told,
        "`.env` has SHOP_TEST_URL, which the app reads and your environment has not; weir reads no such file: \
         `set -a; . ./.env; set +a`"
    );
    assert_eq!(clue(&[("app.py", APP), file]), None);
    let own = ("settings.py", "from dotenv import load_dotenv\n");
    assert_eq!(clue(&[("app.py", &reads), file, own]), None);
    let procfile = ("Procfile", "web: gunicorn app:app\n");
    assert!(clue(&[("app.py", &reads), file, procfile]).is_some());
}
