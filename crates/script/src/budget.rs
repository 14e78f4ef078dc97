//! How much a script may do before it must come back.
//!
//! A script that never comes back would hold its thread for good, which no signal can end. LuaJIT looks
//! for hooks in interpreted code alone: loops that it has compiled run on without. So it does not
//! compile, and every so many instructions a hook looks at what is left.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use mlua::debug::Debug;
use mlua::{Error, HookTriggers, Lua, Result, VmState};

/// Instructions of Lua that one call may take by default: some seconds.
pub(crate) const MOST: u64 = 500_000_000;

/// After how many it is looked.
const STEP: u32 = 100_000;

/// Nothing is compiled, and nothing can switch that on again.
const INTERPRETED: &str = "jit.off() jit.flush() jit.on = function() end";

/// What is left of a call, in steps; shared with the state's hook.
#[derive(Clone, Debug)]
struct Budget {
    most: u64,
    left: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
}

/// From now on each call of this state may take so many instructions.
pub(crate) fn watch(lua: &Lua, most: u64) -> Result<()> {
    lua.load(INTERPRETED).set_name("=weir").exec()?;
    let budget = Budget {
        most: most.div_ceil(STEP.into()),
        left: Arc::default(),
        over: Arc::default(),
    };
    budget.refill();
    lua.set_app_data(budget.clone());
    let triggers = HookTriggers::new().every_nth_instruction(STEP);
    lua.set_global_hook(triggers, move |lua, debug| {
        if budget.goes_on() {
            return Ok(VmState::Continue);
        }
        // An error alone could be caught, again and again: nothing in this state runs any more.
        let always = HookTriggers::new().every_nth_instruction(1);
        lua.set_global_hook(always, move |_, debug| Err(exhausted(most, debug)))?;
        Err(exhausted(most, debug))
    })
}

/// Another call begins.
pub(crate) fn refill(lua: &Lua) {
    if let Some(budget) = lua.app_data_ref::<Budget>() {
        budget.refill();
    }
}

/// Whether a call has taken too much, after which none runs any more.
pub(crate) fn is_over(lua: &Lua) -> bool {
    lua.app_data_ref::<Budget>()
        .is_some_and(|budget| budget.over.load(Ordering::Relaxed))
}

impl Budget {
    fn refill(&self) {
        self.left.store(self.most, Ordering::Relaxed);
    }

    fn goes_on(&self) -> bool {
        let left = self.left.load(Ordering::Relaxed).saturating_sub(1);
        self.left.store(left, Ordering::Relaxed);
        if left == 0 {
            self.over.store(true, Ordering::Relaxed);
        }
        left > 0
    }
}

/// As Lua says it: file, line, and what.
fn exhausted(most: u64, debug: &Debug) -> Error {
    let what = format!("it has not come back after {most} instructions");
    let file = debug.source().short_src;
    Error::RuntimeError(match (file, debug.current_line()) {
        (Some(file), Some(line)) => format!("{file}:{line}: {what}"),
        _ => what,
    })
}
