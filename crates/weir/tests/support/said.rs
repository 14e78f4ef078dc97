//! What an invocation of weir printed, and how it ended.

use std::process::Command;

use serde_json::Value;

use super::{load_of, schema};

/// What an invocation of weir left.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a command to its end.
pub(crate) fn said(mut command: Command) -> Said {
    let output = command.output().unwrap();
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Said {
    /// What it printed, as JSON that the schema knows.
    pub(crate) fn json(&self) -> Value {
        let value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.out, self.err));
        schema::assert_known(&value);
        value
    }

    /// The one load that it printed, as [`super::loads_of`] has it.
    pub(crate) fn load(&self) -> Value {
        load_of(&self.json())
    }

    /// It ended with this code, and one error says each of these, with a next step.
    pub(crate) fn fails(&self, code: i32, words: &[&str]) {
        assert_eq!(
            self.code, code,
            "exit code\nstdout: {}\nstderr: {}",
            self.out, self.err
        );
        let errors = self
            .err
            .lines()
            .filter(|line| line.starts_with("error: "))
            .count();
        assert_eq!(errors, 1, "one clear error: {}", self.err);
        for word in words {
            assert!(
                self.err.contains(word),
                "`{word}` is missing in: {}",
                self.err
            );
        }
        assert!(
            self.err.contains("\nhint: "),
            "no next step in: {}",
            self.err
        );
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }

    /// It ended with this code, and said why.
    pub(crate) fn fails_with(&self, code: i32) {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
    }

    /// It measured to its end. 4 as well: on a busy machine so short a load may not be trusted, which
    /// is right, and not what the test is about.
    pub(crate) fn measured(&self) -> &Self {
        let Self { code, err, .. } = self;
        assert!([0, 4].contains(code), "{code}\nstderr: {err}");
        self
    }

    /// A threshold was crossed. 4 as well, but only where it says that CPU time went to other guests, which no test can help:
    /// a figure that is doubted for it decides nothing.
    pub(crate) fn crosses(&self) {
        let Self { code, out, err, .. } = self;
        let lines: Vec<_> = out.split_whitespace().collect();
        let stolen = *code == 4 && lines.join(" ").contains("went to other guests");
        assert!(*code == 3 || stolen, "{code}\n{out}\n{err}");
    }

    pub(crate) fn succeeds(&self) -> &Self {
        assert_eq!(self.code, 0, "stderr: {}\nstdout: {}", self.err, self.out);
        self
    }
}
