//! What is made of stored facts, in one program: it is linked once.

mod attempts;
mod claims;
mod claims_held_down;
mod curves;
mod decisions;
mod doubts;
mod figures;
mod findings;
mod findings_beside;
mod generator;
mod lab;
mod lead;
mod looks;
mod matrices;
mod nothing_below;
mod one_end;
mod pace;
mod parts;
mod peaks;
mod rankings;
mod runs;
mod scatter;
mod stressed;
mod sweeps;
mod thresholds;
mod verdicts;
