//! What happens inside meanwhile: CPU time and memory of every process of a stack.
