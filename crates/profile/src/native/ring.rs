//! The kernel's samples of one thread.

use std::io;

use perf_event::data::{self, Record, SampleRegsAbi};
use perf_event::events::Software;
use perf_event::{Builder, SampleFlag, Sampler};

use super::code::Code;
use super::unwind::{self, Thread};

/// Bytes of a thread's samples that wait to be taken: of a hundred deep stacks by frame pointers.
const SIZE: usize = 1 << 16;
/// The same with parts of the stack: of thirty samples.
const SIZE_WITH_STACKS: usize = 1 << 18;
/// Bytes of the stack that are copied into a sample.
const STACK: u32 = 8 << 10;
/// From here on addresses are marks between the kernel's part of a stack and the program's (`PERF_CONTEXT_MAX`).
const MARKS: u64 = -4095_i64 as u64;
/// The processor's mode among the flags of a record, and the kernel's of them (`perf_event_open(2)`).
const MODE: u16 = 7;
const KERNEL: u16 = 1;
/// The kind of record that is a sample.
const SAMPLE: u32 = 9;

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
    /// looked at, what the kernel does for it is not seen; without `stacks`, or where so much memory may not be had for them,
    /// callers are seen by frame pointers alone.
    pub(super) fn open(thread: u32, rate: f64, stacks: bool) -> io::Result<Self> {
        if stacks && let Ok(ring) = Self::allowed(thread, rate, true) {
            return Ok(ring);
        }
        Self::allowed(thread, rate, false)
    }

    fn allowed(thread: u32, rate: f64, stacks: bool) -> io::Result<Self> {
        let with_kernel = Self::of(thread, rate, stacks, true);
        with_kernel.or_else(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => Self::of(thread, rate, stacks, false),
            _ => Err(error),
        })
    }

    fn of(thread: u32, rate: f64, stacks: bool, kernel: bool) -> io::Result<Self> {
        let mut builder = Builder::new(Software::CPU_CLOCK);
        builder
            .observe_pid(thread.cast_signed())
            .sample(SampleFlag::IP | SampleFlag::CALLCHAIN)
            .sample_frequency(rate.max(1.0) as u64)
            .exclude_callchain_kernel(true)
            .exclude_kernel(!kernel);
        if !stacks {
            return Ok(Self(builder.build()?.sampled(SIZE)?));
        }
        builder
            .sample(SampleFlag::REGS_USER | SampleFlag::STACK_USER)
            .sample_regs_user(unwind::WANTED)
            .sample_stack_user(STACK);
        Ok(Self(builder.build()?.sampled(SIZE_WITH_STACKS)?))
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

    /// Samples since they were taken last, of a thread that runs this code.
    pub(super) fn taken(&mut self, code: &mut Code) -> Vec<Sample> {
        let mut samples = Vec::new();
        while let Some(record) = self.0.next_record() {
            let addresses = match record.parse_record() {
                Ok(Record::Sample(sample)) => addresses(&sample, code),
                // of a thread that works in the kernel alone there are no registers, for which the library has no place
                Err(_) if record.ty() == SAMPLE => Vec::new(),
                _ => continue,
            };
            samples.push(Sample {
                in_kernel: record.misc() & MODE == KERNEL,
                addresses,
            });
        }
        samples
    }
}

/// The functions on a stack: as its files and its copy tell them, or, where these end too early, as the kernel has followed frame
/// pointers.
fn addresses(sample: &data::Sample<'_>, code: &mut Code) -> Vec<u64> {
    let chain = sample.callchain().unwrap_or_default().iter().copied();
    let chain: Vec<u64> = chain.filter(|address| *address < MARKS).collect();
    let registers = sample.regs_user();
    let thread = registers
        .filter(|of| of.abi == SampleRegsAbi::ABI_64)
        .and_then(|of| Thread::of(&of.regs, sample.stack_user()?));
    match thread.map(|mut thread| code.unwound(&mut thread)) {
        Some(of) if of.is_whole || of.addresses.len() >= chain.len() => of.addresses,
        _ => chain,
    }
}
