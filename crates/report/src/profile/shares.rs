//! Whose code takes the processors, and what threads wait for.

use record::{CodeClass, Doing, ProfileCount};
use serde::Serialize;
use stats::{Estimate, share_estimate};

use super::{Changes, Folded, Profiled, words};

/// Functions that are named.
const MOST: usize = 200;

/// A profile in figures.
#[derive(JsonSchema, Serialize)]
pub struct Shares {
    /// What it is of.
    pub name: String,
    /// Windows in which it was sampled.
    pub windows: u32,
    /// Seconds of them all.
    pub seconds: f64,
    /// Looks at each thread per second.
    pub rate: f64,
    /// Processes that were sampled.
    pub processes: u32,
    /// Samples of threads on CPU, of those that waited for the interpreter lock, and of those that waited for
    /// something else.
    pub samples: [u64; 3],
    /// What threads did that worked on behalf of the app or a framework, the largest share first: those that waited for
    /// the next request are no part of it.
    pub in_app: Vec<DoingShare>,
    /// How many threads of all that were sampled did what at a time, whoever they worked for.
    pub threads: Vec<DoingThreads>,
    /// Share of the time in which threads had something to compute that they waited for the interpreter lock.
    pub lock_wait: Option<Share>,
    /// Whose work the samples on CPU were, the largest share first.
    pub classes: Vec<ClassShare>,
    /// The functions that took most, by themselves.
    pub functions: Vec<FunctionShare>,
    /// Of the looks at threads on CPU: the share that gave no stack. What is quickly over may be underrated by as much.
    pub lost: Option<f64>,
    /// Looks that came late.
    pub late: u64,
    /// Cores that the profiler itself took.
    pub own_cores: f64,
    /// Correct responses per second while it was profiled, and without that under the same load, where both are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throughput: Option<[f64; 2]>,
    /// Why something was not sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// How it differs from an earlier one, if it is compared with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
}

/// A share, 0 to 1, with its 95 % interval.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Share {
    /// The share.
    pub value: f64,
    /// Both ends of the interval. Samples are taken as independent, which those of one thread at such gaps nearly are.
    pub interval: (f64, f64),
}

/// How much of their time threads spent so.
#[derive(JsonSchema, Serialize)]
pub struct DoingShare {
    /// What they did.
    pub doing: Doing,
    /// The share.
    pub share: Share,
}

/// How many threads did so.
#[derive(JsonSchema, Serialize)]
pub struct DoingThreads {
    /// What they did.
    pub doing: Doing,
    /// How many at a time, on average over the windows.
    pub threads: f64,
}

/// How much of the CPU time one class has.
#[derive(JsonSchema, Serialize)]
pub struct ClassShare {
    /// Whose.
    pub class: CodeClass,
    /// Of the samples on CPU: worked on its behalf.
    pub share: Share,
    /// Of the samples on CPU: the innermost function was its own.
    pub own: Share,
}

/// A function's part of the CPU time.
#[derive(JsonSchema, Serialize)]
pub struct FunctionShare {
    /// Its name and file; text of others.
    pub function: String,
    /// Whose it is.
    pub class: CodeClass,
    /// Share of the samples on CPU in which it was the innermost function.
    pub own: f64,
    /// Share of the samples on CPU in which it was on the stack.
    pub with_callees: f64,
}

impl Shares {
    /// The figures of a profile.
    pub fn of(profiled: &Profiled) -> Self {
        let facts = &profiled.facts;
        let on_cpu = profiled.samples(Doing::OnCpu);
        let lock = profiled.samples(Doing::WaitsForLock);
        let has_work = facts.samples(|of| of.doing.has_work());
        let waits = facts.samples(|_| true) - on_cpu - lock;
        // a stack that changes while it is read is one of a thread that runs
        let looks = on_cpu + facts.errors;
        let lost = (looks > 0).then(|| facts.errors as f64 / looks as f64);
        Self {
            name: profiled.name.clone(),
            windows: profiled.windows,
            seconds: profiled.seconds,
            rate: facts.rate,
            processes: facts.processes,
            samples: [on_cpu, lock, waits],
            in_app: in_app(profiled),
            threads: threads(profiled),
            lock_wait: Share::of(lock, has_work),
            classes: classes(profiled, on_cpu),
            functions: functions(profiled, on_cpu),
            lost,
            late: facts.late,
            own_cores: facts.cpu / profiled.sampled.max(f64::MIN_POSITIVE),
            throughput: profiled.throughput,
            problem: facts.problem.clone(),
            changes: None,
        }
    }

