//! What may spoil a load on this machine, looked at before it begins: most of it is a warning, and only a lack of local ports
//! is an error.

use std::fs;

use record::{Load, Target};

use crate::error::{Error, Result};
use crate::exit::Exit;

/// One sentence for each thing, for a load of up to so many connections.
pub(super) fn look(connections: u32, cores: u32) -> Vec<String> {
    let needed = u64::from(connections);
    let descriptors = kernel::descriptor_limit();
    [
        Some(descriptors)
            .filter(|limit| *limit < needed + 64)
            .map(|limit| format!("only {limit} files may be open at once: see `ulimit -n`")),
        ports()
            .filter(|ports| *ports < needed)
            .map(|ports| format!("only {ports} local ports: see net.ipv4.ip_local_port_range")),
        first_number("/proc/sys/net/core/somaxconn")
            .filter(|limit| *limit < connections.into())
            .map(|limit| format!("accept queues end at {limit:.0}: see net.core.somaxconn")),
        pressure()
            .filter(|share| *share > 10.0)
            .map(|share| format!("others waited for a CPU {share:.0} % of the last 10 s")),
        first_number("/proc/loadavg").and_then(|load| busy(load, cores)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Connections over TCP to one address need a local port each, of each address that they come from.
///
/// # Errors
/// This machine has fewer. What else fails of a load is only known from it.
pub(super) fn ports_for(load: &Load, target: &Target) -> Result<()> {
    let from = load.sources.len().max(1) as u64;
    let Some(ports) = ports().filter(|_| matches!(target, Target::Tcp { .. })) else {
        return Ok(());
    };
    if u64::from(load.connections) <= ports * from {
        return Ok(());
    }
    let message = format!(
        "{} connections to one address need a local port each, and this machine has {ports} (net.ipv4.ip_local_port_range)",
        load.connections
    );
    let hint = format!(
        "use `-c {}` at most, or connect from more addresses of this machine with `--source`",
        ports * from
    );
    Err(Error::new(Exit::Machine, message).hint(hint))
}

/// Connections that this process has room for, `wished` at most: descriptors, and local ports where
/// they are needed. Each worker needs some descriptors beside.
pub(super) fn room(wished: u32, ports_needed: bool, cores: u32) -> u32 {
    let beside = kernel::open_descriptors() + kernel::BESIDE_CONNECTIONS * u64::from(cores);
    let files = kernel::descriptor_limit().saturating_sub(beside);
    let ports = ports().filter(|_| ports_needed).unwrap_or(u64::MAX);
    let room = files.min(ports).max(1);
    u32::try_from(room).map_or(wished, |room| room.min(wished))
}

fn busy(load: f64, cores: u32) -> Option<String> {
    (load > f64::from(cores) / 2.0)
        .then(|| format!("the machine was busy before: load {load:.1} on {cores} cores"))
}

fn first_number(path: &str) -> Option<f64> {
    let text = fs::read_to_string(path).ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn ports() -> Option<u64> {
    kernel::local_ports().map(|ports| ports.len() as u64)
}

/// Share of the last ten seconds in which some task waited for a CPU, in percent.
fn pressure() -> Option<f64> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let some = text.lines().find(|line| line.starts_with("some"))?;
    let average = some
        .split_whitespace()
        .find_map(|word| word.strip_prefix("avg10="))?;
    average.parse().ok()
}
