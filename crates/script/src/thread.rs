//! The object that a script knows as `thread`: another Lua state, seen from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value, WeakLua};
use std::sync::Mutex;

use crate::address::{self, Address};

/// Tables nested deeper are not copied: they hold themselves.
const DEEPEST: usize = 64;

/// What is known of a thread on both sides.
#[derive(Debug)]
pub(crate) struct Thread {
    address: Mutex<Address>,
    running: AtomicBool,
    stopped: AtomicBool,
}

impl Thread {
    pub(crate) fn new(address: Address) -> Self {
        Self {
            address: Mutex::new(address),
            running: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
        }
    }

    /// Where the script wants it to connect.
    pub(crate) fn address(&self) -> Address {
        self.address
            .lock()
            .map_or_else(|poisoned| poisoned.into_inner().clone(), |a| a.clone())
    }

    /// From now on `thread:stop()` has an effect; before the load begins it has none, as in wrk.
    pub(crate) fn run(&self) {
        self.stopped.store(false, Ordering::Relaxed);
        self.running.store(true, Ordering::Relaxed);
    }

    /// Whether the script has stopped it.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        if self.running.load(Ordering::Relaxed) {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }
}

/// The userdata. It does not own the state, which may hold it as `wrk.thread`.
pub(crate) struct Handle {
    pub(crate) lua: WeakLua,
    pub(crate) thread: Arc<Thread>,
}

impl Handle {
    fn state(&self) -> mlua::Result<Lua> {
        let gone = || mlua::Error::RuntimeError("the thread has ended".to_owned());
        self.lua.try_upgrade().ok_or_else(gone)
    }
}

impl UserData for Handle {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("addr", |_, this| Ok(this.thread.address()));
        fields.add_field_method_set("addr", |_, this, value: Value| {
            let address = address::of(&value)?;
            if let Ok(mut own) = this.thread.address.lock() {
                *own = address;
            }
            Ok(())
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("get", |lua, this, name: String| {
            let value: Value = this.state()?.globals().get(name)?;
            copy(&value, lua, 0)
        });
        methods.add_method("set", |_, this, (name, value): (String, Value)| {
            let state = this.state()?;
            state.globals().set(name, copy(&value, &state, 0)?)
        });
        methods.add_method("stop", |_, this, ()| {
            this.thread.stop();
            Ok(())
        });
    }
}

/// The same value in another state, if it is of a kind that can be carried over.
fn copy(value: &Value, to: &Lua, depth: usize) -> mlua::Result<Value> {
    let refuse = |what: &str| {
        let message = format!("cannot transfer '{what}' to thread");
        Err(mlua::Error::runtime(message))
    };
    Ok(match value {
        Value::Nil => Value::Nil,
        Value::Boolean(truth) => Value::Boolean(*truth),
        Value::Integer(number) => Value::Integer(*number),
        Value::Number(number) => Value::Number(*number),
        Value::String(text) => Value::String(to.create_string(text.as_bytes())?),
        Value::Table(_) if depth == DEEPEST => return refuse("table that holds itself"),
        Value::Table(table) => {
            let copied = to.create_table()?;
            for pair in table.pairs::<Value, Value>() {
                let (key, value) = pair?;
                copied.raw_set(copy(&key, to, depth + 1)?, copy(&value, to, depth + 1)?)?;
            }
            Value::Table(copied)
        }
        other => return refuse(other.type_name()),
    })
}