    /// Whether nothing was sampled.
    pub fn is_empty(&self) -> bool {
        self.samples == [0; 3]
    }

    /// The same beside an earlier profile. Nothing is compared where one of them has no sample of a thread on CPU.
    #[must_use]
    pub fn beside(self, profiled: &Profiled, earlier: &Folded) -> Self {
        let later = Folded::of(profiled);
        let both = !earlier.is_empty() && !later.is_empty();
        let changes = both.then(|| Changes::of(earlier, &later));
        Self { changes, ..self }
    }
}

impl Share {
    fn of(part: u64, whole: u64) -> Option<Self> {
        let Estimate { value, interval } = share_estimate(part, whole)?;
        Some(Self {
            value,
            interval: interval?,
        })
    }
}

fn classes(profiled: &Profiled, on_cpu: u64) -> Vec<ClassShare> {
    let samples = |is: &dyn Fn(&ProfileCount) -> bool| {
        profiled
            .facts
            .samples(|of| of.doing == Doing::OnCpu && is(of))
    };
    let class = |class: CodeClass| {
        let behalf = samples(&|of| of.class == class);
        let own = samples(&|of| of.own == class);
        (behalf + own > 0).then_some(())?;
        Some(ClassShare {
            class,
            share: Share::of(behalf, on_cpu)?,
            own: Share::of(own, on_cpu)?,
        })
    };
    let mut classes: Vec<_> = CodeClass::ALL.into_iter().filter_map(class).collect();
    classes.sort_by(|a, b| b.share.value.total_cmp(&a.share.value));
    classes
}

fn in_app(profiled: &Profiled) -> Vec<DoingShare> {
    let is_own = |of: &ProfileCount| matches!(of.class, CodeClass::App | CodeClass::Framework);
    let all = profiled.facts.samples(is_own);
    let share = |doing: Doing| {
        let samples = profiled.facts.samples(|of| of.doing == doing && is_own(of));
        let share = Share::of(samples, all).filter(|_| samples > 0)?;
        Some(DoingShare { doing, share })
    };
    let mut shares: Vec<_> = Doing::ALL.into_iter().filter_map(share).collect();
    shares.sort_by(|a, b| b.share.value.total_cmp(&a.share.value));
    shares
}

/// Each sample stands for one thread during the gap between two looks.
fn threads(profiled: &Profiled) -> Vec<DoingThreads> {
    let looks = profiled.facts.rate * profiled.sampled;
    let at_a_time = |doing: Doing| {
        let samples = profiled.samples(doing);
        (samples > 0 && looks > 0.0).then(|| DoingThreads {
            doing,
            threads: samples as f64 / looks,
        })
    };
    Doing::ALL.into_iter().filter_map(at_a_time).collect()
}

fn functions(profiled: &Profiled, on_cpu: u64) -> Vec<FunctionShare> {
    let stacks = &profiled.stacks;
    let mut seen = vec![(0_u64, 0_u64); stacks.functions.len()];
    for stack in stacks.stacks.iter().filter(|of| of.doing == Doing::OnCpu) {
        if let Some(&innermost) = stack.functions.last() {
            seen[innermost as usize].0 += stack.samples;
        }
        let mut once = stack.functions.clone();
        once.sort_unstable();
        once.dedup(); // one that calls itself is on the stack once
        for function in once {
            seen[function as usize].1 += stack.samples;
        }
    }
    let share = |samples: u64| samples as f64 / on_cpu.max(1) as f64;
    let mut functions: Vec<FunctionShare> = stacks
        .functions
        .iter()
        .zip(seen)
        .filter(|(_, (_, with_callees))| *with_callees > 0)
        .map(|(function, (own, with_callees))| FunctionShare {
            function: words(function),
            class: function.class,
            own: share(own),
            with_callees: share(with_callees),
        })
        .collect();
    functions.sort_by(|a, b| {
        let by = |of: &FunctionShare| (of.own, of.with_callees);
        by(b)
            .partial_cmp(&by(a))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    functions.truncate(MOST);
    functions
}

#[cfg(test)]
mod tests;
