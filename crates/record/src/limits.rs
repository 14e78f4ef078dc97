//! The most that a load or a plan may ask for: what is beyond them is a slip of the finger, and would
//! be found out only when the memory is gone.

/// Connections of a load, and of a crowd beside it.
pub const CONNECTIONS: u32 = 1_000_000;
/// Requests under way at once, over all connections.
pub const AT_ONCE: u64 = 1_000_000;
/// Requests under way at once on a connection.
pub const STREAMS: u32 = 1000;
/// Worker threads.
pub const THREADS: u32 = 1024;
/// Requests of an open loop that may be due and unfinished.
pub const OUTSTANDING: u32 = 10_000_000;
/// Length of a window, in seconds: a day.
pub const WINDOW: f64 = 86_400.0;
/// Time limit of a request, and length of a warm-up, in seconds: an hour.
pub const TIME: f64 = 3600.0;
/// Faults in a window.
pub const FAULTS: usize = 16;
/// Connections that a fault opens at once: one address has local ports for them and for the load's.
pub const FAULT_CONNECTIONS: u32 = 10_000;
/// Length of a window with faults, in seconds: its responses are counted in 2,000 intervals, and of one that is longer than
/// half a second nothing says when a server was back.
pub const WINDOW_OF_FAULTS: f64 = 1_000.0;
/// Blocks of a plan.
pub const BLOCKS: u32 = 1000;
/// Instances of a server beside each other.
pub const INSTANCES: u32 = 256;
/// Rate of an open loop, requests per second: far beyond any one machine.
pub const RATE: f64 = 1e7;
/// Pace of a slow connection, bytes per second.
pub const SLOW_RATE: f64 = 1e6;
/// Connections that are reset, per second.
pub const RESETS: f64 = 1e6;
/// Looks of a profiler per second: beyond, it mostly measures itself.
pub const PROFILE: f64 = 1000.0;
/// Seconds of a slice, at least and at most.
pub const SLICE: std::ops::RangeInclusive<f64> = 0.01..=10.0;
