use std::fmt::Write as _;

use record::{LoadFacts, SegmentFacts};

use super::Loaded;

/// One header and a row for each load (RFC 4180, but lines end as on Unix). What is not known is empty.
pub fn csv(loads: &[Loaded]) -> String {
    // loads of a run may have more stretches than others
    let stretches = loads.iter().map(|of| segments(of.load));
    let most = stretches.max_by_key(Vec::len).unwrap_or_default();
    let mut lines = Vec::new();
    for of in loads {
        let mut row = columns(of);
        let mut own = segments(of.load).into_iter();
        row.extend(most.iter().map(|(name, _)| {
            let value = own.next().map(|(_, value)| value);
            (name.clone(), value.unwrap_or_default())
        }));
        row.extend(place(of));
        row.extend(bounds(of.load));
        let (names, values): (Vec<_>, Vec<_>) = row.into_iter().unzip();
        if lines.is_empty() {
            lines.push(names.join(","));
        }
        lines.push(values.join(","));
    }
    lines.join("\n") + "\n"
}

/// What quantiles are at least where there are too few responses for more. Last, so that no other column has another place
/// than before.
fn bounds(load: &LoadFacts) -> Vec<(String, String)> {
    let times = [("response", &load.response), ("service", &load.service)];
    let bounds = times.into_iter().flat_map(|(name, times)| {
        judge::QUANTILES.map(|(quantile, q)| {
            let bound = judge::at_least(times, q);
            let quantile = quantile.replace('.', "_");
            (format!("{name}_{quantile}_at_least_s"), known(bound))
        })
    });
    bounds.collect()
}

/// Which load of its run it is.
fn place(of: &Loaded) -> Vec<(String, String)> {
    let trial = of.trial;
    let cells = [
        ("block", trial.block.to_string()),
        ("again", trial.again.to_string()),
        ("attempt", trial.attempt.to_string()),
        ("counts", of.counts.to_string()),
        ("load", quoted(of.variant)),
        ("group", trial.group.to_string()),
    ];
    cells.map(|(name, value)| (name.to_owned(), value)).into()
}

fn columns(of: &Loaded) -> Vec<(String, String)> {
    let load = of.load;
    let mut row = vec![
        ("url".to_owned(), quoted(of.url)),
        ("window_s".to_owned(), load.seconds.to_string()),
        ("connections".to_owned(), load.connections.to_string()),
        ("offered_rps".to_owned(), known(load.offered)),
        ("throughput_rps".to_owned(), load.throughput().to_string()),
    ];
    let counts = [
        ("scheduled", load.scheduled),
        ("completed", load.completed),
        ("failed", load.failures()),
        ("timed_out", load.timed_out),
        ("dropped", load.dropped),
        ("in_flight", load.in_flight),
        ("received_bytes", load.bytes_received),
        ("sent_bytes", load.bytes_sent),
    ];
    row.extend(counts.map(|(name, count)| (name.to_owned(), count.to_string())));
    for (name, times) in [("response", &load.response), ("service", &load.service)] {
        row.push((format!("{name}_mean_s"), known(times.mean())));
        for (quantile, q) in judge::QUANTILES {
            let figure = judge::quantile(times, q);
            let interval = figure.and_then(|figure| figure.interval);
            let name = format!("{name}_{}", quantile.replace('.', "_"));
            row.push((format!("{name}_s"), known(figure.map(|of| of.value))));
            row.push((format!("{name}_low_s"), known(interval.map(|of| of.0))));
            row.push((format!("{name}_high_s"), known(interval.map(|of| of.1))));
        }
        row.push((format!("{name}_max_s"), known(times.max())));
    }
    let each = (load.completed > 0).then(|| load.engine.cpu() / load.completed as f64);
    let invalid = of.is_doubted();
    row.push(("engine_cpu_per_request_s".to_owned(), known(each)));
    row.push(("trusted".to_owned(), (!invalid).to_string()));
    row.push(("interrupted".to_owned(), of.interrupted.to_string()));
    row.push(("retries".to_owned(), load.retries.to_string()));
    row.push(("sent".to_owned(), load.sent.to_string()));
    row.push(("sent_again".to_owned(), load.sent_again.to_string()));
    row.push(("drained".to_owned(), load.drained.to_string()));
    row.push(("trailed".to_owned(), load.trailed.to_string()));
    row.push(("unanswered".to_owned(), load.unanswered().to_string()));
    for (name, times) in [
        ("first_byte", &load.first_byte),
        ("body", &load.body),
        ("connect", &load.connect),
        ("tls", &load.tls),
        ("page", &load.pages),
    ] {
        row.push((format!("{name}_mean_s"), known(times.mean())));
        for (quantile, q) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)] {
            let value = judge::quantile(times, q).map(|figure| figure.value);
            row.push((format!("{name}_{quantile}_s"), known(value)));
        }
        row.push((format!("{name}_max_s"), known(times.max())));
    }
    row
}

/// Of a rate that changes: `segment_1_until_s`, `segment_1_offered_rps`, …
fn segments(load: &LoadFacts) -> Vec<(String, String)> {
    let told = |(number, segment): (usize, &SegmentFacts)| {
        let quantile = |q| judge::quantile(&segment.response, q).map(|figure| figure.value);
        [
            ("until_s", Some(segment.until)),
            ("offered_rps", Some(segment.offered())),
            ("throughput_rps", Some(segment.achieved())),
            ("response_p50_s", quantile(0.5)),
            ("response_p95_s", quantile(0.95)),
            ("response_p99_s", quantile(0.99)),
            ("errors", Some(segment.errors())),
        ]
        .map(|(name, value)| (format!("segment_{number}_{name}"), known(value)))
    };
    (1..).zip(&load.segments).flat_map(told).collect()
}

fn known(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    let _ = write!(quoted, "\"{}\"", text.replace('"', "\"\""));
    quoted
}
