//! A load plan becomes load: worker threads that own their connections, clock and recorder.
