//! Development only: a scripted HTTP peer, condition waiting, temporary folders.
