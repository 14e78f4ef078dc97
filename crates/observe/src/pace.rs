//! How fast the cores are: a fixed computation, by the CPU time that it takes.
//!
//! Where a virtual machine's cores share their physical ones with others, or clocks change, no time is stolen: each second of CPU
//! time does less. A program that always computes the same sees that.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::watch::own_cpu;

/// Seconds of CPU time before it counts: clocks rise within milliseconds when a core has rested.
const WARM: f64 = 0.005;
/// Seconds of CPU time that count.
const COUNTED: f64 = 0.01;
/// Longest time that a core is waited for.
const PATIENCE: Duration = Duration::from_millis(400);
/// Steps of a round: some microseconds.
const STEPS: u32 = 1024;
/// Sums beside each other: as many as keep a core busy, as what waits for itself leaves room for a neighbour.
const LANES: usize = 8;

/// Rounds of the computation in a second of CPU time, when so many threads compute at once: their mean. Takes some 15 ms.
/// None where a core could not be had.
pub fn pace(threads: u32) -> Option<f64> {
    let each = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..threads.max(1))
            .map(|_| std::thread::Builder::new().spawn_scoped(scope, of_one))
            .collect();
        let ended = begun.into_iter().map(|thread| thread.ok()?.join().ok()?);
        ended.collect::<Option<Vec<f64>>>()
    })?;
    Some(each.iter().sum::<f64>() / each.len() as f64)
}

fn of_one() -> Option<f64> {
    let until = Instant::now() + PATIENCE;
    let mut sums = [1_u64; LANES];
    let mut compute = |seconds: f64| {
        let (from, mut rounds) = (own_cpu(), 0_u32);
        loop {
            sums = round(black_box(sums));
            rounds += 1;
            let taken = own_cpu() - from;
            if taken >= seconds {
                return Some(f64::from(rounds) / taken);
            }
            if Instant::now() > until {
                return None;
            }
        }
    };
    compute(WARM)?;
    compute(COUNTED)
}

fn round(mut sums: [u64; LANES]) -> [u64; LANES] {
    for step in 0..STEPS {
        for sum in &mut sums {
            *sum = sum.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (*sum >> 29);
            *sum = sum.wrapping_add(u64::from(step)).rotate_left(7);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_have_a_pace() {
        let mut tries = (0..20).filter_map(|_| pace(1));
        assert!(tries.next().is_some_and(|pace| pace > 0.0));
    }
}
