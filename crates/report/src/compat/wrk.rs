use record::{Cause, Distribution, LoadFacts};

use super::{answers, deviation, failed, few, spread, unconnected};

/// What wrk prints that the facts do not hold.
#[derive(Clone, Copy, Debug)]
pub struct Wrk<'a> {
    /// As it was typed.
    pub url: &'a str,
    /// Asked-for threads.
    pub threads: u32,
    /// Connections.
    pub connections: u32,
    /// Asked-for duration, seconds.
    pub seconds: f64,
    /// The distribution is wanted.
    pub latency: bool,
    /// wrk2's form of it: a rate was given.
    pub paced: bool,
}

/// What wrk prints before it loads.
pub fn wrk_head(of: &Wrk) -> String {
    format!(
        "Running {} test @ {}\n  {} threads and {} connections\n",
        whole_time(of.seconds),
        of.url,
        of.threads,
        of.connections
    )
}

/// A load as wrk 4.1 and wrk2 print it afterwards.
pub fn wrk(of: &Wrk, load: &LoadFacts) -> String {
    let mut lines = vec![
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev".to_owned(),
        latency(&load.response),
        rates(load),
    ];
    if of.latency {
        lines.extend(distribution(of.paced, &load.response));
    }
    lines.push(format!(
        "  {} requests in {}, {}B read",
        load.completed,
        time(load.seconds),
        binary(load.bytes_received as f64)
    ));
    lines.extend(errors(load));
    let received = load.bytes_received as f64 / load.seconds;
    lines.push(format!("Requests/sec: {:>9.2}", load.throughput()));
    lines.push(format!("Transfer/sec: {:>10}B", binary(received)));
    lines.join("\n") + "\n"
}

fn latency(times: &Distribution) -> String {
    let mean = times.mean().unwrap_or(0.0);
    let deviation = deviation(times);
    let near = |&(value, _): &(f64, u64)| (value - mean).abs() <= deviation;
    let within: u64 = times.cells().filter(near).map(|(_, count)| count).sum();
    format!(
        "    Latency   {}{}{}{:>8.2}%",
        padded(&time(mean), 8),
        padded(&time(deviation), 10),
        padded(&time(times.max().unwrap_or(0.0)), 9),
        within as f64 / times.count().max(1) as f64 * 100.0
    )
}

/// Requests per second and thread, over the slices of the window.
fn rates(load: &LoadFacts) -> String {
    let ends = load.intervals.iter().map(|slice| slice.until);
    let begins = std::iter::once(0.0).chain(ends);
    let rates: Vec<f64> = begins
        .zip(&load.intervals)
        .filter(|(from, slice)| slice.until > *from)
        .map(|(from, slice)| slice.completed as f64 / (slice.until - from))
        .map(|rate| rate / f64::from(load.engine.threads.max(1)))
        .collect();
    let weighted: Vec<_> = rates.iter().map(|rate| (*rate, 1.0)).collect();
    let (mean, deviation) = spread(&weighted);
    let near = |rate: &&f64| (**rate - mean).abs() <= deviation + 1e-9 * mean;
    let within = rates.iter().filter(near).count();
    format!(
        "    Req/Sec   {}{}{}{:>8.2}%",
        padded(&metric(mean), 8),
        padded(&metric(deviation), 10),
        padded(&metric(rates.iter().copied().fold(0.0, f64::max)), 9),
        within as f64 / rates.len().max(1) as f64 * 100.0
    )
}

fn distribution(paced: bool, times: &Distribution) -> Vec<String> {
    let row = |(q, seconds): (f64, f64)| {
        let (time, few) = (padded(&time(seconds), 10), few(q, times));
        let line = if paced {
            format!("{:>7.3}%{time}{few}", q * 100.0)
        } else {
            format!("{:>7.0}%{time}{few}", q * 100.0)
        };
        line.trim_end().to_owned()
    };
    let quantiles: &[f64] = if paced {
        &[0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 0.999_99]
    } else {
        &[0.5, 0.75, 0.9, 0.99]
    };
    let quantiles = quantiles.iter();
    let known = quantiles.filter_map(|q| Some((*q, times.quantile(*q)?)));
    let last = times.max().filter(|_| paced).map(|seconds| (1.0, seconds));
    let head = if paced {
        "  Latency Distribution (HdrHistogram - Recorded Latency)"
    } else {
        "  Latency Distribution"
    };
    let rows = known.chain(last).map(row);
    std::iter::once(head.to_owned()).chain(rows).collect()
}

fn errors(load: &LoadFacts) -> Vec<String> {
    let connect = unconnected(load);
    // the script's own errors met no socket
    let wrong = failed(load, &[Cause::Status, Cause::Body, Cause::Unasked]);
    let read = load.failures() - connect - wrong;
    let mut lines = Vec::new();
    if connect + read + load.timed_out > 0 {
        let late = load.timed_out;
        let errors = format!("connect {connect}, read {read}, write 0, timeout {late}");
        lines.push(format!("  Socket errors: {errors}"));
    }
    let bad = answers(load, |status| status > 399);
    if bad > 0 {
        lines.push(format!("  Non-2xx or 3xx responses: {bad}"));
    }
    lines
}

/// wrk right-aligns figures and leaves two places for the unit.
fn padded(text: &str, width: usize) -> String {
    let last = text.chars().rev().take(2);
    let space = 2 - last.filter(char::is_ascii_alphabetic).count();
    format!("{text:>0$}{1}", width - space, " ".repeat(space))
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.2}us", s * 1e6),
        s if s < 1.0 => format!("{:.2}ms", s * 1e3),
        s if s < 60.0 => format!("{s:.2}s"),
        s if s < 3600.0 => format!("{:.2}m", s / 60.0),
        s => format!("{:.2}h", s / 3600.0),
    }
}

fn whole_time(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.0}s"),
        s if s < 3600.0 => format!("{:.0}m", s / 60.0),
        s => format!("{:.0}h", s / 3600.0),
    }
}

fn metric(value: f64) -> String {
    scaled(value, 1e3, &["", "k", "M", "G"])
}

fn binary(value: f64) -> String {
    scaled(value, 1024.0, &["", "K", "M", "G", "T"])
}

fn scaled(mut value: f64, base: f64, units: &[&str]) -> String {
    let mut unit = 0;
    while value >= base && unit + 1 < units.len() {
        value /= base;
        unit += 1;
    }
    format!("{value:.2}{}", units[unit])
}
