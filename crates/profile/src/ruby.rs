//! A process of CRuby: while it has a processor, its stacks are read from its memory by rbspy.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::time::{Duration, Instant};

use procfs::process::MMapPath;
use rbspy::recorder::snapshot;
use rbspy::sampler::Sampler;
use rbspy::{StackFrame, StackTrace};
use record::Doing;

use crate::process::{Frame, Look, Refused};
use crate::runnable::Runnable;
use crate::runtime::RUBY;

/// Most stacks that wait to be looked at: with so many the reader waits.
const MOST_WAITING: usize = 4_096;
/// Longest wait for the reader's begin and end, and between looks at it.
const LAST: (Duration, Duration) = (Duration::from_secs(2), Duration::from_millis(10));
/// What stands for a path that is not known: of functions in C, and of code that was made from a text.
const UNKNOWN: [&str; 4] = ["", "unknown", "(unknown)", "FAILED"];

/// A process of CRuby.
pub(crate) struct Ruby {
    reader: Reader,
    counts: bool,
    /// What it did while it could run and that counted.
    runnable: Runnable,
}

/// A thread of rbspy's that reads the stack of whichever thread holds the interpreter's lock, or was the last that held it.
///
/// It asks the kernel first whether any thread of the process could run, and directly before it reads the stack, in the memory of the
/// interpreter, whether that one could. Ruby marks a thread that is about to wait before that lets go of the lock, and takes the mark
/// away when it has the lock again. So a method that waits is not found on CPU, however long the kernel takes to tell of many
/// threads, unless it is one in C that keeps the lock meanwhile.
struct Reader {
    sampler: Sampler,
    traces: Receiver<StackTrace>,
    ended: Receiver<Result<(), anyhow::Error>>,
}

impl Ruby {
    /// Sees whether the stacks of a process can be read; `None` where it is none of CRuby.
    pub(crate) fn attach(pid: u32, rate: f64) -> Result<Option<Self>, Refused> {
        let hidden = |error: procfs::ProcError| Refused::Hidden(error.to_string());
        let process = procfs::process::Process::new(pid.cast_signed()).map_err(hidden)?;
        let maps = process.maps().map_err(hidden)?;
        let is_ruby = maps.0.iter().any(|map| match &map.pathname {
            MMapPath::Path(path) => path
                .file_name()
                .is_some_and(|name| RUBY.is_mapped_as(&name.to_string_lossy())),
            _ => false,
        });
        if !is_ruby {
            return Ok(None);
        }
        snapshot(pid.cast_signed(), false, None, false)
            .map_err(|error| Refused::Unreadable(format!("{error:#}")))?;
        Ok(Some(Self {
            reader: Reader::start(pid, rate),
            counts: false,
            runnable: Runnable::of(pid),
        }))
    }

    /// From now on what it does counts, or no longer.
    pub(crate) fn count(&mut self, counts: bool) {
        self.take();
        self.counts = counts;
        self.runnable.count(counts);
    }

    /// What it has done on a processor, once that is much.
    pub(crate) fn look(&mut self) -> Vec<Look> {
        self.take();
        on_cpu(self.runnable.look())
    }

    /// What it has done on a processor until now.
    pub(crate) fn rest(&mut self) -> Vec<Look> {
        self.take();
        on_cpu(self.runnable.rest())
    }

    /// Why nothing more is read of it.
    pub(crate) fn problem(&self) -> Option<String> {
        let ended = self.reader.ended.try_recv().ok()?;
        ended.err().map(|error| format!("{error:#}"))
    }

    /// Takes what was read until now.
    fn take(&mut self) {
        let read = self.reader.traces.try_iter();
        // between two programs' code a stack may be empty
        for of in read.filter(|of| self.counts && !of.trace.is_empty()) {
            // it could run; which of the threads it was, and whether that had a core, is not told
            let frames = of.trace.into_iter().map(frame).collect();
            self.runnable.add(None, frames, false);
        }
    }
}

impl Reader {
    /// Reads so many times a second, without stopping the process, and only of a thread that could run. Returns when it has
    /// found its way, which takes as long as a short window where there are many processes.
    fn start(pid: u32, rate: f64) -> Self {
        let rate = rate.round().max(1.0) as u32;
        let sampler = Sampler::new(pid.cast_signed(), rate, false, None, false, None, true);
        let (trace, traces) = sync_channel(MOST_WAITING);
        let (end, ended) = channel();
        if let Err(error) = sampler.start(trace, end.clone()) {
            let _ = end.send(Err(error));
        }
        let until = Instant::now() + LAST.0;
        while sampler.total_traces() == 0 && Instant::now() < until {
            if let Ok(outcome) = ended.recv_timeout(LAST.1) {
                let _ = end.send(outcome);
                break;
            }
        }
        Self {
            sampler,
            traces,
            ended,
        }
    }
}

impl Drop for Reader {
    /// Its thread has somebody who hears of its end, and room for what it read last.
    fn drop(&mut self) {
        self.sampler.stop();
        let until = Instant::now() + LAST.0;
        while Instant::now() < until {
            self.traces.try_iter().for_each(drop);
            match self.ended.recv_timeout(LAST.1) {
                Err(RecvTimeoutError::Timeout) => {}
                _ => break,
            }
        }
    }
}

/// The looks that are on CPU: how long each thread waited for a core is told by `Waits`.
fn on_cpu(mut looks: Vec<Look>) -> Vec<Look> {
    looks.retain(|of| of.doing == Doing::OnCpu);
    looks
}

fn frame(of: StackFrame) -> Frame {
    let path = of.absolute_path.unwrap_or_default();
    let mut paths = [path, of.relative_path].into_iter();
    let file = paths.find(|path| !UNKNOWN.contains(&path.as_str()));
    Frame {
        name: of.name,
        file: file.unwrap_or_else(|| "<c>".to_owned()),
        // rbspy tells the line at work, which would be another function each time
        line: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_the_file_that_is_known() {
        let file = |relative: &str, absolute: Option<&str>| {
            let of = StackFrame {
                name: "call".to_owned(),
                relative_path: relative.to_owned(),
                absolute_path: absolute.map(str::to_owned),
                lineno: Some(3),
            };
            frame(of).file
        };
        assert_eq!(file("app.rb", Some("/srv/app.rb")), "/srv/app.rb");
        assert_eq!(file("app.rb", None), "app.rb");
        assert_eq!(
            file("<internal:kernel>", Some("unknown")),
            "<internal:kernel>"
        );
        assert_eq!(file("(unknown)", None), "<c>");
    }
}
