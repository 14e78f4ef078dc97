//! Which runtime a process is of, by the files that it has mapped.

use procfs::process::{MMapPath, Process};

use crate::runtime::{JAVA, NODE, PHP, PYTHON, RUBY};

/// The runtime of a process; `None` where it is of none that is known by its files, has ended, or may not be looked at. Takes
/// about a millisecond.
pub fn runtime_of(pid: u32) -> Option<record::Runtime> {
    let process = Process::new(pid.cast_signed()).ok()?;
    let maps = process.maps().ok()?;
    let names = maps.0.iter().filter_map(|map| match &map.pathname {
        MMapPath::Path(path) => Some(path.file_name()?.to_string_lossy()),
        _ => None,
    });
    recognised(&names.collect::<Vec<_>>())
}

/// The runtime of a process that has mapped files of these names.
fn recognised<Name: AsRef<str>>(mapped: &[Name]) -> Option<record::Runtime> {
    let known = [
        ("python", &*PYTHON),
        ("ruby", &*RUBY),
        ("java", &*JAVA),
        ("node", &*NODE),
        ("php", &*PHP),
    ];
    let any = |is: &dyn Fn(&str) -> bool| mapped.iter().any(|name| is(name.as_ref()));
    let mut known = known.into_iter();
    let (name, runtime) = known.find(|(_, of)| any(&|name| of.is_mapped_as(name)))?;
    let locked = runtime.one_thread.as_ref();
    let locked = locked.filter(|of| any(&|name| of.mapped.is_match(name)));
    Some(record::Runtime {
        name: name.to_owned(),
        one_thread: locked.map(|of| of.who.clone()),
    })
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn files_tell_the_runtime_and_whether_it_has_a_lock() {
        let of = |names: &[&str]| {
            let runtime = recognised(names)?;
            Some((runtime.name, runtime.one_thread.is_some()))
        };
        for (file, name, locked) in [
            ("python3.11", "python", true),
            ("python", "python", true),
            ("libpython3.12.so.1.0", "python", true),
            ("python3.14t", "python", false),
            ("libpython3.14t.so.1.0", "python", false),
            ("ruby3.1", "ruby", true),
            ("libruby-3.1.so.3.1.2", "ruby", true),
            ("libjvm.so", "java", false),
            ("node", "node", false),
            ("php-fpm8.2", "php", true),
            ("libphp8.2.so", "php", true),
        ] {
            let found = of(&["libc.so.6", file, "locale-archive"]);
            assert_eq!(found, Some((name.to_owned(), locked)), "{file}");
        }
        // a server that has loaded an interpreter
        let loaded = of(&["served", "libc.so.6", "libpython3.11.so.1.0"]);
        assert_eq!(loaded, Some(("python".to_owned(), true)));
        assert_eq!(of(&["served", "libc.so.6"]), None);
    }

    #[test]
    fn a_process_is_recognised_while_it_runs() {
        let mut python = Command::new("python3")
            .args(["-c", "import sys; print(flush=True); sys.stdin.read()"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(python.stdout.take().unwrap()).lines();
        assert_eq!(said.next().unwrap().unwrap(), "");
        let runtime = runtime_of(python.id()).unwrap();
        drop(python.stdin.take());
        python.wait().unwrap();
        assert_eq!(runtime.name, "python");
        assert_eq!(runtime_of(python.id()), None, "it has ended");
        assert_eq!(runtime_of(std::process::id()), None);
    }
}
