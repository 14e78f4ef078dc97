use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

/// How a guardian is started.
#[derive(Clone, Debug)]
pub struct GuardCommand {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments; the process must call [`crate::process::guardian::main`].
    pub args: Vec<String>,
}

impl Default for GuardCommand {
    /// This executable again, as `weir guard`, whatever has become of its file since.
    fn default() -> Self {
        Self {
            program: "/proc/self/exe".into(),
            args: vec!["guard".to_owned()],
        }
    }
}

impl GuardCommand {
    /// weir again as a process of another name, so that what ends weir by its name leaves it to do its work.
    pub(crate) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg0(name).args(&self.args).current_dir("/");
        command
    }
}
