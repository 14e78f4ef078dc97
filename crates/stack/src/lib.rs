//! A stack becomes processes: composed, rendered, supervised, ready, verified.
