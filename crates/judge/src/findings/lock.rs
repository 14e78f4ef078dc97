//! Processes that run one thread of their language at a time, however many they have.

use record::{Interface, ProcessCost};

use super::facts::Facts;

impl Facts<'_> {
    /// Who runs one thread at a time, in words, where this process does: as its runtime was recognised. Where nobody looked at
    /// the program's processes, what the app needs tells what its server runs.
    pub(super) fn lock<'p>(&self, process: &'p ProcessCost) -> Option<&'p str> {
        if let Some(runtime) = &process.runtime {
            return runtime.one_thread.as_deref();
        }
        let all = self.measured.processes.iter();
        let mut own = all.filter(|of| of.owner == process.owner);
        let server = self.app_server();
        let is_app = server.is_some_and(|server| server.entry == process.owner);
        if !is_app || own.any(|of| of.runtime.is_some()) {
            return None;
        }
        match self.app.interface {
            Interface::Wsgi | Interface::Asgi => {
                Some("a Python process, unless it is built without its lock,")
            }
            Interface::Rack => Some("a process of CRuby"),
            _ => None,
        }
    }

    /// The same as a remark behind what is said of the process; empty where it has no such lock, or that is not known.
    pub(super) fn lock_in_words(&self, process: &ProcessCost) -> String {
        let lock = self.lock(process);
        lock.map_or_else(String::new, |who| {
            format!(" ({who} runs one thread at a time)")
        })
    }
}
