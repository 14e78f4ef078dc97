//! `wrk.lookup`, `wrk.connect`, and the addresses that they speak of.

use std::fmt;
use std::fs;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use mlua::{AnyUserData, Lua, MetaMethod, Table, UserData, UserDataMethods, Value};
use record::Target;

/// Longest time that `wrk.connect` waits.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where a thread connects to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address(pub(crate) Target);

impl fmt::Display for Address {
    /// As wrk prints it: an IPv6 address without brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Target::Tcp(address) => write!(f, "{}:{}", address.ip(), address.port()),
            Target::Unix(path) => write!(f, "{}", path.display()),
        }
    }
}

impl UserData for Address {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| Ok(this.to_string()));
    }
}

/// Puts `lookup` and `connect` into the `wrk` table.
pub(crate) fn install(lua: &Lua, wrk: &Table) -> mlua::Result<()> {
    wrk.set(
        "lookup",
        lua.create_function(|lua, (host, service): (String, Option<String>)| {
            let found = lookup(&host, service.as_deref()).map_err(mlua::Error::RuntimeError)?;
            lua.create_sequence_from(found)
        })?,
    )?;
    wrk.set(
        "connect",
        lua.create_function(|_, address: AnyUserData| Ok(connect(&*address.borrow::<Address>()?)))?,
    )
}

/// The address that a value of the script's stands for.
pub(crate) fn of(value: &Value) -> mlua::Result<Address> {
    let data = value.as_userdata().ok_or_else(|| {
        let kind = value.type_name();
        mlua::Error::runtime(format!(
            "an address from wrk.lookup() was expected, found {kind}"
        ))
    })?;
    Ok(data.borrow::<Address>()?.clone())
}

fn lookup(host: &str, service: Option<&str>) -> Result<Vec<Address>, String> {
    let service = service.unwrap_or("0");
    let unknown = |why: &str| format!("unable to resolve {host}:{service} {why}");
    let port = port(service).ok_or_else(|| unknown("(no such service)"))?;
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let found = (bare, port)
        .to_socket_addrs()
        .map_err(|error| unknown(&error.to_string()))?;
    Ok(found.map(|address| Address(Target::Tcp(address))).collect())
}

/// A number, or the name of a service over TCP (`services(5)`).
fn port(service: &str) -> Option<u16> {
    let named = || match service {
        "http" => Some(80),
        "https" => Some(443),
        _ => fs::read_to_string("/etc/services")
            .ok()?
            .lines()
            .find_map(|line| {
                let mut words = line.split('#').next()?.split_whitespace();
                let (name, rest) = (words.next()?, words.next()?);
                let known = name == service || words.any(|alias| alias == service);
                rest.strip_suffix("/tcp").filter(|_| known)?.parse().ok()
            }),
    };
    service.parse().ok().or_else(named)
}

fn connect(address: &Address) -> bool {
    match &address.0 {
        Target::Tcp(address) => TcpStream::connect_timeout(address, PATIENCE).is_ok(),
        Target::Unix(path) => UnixStream::connect(path).is_ok(),
    }
}
