/// Asks the processor to bring a value into its cache, without waiting for it: where many connections take turns, what is
/// known of the next one is in none. Does nothing where the processor cannot be asked.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..size_of::<T>()).step_by(64) {
        let place = std::ptr::from_ref(value).cast::<i8>().wrapping_add(line);
        #[allow(
            unsafe_code,
            reason = "the standard library has it with a pointer only"
        )]
        // SAFETY: a prefetch reads nothing that the program can see, and faults at no address.
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
