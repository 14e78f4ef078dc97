//! The kernel's samples of one thread.

use std::io;

use perf_event::data::Record;
use perf_event::events::Software;
use perf_event::{Builder, SampleFlag, Sampler};

/// Bytes of a thread's samples that wait to be taken: of a hundred deep stacks.
const SIZE: usize = 1 << 16;
/// From here on addresses are marks between the kernel's part of a stack and the program's (`PERF_CONTEXT_MAX`).
const MARKS: u64 = -4095_i64 as u64;
/// The processor's mode among the flags of a record, and the kernel's of them (`perf_event_open(2)`).
const MODE: u16 = 7;
const KERNEL: u16 = 1;

/// A thread that is interrupted while it has a processor.
pub(super) struct Ring(Sampler);

/// Where a thread was.
#[derive(Debug)]
pub(super) struct Sample {
    /// Whether the kernel worked for it.
    pub(super) in_kernel: bool,
    /// Addresses of the functions on its stack, the innermost first.
    pub(super) addresses: Vec<u64>,
}

impl Ring {
    /// Makes ready to interrupt a thread so many times in each second of CPU time. Where only the program's own part may be
    /// looked at, what the kernel does for it is not seen.
    pub(super) fn open(thread: u32, rate: f64) -> io::Result<Self> {
        let with_kernel = Self::of(thread, rate, true);
        with_kernel.or_else(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => Self::of(thread, rate, false),
            _ => Err(error),
        })
    }

    fn of(thread: u32, rate: f64, kernel: bool) -> io::Result<Self> {
        let mut builder = Builder::new(Software::CPU_CLOCK);
        builder
            .observe_pid(thread.cast_signed())
            .sample(SampleFlag::IP | SampleFlag::CALLCHAIN)
            .sample_frequency(rate.max(1.0) as u64)
            .exclude_callchain_kernel(true)
            .exclude_kernel(!kernel);
        Ok(Self(builder.build()?.sampled(SIZE)?))
    }

    /// From now on its samples count, or no longer. What it did before stays to be taken.
    pub(super) fn count(&mut self, counts: bool) {
        // a thread that has ended is counted no more by itself
        let _ = if counts {
            self.0.enable()
        } else {
            self.0.disable()
        };
    }

    /// Samples since they were taken last.
    pub(super) fn taken(&mut self) -> Vec<Sample> {
        let mut samples = Vec::new();
        while let Some(record) = self.0.next_record() {
            let in_kernel = record.misc() & MODE == KERNEL;
            if let Ok(Record::Sample(sample)) = record.parse_record() {
                let chain = sample.callchain().unwrap_or_default().iter().copied();
                samples.push(Sample {
                    in_kernel,
                    addresses: chain.filter(|address| *address < MARKS).collect(),
                });
            }
        }
        samples
    }
}
