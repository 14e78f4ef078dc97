//! What a plan asks for and what a trial leaves: loads, conditions, plain facts, metric names, and how numbers are written.
//!
//! Most other crates meet here. Nothing in this crate measures, decides or prints; it only says
//! which facts exist, in which unit, and how they are written down (JSON through serde).
//! Durations are seconds (`f64`) where people read them and nanoseconds (`u64`) in distributions;
//! sizes are bytes; CPU time is seconds of one core.

#[macro_use]
extern crate schemars;

mod answers;
mod app;
mod bodies;
mod bytes;
mod calibration;
mod capacity;
mod cause;
mod client;
mod closest;
pub mod condition;
mod counters;
mod crowd;
mod distribution;
mod drain;
mod engine_cost;
mod fault;
mod flaw;
mod groups;
mod inside;
mod interval_log;
pub mod limits;
mod link;
mod load;
mod load_spec;
mod loading;
mod login;
mod machine;
pub mod metric;
mod moment;
mod named;
mod not_tried;
mod observed;
mod pair;
mod plan;
mod profile;
mod ranking;
mod reactor;
mod request_file;
mod route;
mod run;
mod segments;
mod setting;
mod shape;
mod sockets;
mod spoken;
mod stack;
mod stacks;
mod stress;
mod talk;
mod texts;
mod tls;
mod told;
mod trial;
mod typed;
pub mod units;
mod users;
mod variant;
mod window;

pub use answers::{CheckFacts, NamedFacts, Slow, TcpState, TimeLimit};
pub use app::{App, Interface, NoRoute, ServiceUse, StaticSite};
pub use bodies::{BodyCheck, Lengths};
pub use bytes::{Bytes, hexadecimal};
pub use calibration::{Calibration, ClosedLoop, Race};
pub use capacity::OfCapacity;
pub use cause::Cause;
pub use client::Client;
pub use closest::{closest, first_of, joined, listed, meant};
pub use condition::Condition;
pub use counters::{CounterAsk, CounterSource, CounterSpec, NotedSource};
pub use crowd::{Crowd, CrowdFacts, CrowdFigures, Habit};
pub use distribution::Distribution;
pub use drain::{DrainFacts, SlotTime};
pub use engine_cost::EngineCost;
pub use fault::{Blow, Fault, Recovery, Struck, Victim};
pub use flaw::{Flaw, Spelling, as_keys};
pub use groups::AT_ONCE;
pub use interval_log::{Stretch, interval_log};
pub use link::{Link, NoLink};
pub use load::LoadFacts;
pub use load_spec::{LoadSpec, RATE_SHAPES, RateShape, Until, WarmUpSpec};
pub use loading::{Amount, Load, Retry, Visitors, Visits, WarmUpPlan};
pub use login::{Credentials, Login, is_variable};
pub use machine::{ClockFacts, NetworkFacts, Pause, PauseFacts, Pressure, Stolen};
pub use metric::Metric;
pub use moment::Moment;
pub use not_tried::NotTried;
pub use observed::{
    CaptureFacts, Counted, CounterKind, Observed, OtherProgram, Others, ProbeCost, ProgramCounters,
    Series,
};
pub use plan::{Claim, Cpus, Network, Plan, Refine, Search};
pub use profile::{CodeClass, Doing, ProfileCount, ProfileFacts};
pub use ranking::{Criterion, Ranking, Rival};
pub use reactor::Reactor;
pub use request_file::RequestFile;
pub use route::{Method, Route};
pub use run::{Cut, Host, Run, RunStatus};
pub use segments::SegmentFacts;
pub use setting::Setting;
pub use shape::{Arrivals, Process, Segment, Shape, Spread};
pub use sockets::{FlowFacts, JointFacts, PortFacts, QueueFacts, SocketFacts};
pub use spoken::Spoken;
pub use stack::{
    BUSIEST_THREAD, ProcessCost, RUN_QUEUE_WAIT, RenderedFile, Role, Runtime, Scale, ServerFacts,
    StackFacts, Verified,
};
pub use stacks::{Function, Stack, Stacks};
pub use stress::Stress;
pub use talk::{Bodies, Forwarded, Lookups, Malformed, Misread, Stalls, Talk};
pub use texts::Texts;
pub use tls::Tls;
pub use told::{told, told_below};
pub use trial::{Failure, Measured, Outcome, Step, Trial};
pub use typed::{PEAKS, per_second, scaled};
pub use variant::{Change, Choice, Knob, Level, Sweep, Target, Transport, Variant};
pub use window::{Interval, SliceFacts, Tail, WarmUp};
pub use wire::{AtOnce, Protocol, TlsVersion};

pub use jiff::Timestamp;

/// The wall clock, read in this one place: when something happened, never how long it took.
pub fn now() -> Timestamp {
    Timestamp::now()
}
