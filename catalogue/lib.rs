//! The app servers and front ends that weir knows, as data: one TOML file each.
