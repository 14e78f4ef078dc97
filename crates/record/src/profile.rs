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
    /// It runs, or could run if a processor were free.
    OnCpu,
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
}

impl Doing {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::OnCpu,
        Self::WaitsForLock,
        Self::WaitsForSocket,
        Self::WaitsForThread,
        Self::WaitsForFile,
        Self::WaitsForChild,
        Self::Sleeps,
        Self::Waits,
    ];

    /// Whether it has something to compute, and a processor or the interpreter lock is what it lacks.
    pub fn has_work(self) -> bool {
        matches!(self, Self::OnCpu | Self::WaitsForLock)
    }

    /// In running text.
    pub fn words(self) -> &'static str {
        match self {
            Self::OnCpu => "on CPU",
            Self::WaitsForLock => "waits for the interpreter lock",
            Self::WaitsForSocket => "waits for a socket",
            Self::WaitsForThread => "waits for another thread",
            Self::WaitsForFile => "waits for a file",
            Self::WaitsForChild => "waits for a child process",
            Self::Sleeps => "sleeps",
            Self::Waits => "waits for something else",
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

/// The stacks of a profile, each with how often it was seen.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Stacks {
    /// Every function that is on a stack.
    pub functions: Vec<Function>,
    /// The stacks, the most frequent first.
    pub stacks: Vec<Stack>,
    /// Samples of stacks that are not listed, because there are too many.
    #[serde(default)]
    pub others: u64,
}

/// A function that was on a stack. Its name and its file are text of others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
pub struct Function {
    /// Its name, with those of its class and the functions around it where the language tells.
    pub name: String,
    /// Its file, from the app's folder, the packages' or the language's own on.
    pub file: String,
    /// The line at which it begins; 0 where nobody knows.
    pub line: u32,
    /// Whose it is.
    pub class: CodeClass,
}

/// A stack as it was seen.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Stack {
    /// Indices of functions, the outermost first.
    pub functions: Vec<u32>,
    /// What its thread did.
    pub doing: Doing,
    /// How often.
    pub samples: u64,
}

impl Stacks {
    /// Most stacks of a trial that are kept.
    pub const MOST: usize = 2_000;
    /// Most functions of a stack: of a deeper one, the innermost.
    pub const DEEPEST: usize = 128;

    /// Whether nothing was sampled.
    pub fn is_empty(&self) -> bool {
        self.stacks.is_empty()
    }

    /// The functions of a stack, the outermost first.
    pub fn of<'a>(&'a self, stack: &'a Stack) -> impl DoubleEndedIterator<Item = &'a Function> {
        let functions = stack.functions.iter();
        functions.filter_map(|&at| self.functions.get(at as usize))
    }

    /// Adds the stacks of another trial of the same stack.
    pub fn add(&mut self, other: &Self) {
        let mut known: std::collections::HashMap<Function, u32> =
            self.functions.iter().cloned().zip(0..).collect();
        let mut numbers = Vec::with_capacity(other.functions.len());
        for function in &other.functions {
            let next = self.functions.len() as u32;
            let number = *known.entry(function.clone()).or_insert(next);
            if number == next {
                self.functions.push(function.clone());
            }
            numbers.push(number);
        }
        let mut counts: std::collections::HashMap<(Vec<u32>, Doing), u64> = self
            .stacks
            .drain(..)
            .map(|of| ((of.functions, of.doing), of.samples))
            .collect();
        for stack in &other.stacks {
            let functions = stack.functions.iter();
            let functions = functions
                .filter_map(|&at| numbers.get(at as usize).copied())
                .collect();
            *counts.entry((functions, stack.doing)).or_default() += stack.samples;
        }
        self.stacks = counts
            .into_iter()
            .map(|((functions, doing), samples)| Stack {
                functions,
                doing,
                samples,
            })
            .collect();
        self.others += other.others;
        self.sort();
    }

    /// Keeps this many, and the functions on them.
    pub fn keep(&mut self, most: usize) {
        self.sort();
        let left_out = self.stacks.split_off(most.min(self.stacks.len()));
        self.others += left_out.iter().map(|of| of.samples).sum::<u64>();
        let mut numbers: Vec<Option<u32>> = vec![None; self.functions.len()];
        let mut kept = Vec::new();
        for number in self.stacks.iter_mut().flat_map(|of| &mut of.functions) {
            let at = *number as usize;
            *number = *numbers[at].get_or_insert_with(|| {
                kept.push(self.functions[at].clone());
                kept.len() as u32 - 1
            });
        }
        self.functions = kept;
    }

    /// The most frequent first.
    fn sort(&mut self) {
        self.stacks.sort_by(|a, b| {
            let key = |of: &Stack| (std::cmp::Reverse(of.samples), of.doing);
            (key(a), &a.functions).cmp(&(key(b), &b.functions))
        });
    }
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
            (Doing::WaitsForLock, CodeClass::App, 60),
            (Doing::Waits, CodeClass::Server, 900),
        ]);
        assert_eq!(facts.share_of(CodeClass::App), Some(0.25));
        assert_eq!(facts.share_of(CodeClass::Framework), Some(0.75));
        assert_eq!(facts.share_of(CodeClass::Server), Some(0.0));
        assert_eq!(facts.lock_wait(), Some(0.6));
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

    #[test]
    fn stacks_of_several_trials_are_one() {
        let function = |name: &str| Function {
            name: name.to_owned(),
            file: "app.py".to_owned(),
            line: 1,
            class: CodeClass::App,
        };
        let stacks = |names: &[&str], samples| Stacks {
            functions: names.iter().map(|name| function(name)).collect(),
            stacks: vec![Stack {
                functions: (0..names.len() as u32).collect(),
                doing: Doing::OnCpu,
                samples,
            }],
            others: 1,
        };
        let mut all = stacks(&["a", "b"], 3);
        all.add(&stacks(&["b"], 5));
        all.add(&stacks(&["a", "b"], 4));
        let names = |at: usize| {
            let functions = all.of(&all.stacks[at]);
            functions.map(|of| &*of.name).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["a", "b"]);
        assert_eq!(all.stacks[0].samples, 7);
        assert_eq!(names(1), ["b"]);
        assert_eq!((all.functions.len(), all.others), (2, 3));
    }
}
