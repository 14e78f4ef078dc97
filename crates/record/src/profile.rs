use serde::{Deserialize, Serialize};

/// What a sampling profiler saw of the programs under a load, over its window. A sample is one look at one thread.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ProfileFacts {
    /// Looks at each thread that were asked for, per second.
    pub rate: f64,
    /// Processes of which samples were taken.
    pub processes: u32,
    /// Samples by what the thread did and whose code that was.
    pub counts: Vec<ProfileCount>,
    /// Looks at a process that gave no stack: it was changing while it was read.
    pub errors: u64,
    /// Looks that came later than a whole period after they were due; what they missed was not made up for.
    pub late: u64,
    /// CPU seconds that the profiler itself took.
    pub cpu: f64,
    /// Why there are no samples, or none of some process; text of others in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Samples of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ProfileCount {
    /// What the thread did.
    pub doing: Doing,
    /// On whose behalf: the innermost function of the app, a framework or a server on the stack; without one, that of
    /// `own`.
    pub class: CodeClass,
    /// Whose code the innermost function is.
    pub own: CodeClass,
    /// How many.
    pub samples: u64,
}

/// What a thread does.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// It runs.
    OnCpu,
    /// It could run if a processor were free.
    WaitsForCore,
    /// It could run if another thread released the interpreter lock.
    WaitsForLock,
    /// It waits for a socket: a request, a response, a store.
    WaitsForSocket,
    /// It waits for another thread: a lock, a queue.
    WaitsForThread,
    /// It waits for a file.
    WaitsForFile,
    /// It waits for a child process to end.
    WaitsForChild,
    /// It waits for a time to pass.
    Sleeps,
    /// It waits for something else.
    Waits,
    /// It waits for work: for a socket, another thread or something else, and it never ran in the window.
    Idle,
}

impl Doing {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::OnCpu,
        Self::WaitsForCore,
        Self::WaitsForLock,
        Self::WaitsForSocket,
        Self::WaitsForThread,
        Self::WaitsForFile,
        Self::WaitsForChild,
        Self::Sleeps,
        Self::Waits,
        Self::Idle,
    ];

    /// Whether it has something to compute, and a processor or the interpreter lock is what it lacks.
    pub fn has_work(self) -> bool {
        matches!(self, Self::OnCpu | Self::WaitsForCore | Self::WaitsForLock)
    }

    /// In running text.
    pub fn words(self) -> &'static str {
        match self {
            Self::OnCpu => "on CPU",
            Self::WaitsForCore => "waits for a core",
            Self::WaitsForLock => "waits for the interpreter lock",
            Self::WaitsForSocket => "waits for a socket",
            Self::WaitsForThread => "waits for another thread",
            Self::WaitsForFile => "waits for a file",
            Self::WaitsForChild => "waits for a child process",
            Self::Sleeps => "sleeps",
            Self::Waits => "waits for something else",
            Self::Idle => "idle",
        }
    }
}

/// Whose code a function is, by where its file lies.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum CodeClass {
    /// In the app's folder.
    App,
    /// In a package of a framework.
    Framework,
    /// In a package of an app server.
    Server,
    /// Anywhere else.
    Library,
    /// The language's own: its standard library, and what has no file.
    Runtime,
}

impl CodeClass {
    /// All of them, from the app outwards.
    pub const ALL: [Self; 5] = [
        Self::App,
        Self::Framework,
        Self::Server,
        Self::Library,
        Self::Runtime,
    ];

    /// In running text, and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Framework => "framework",
            Self::Server => "server",
            Self::Library => "library",
            Self::Runtime => "runtime",
        }
    }

    /// Whether code of others works on its behalf.
    pub fn is_caller(self) -> bool {
        matches!(self, Self::App | Self::Framework | Self::Server)
    }

    /// On whose behalf a stack works, and whose its innermost function is: of the classes of its functions, from the innermost
    /// outwards.
    ///
    /// What the app calls, works for the app: the standard library, other libraries, the interpreter itself. So the first
    /// function of the app, a framework or a server counts, and the callee where none is on the stack.
    pub fn of_stack(mut classes: impl Iterator<Item = Self>) -> (Self, Self) {
        let own = classes.next().unwrap_or(Self::Runtime);
        if own.is_caller() {
            return (own, own);
        }
        let caller = classes.find(|class| class.is_caller());
        (caller.unwrap_or(own), own)
    }
}

impl ProfileFacts {
    /// All samples of one kind.
    pub fn samples(&self, of: impl Fn(&ProfileCount) -> bool) -> u64 {
        let counts = self.counts.iter().filter(|count| of(count));
        counts.map(|count| count.samples).sum()
    }

    /// Samples of threads that ran.
    pub fn on_cpu(&self) -> u64 {
        self.samples(|count| count.doing == Doing::OnCpu)
    }

    /// Share of the samples on CPU that worked on behalf of this class, 0 to 1; `None` without such samples.
    pub fn share_of(&self, class: CodeClass) -> Option<f64> {
        let own = self.samples(|count| count.doing == Doing::OnCpu && count.class == class);
        share(own, self.on_cpu())
    }

    /// Share of the time in which threads had something to compute that they waited for the interpreter lock, 0 to
    /// 1; `None` where none had. Threads that wait for requests are no part of it, however many there are.
    pub fn lock_wait(&self) -> Option<f64> {
        let waits = self.samples(|count| count.doing == Doing::WaitsForLock);
        share(waits, self.samples(|count| count.doing.has_work()))
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(counts: &[(Doing, CodeClass, u64)]) -> ProfileFacts {
        let count = |&(doing, class, samples)| ProfileCount {
            doing,
            class,
            own: CodeClass::Runtime,
            samples,
        };
        ProfileFacts {
            counts: counts.iter().map(count).collect(),
            ..ProfileFacts::default()
        }
    }

    #[test]
    fn shares_are_of_what_was_on_cpu_and_the_lock_is_of_what_had_work() {
        let facts = facts(&[
            (Doing::OnCpu, CodeClass::App, 10),
            (Doing::OnCpu, CodeClass::Framework, 30),
            (Doing::WaitsForCore, CodeClass::Runtime, 20),
            (Doing::WaitsForLock, CodeClass::App, 60),
            (Doing::Waits, CodeClass::Server, 900),
            (Doing::Idle, CodeClass::Runtime, 900),
        ]);
        assert_eq!(facts.share_of(CodeClass::App), Some(0.25));
        assert_eq!(facts.share_of(CodeClass::Framework), Some(0.75));
        assert_eq!(facts.share_of(CodeClass::Server), Some(0.0));
        assert_eq!(facts.lock_wait(), Some(0.5));
        assert_eq!(ProfileFacts::default().share_of(CodeClass::App), None);
    }

    #[test]
    fn what_is_called_works_for_its_caller() {
        use CodeClass::{App, Library, Runtime, Server};
        let of = |classes: &[CodeClass]| CodeClass::of_stack(classes.iter().copied());
        assert_eq!(of(&[App, Server]), (App, App));
        assert_eq!(of(&[Runtime, Library, App, Server]), (App, Runtime));
        assert_eq!(of(&[Library, Server, Runtime]), (Server, Library));
        assert_eq!(of(&[Library, Runtime]), (Library, Library));
        assert_eq!(of(&[]), (Runtime, Runtime));
    }
}
