use record::Load;

/// How many worker threads a load has on so many cores: as many as it asks for, or one per core and as
/// many as it takes to hold all connections, and never more than connections.
pub fn threads(load: &Load, cores: u32) -> u32 {
    let wanted = if load.threads == 0 {
        cores.max(crate::descriptors::workers_for(load.connections))
    } else {
        load.threads
    };
    wanted.clamp(1, load.connections.max(1))
}
