use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use super::python;

/// A program of Python's that prints the port on which it serves, until it is dropped.
pub(crate) struct PythonServer {
    child: Child,
    /// `http://127.0.0.1:PORT/`
    pub(crate) url: String,
}

impl PythonServer {
    /// Starts it, and waits for its port.
    pub(crate) fn start(program: &str) -> Self {
        let mut python = Command::new(python());
        python.args(["-c", program]).stdout(Stdio::piped());
        let mut child = python.spawn().unwrap();
        let mut port = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut port).unwrap();
        let url = format!("http://127.0.0.1:{}/", port.trim());
        Self { child, url }
    }
}

impl Drop for PythonServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
