use record::{Cause, Distribution, LoadFacts};

use super::{answers, deviation, failed, few, unconnected};

/// What ab prints that the facts do not hold.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "ab's own switches, one each")]
pub struct Ab<'a> {
    /// The `Server` header of one answer.
    pub server: &'a str,
    /// Host of the URL.
    pub host: &'a str,
    /// Port of the URL.
    pub port: u16,
    /// Path of the URL.
    pub path: &'a str,
    /// Length of that answer's body.
    pub length: u64,
    /// Requests have a body (`-p`, `-u`).
    pub posts: bool,
    /// Connections are kept open (`-k`).
    pub keep_alive: bool,
    /// The table of percentages is shown (no `-d`).
    pub percentiles: bool,
    /// Medians and deviations are shown (no `-S`).
    pub deviations: bool,
}

/// The percentages of ab's table.
const SERVED: [u32; 8] = [50, 66, 75, 80, 90, 95, 98, 99];

/// A load as ab 2.3 prints it.
pub fn ab(of: &Ab, load: &LoadFacts) -> String {
    let mut lines = facts(of, load);
    lines.push("\nConnection Times (ms)".to_owned());
    lines.push(if of.deviations {
        "              min  mean[+/-sd] median   max".to_owned()
    } else {
        "              min   avg   max".to_owned()
    });
    for (name, times) in [
        ("Connect:", &load.connect),
        ("Processing:", &load.service),
        ("Waiting:", &load.first_byte),
        ("Total:", &load.response),
    ] {
        lines.push(row(name, times, of.deviations));
    }
    if of.percentiles && load.scheduled > 1 {
        lines.extend(percentiles(&load.response));
    }
    lines.join("\n") + "\n"
}

fn facts(of: &Ab, load: &LoadFacts) -> Vec<String> {
    let failed = load.failures() + load.timed_out;
    let ended = load.completed + failed;
    let mut lines = Vec::new();
    let mut fact = |name: &str, value: String| lines.push(format!("{name:<24}{value}"));
    fact("Server Software:", of.server.to_owned());
    fact("Server Hostname:", of.host.to_owned());
    fact("Server Port:", format!("{}\n", of.port));
    fact("Document Path:", of.path.to_owned());
    fact("Document Length:", format!("{} bytes\n", of.length));
    fact("Concurrency Level:", load.connections.to_string());
    let taken = format!("{:.3} seconds", load.seconds);
    fact("Time taken for tests:", taken);
    fact("Complete requests:", ended.to_string());
    fact("Failed requests:", failed.to_string());
    if failed > 0 {
        fact("", breakdown(load));
    }
    let odd = answers(load, |status| !(200..300).contains(&status));
    if odd > 0 {
        fact("Non-2xx responses:", odd.to_string());
    }
    if of.keep_alive {
        let reopened = load.connects.saturating_sub(load.connections.into());
        let reused = ended.saturating_sub(reopened);
        fact("Keep-Alive requests:", reused.to_string());
    }
    let received = format!("{} bytes", load.bytes_received);
    fact("Total transferred:", received);
    if of.posts {
        fact("Total body sent:", load.bytes_sent.to_string());
    }
    let documents = load.completed * of.length;
    fact("HTML transferred:", format!("{documents} bytes"));
    // as ab has it: what is complete, failed or not, over the time
    let rate = if load.seconds > 0.0 {
        ended as f64 / load.seconds
    } else {
        0.0
    };
    fact("Requests per second:", format!("{rate:.2} [#/sec] (mean)"));
    let each = if rate > 0.0 { 1e3 / rate } else { 0.0 };
    let apiece = each * f64::from(load.connections);
    fact("Time per request:", format!("{apiece:.3} [ms] (mean)"));
    let across = format!("{each:.3} [ms] (mean, across all concurrent requests)");
    fact("Time per request:", across);
    let kilobytes = load.bytes_received as f64 / 1024.0 / load.seconds;
    let transfer = format!("{kilobytes:.2} [Kbytes/sec] received");
    fact("Transfer rate:", transfer);
    if of.posts {
        let sent = load.bytes_sent as f64 / 1024.0 / load.seconds;
        fact(" ", format!("{sent:.2} kb/s sent"));
        fact(" ", format!("{:.2} kb/s total", kilobytes + sent));
    }
    lines.into_iter().map(indented).collect()
}

/// ab indents the breakdown by three places, with no name before it.
fn indented(line: String) -> String {
    match line.trim_start() {
        text if text.starts_with("(Connect:") => format!("   {text}"),
        _ => line,
    }
}

fn breakdown(load: &LoadFacts) -> String {
    let connect = unconnected(load);
    let exceptions = failed(load, &[Cause::Status, Cause::Body]);
    let length = failed(load, &[Cause::Check]);
    let receive = load.failures() - connect - exceptions - length + load.timed_out;
    format!("(Connect: {connect}, Receive: {receive}, Length: {length}, Exceptions: {exceptions})")
}

/// In whole milliseconds, as ab has them.
fn row(name: &str, times: &Distribution, deviations: bool) -> String {
    let ms = |seconds: Option<f64>| (seconds.unwrap_or(0.0) * 1e3).round();
    let (min, mean, max) = (ms(times.min()), ms(times.mean()), ms(times.max()));
    if !deviations {
        return format!("{name:<12} {min:>5.0} {mean:>5.0}{max:>6.0}");
    }
    let median = ms(times.quantile(0.5));
    let deviation = deviation(times) * 1e3;
    format!("{name:<12}{min:>5.0} {mean:>4.0} {deviation:>5.1} {median:>6.0} {max:>7.0}")
}

fn percentiles(times: &Distribution) -> Vec<String> {
    let ms = |seconds: f64| (seconds * 1e3).round();
    let head = "\nPercentage of the requests served within a certain time (ms)".to_owned();
    let line = |percent: u32| {
        let q = f64::from(percent) / 100.0;
        let seconds = times.quantile(q)?;
        let few = few(q, times);
        Some(format!("{percent:>4}%  {:>5.0}{few}", ms(seconds)))
    };
    let longest = times.max().map(ms);
    let longest = longest.map(|ms| format!(" 100%  {ms:>5.0} (longest request)"));
    let lines = SERVED.into_iter().filter_map(line).chain(longest);
    std::iter::once(head).chain(lines).collect()
}

/// ab's `-e`: the time within which each percentage was served. A column for doubts would be one that ab has not.
pub fn ab_csv(load: &LoadFacts) -> String {
    let times = &load.response;
    let line = |percent: u32| {
        let seconds = match percent {
            0 => times.min(),
            _ => times.quantile(f64::from(percent) / 100.0),
        };
        Some(format!("{percent},{:.3}", seconds? * 1e3))
    };
    let head = ["Percentage served,Time in ms".to_owned()];
    let lines: Vec<_> = head.into_iter().chain((0..100).filter_map(line)).collect();
    lines.join("\n") + "\n"
}
