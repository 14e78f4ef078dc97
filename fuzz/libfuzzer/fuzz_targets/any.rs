//! The target that the variable `WEIR_FUZZ` names.

#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<fuzz::Target> = LazyLock::new(|| {
    let name = std::env::var("WEIR_FUZZ").unwrap_or_default();
    fuzz::find(&name).unwrap_or_else(|| panic!("WEIR_FUZZ is no target: `{name}`"))
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| (TARGET.run)(data));
