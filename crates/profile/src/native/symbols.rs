//! The functions of a file of machine code, and what it says of their part of the stack.

use std::fmt::{self, Write as _};
use std::fs::File;
use std::path::Path;

use object::{
    Object as _, ObjectSection as _, ObjectSegment as _, ObjectSymbol as _, ReadCache, SymbolKind,
};

use super::unwind::Rules;

/// Most functions of a file that are told apart.
const MOST: usize = 1_000_000;
/// Longest name as it is read.
const LONGEST: usize = 4_096;
/// Longest name as it is kept: what a few bytes stand for may be a million.
const KEPT: usize = 512;
/// Bytes of all functions of all files of a process, and of the rules for their part of the stack.
pub(super) const ROOM: usize = 256 << 20;
/// Bytes of a function beside its name.
const EACH: usize = size_of::<(u64, u64, Box<str>)>();
/// Largest file whose functions are read: what its headers say of it may be anything.
const LARGEST: u64 = 1 << 30;
/// What Go's linker leaves in its programs.
const GO: &str = ".gopclntab";

/// The functions of a file, by their addresses.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    is_go: bool,
    /// Of each part of the file that is loaded: where it begins in the file, its length, and its address.
    segments: Vec<(u64, u64, u64)>,
    /// Addresses, sizes, and names as they stand in the file; sorted by address.
    functions: Vec<(u64, u64, Box<str>)>,
    rules: Option<Rules>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// As people write it.
    pub(super) name: String,
    /// The package that it is of, where its language has such names.
    pub(super) package: Option<String>,
}

impl Symbols {
    /// Those of a file as a process sees it, as far as there is room; none of one that cannot be read, or has none.
    pub(super) fn of(pid: u32, path: &str, room: &mut usize) -> Self {
        let is_small = |file: &File| file.metadata().is_ok_and(|of| of.len() <= LARGEST);
        let file = input::open(Path::new(&format!("/proc/{pid}/root{path}"))).ok();
        file.filter(is_small)
            .and_then(|file| Self::read(file, room).ok())
            .unwrap_or_default()
    }

    fn read(file: File, room: &mut usize) -> object::Result<Self> {
        let cache = ReadCache::new(file);
        let object = object::File::parse(&cache)?;
        let rules = Rules::of(&object, room);
        let is_go = object.sections().any(|of| of.name() == Ok(GO));
        let segments = object.segments().map(|of| {
            let (offset, size) = of.file_range();
            (offset, size, of.address())
        });
        let all = object.symbols().chain(object.dynamic_symbols());
        let functions = all
            .filter(|of| of.kind() == SymbolKind::Text && of.is_definition())
            .filter_map(|of| {
                let name = of.name().ok().filter(|name| name.len() <= LONGEST)?;
                *room = room.checked_sub(EACH + name.len())?;
                Some((of.address(), of.size(), name.into()))
            });
        let mut functions: Vec<_> = functions.take(MOST).collect();
        functions.sort_by_key(|(address, ..)| *address);
        Ok(Self {
            is_go,
            segments: segments.collect(),
            functions,
            rules,
        })
    }

    /// Whether Go's compiler made it.
    pub(super) fn is_go(&self) -> bool {
        self.is_go
    }

    /// The address of a place of the file, as the file gives addresses.
    fn address(&self, in_file: u64) -> Option<u64> {
        let mut segments = self.segments.iter();
        let (offset, _, address) = segments
            .find(|(offset, size, _)| (*offset..offset.saturating_add(*size)).contains(&in_file))?;
        Some((in_file - offset).wrapping_add(*address))
    }

    /// What the file says of its functions' part of the stack, and the address of a place as these rules give it.
    pub(super) fn rules(&self, in_file: u64) -> Option<(&Rules, u64)> {
        Some((self.rules.as_ref()?, self.address(in_file)?))
    }

    /// The function at a place of the file.
    pub(super) fn named(&self, in_file: u64) -> Option<Named> {
        let address = self.address(in_file)?;
        let behind = self.functions.partition_point(|(at, ..)| *at <= address);
        let (at, size, name) = self.functions.get(behind.checked_sub(1)?)?;
        // some compilers give no sizes; then it reaches to the next
        (*size == 0 || address < at.saturating_add(*size)).then(|| named(name, self.is_go))
    }
}

fn named(name: &str, is_go: bool) -> Named {
    if is_go && let Some((package, name)) = of_package(name) {
        return Named {
            name: kept(name).to_owned(),
            package: Some(format!("go:{}", kept(&package))),
        };
    }
    let readable = of_rust(name).or_else(|| of_cpp(name));
    Named {
        name: readable.unwrap_or_else(|| kept(name).to_owned()),
        package: None,
    }
}

/// What is kept of a name.
fn kept(name: &str) -> &str {
    &name[..name.floor_char_boundary(KEPT)]
}

/// A name that is being written, as far as it is kept: who writes more is stopped.
#[derive(Default)]
struct Short {
    name: String,
    is_cut: bool,
}

impl fmt::Write for Short {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let room = KEPT - self.name.len();
        let fits = &more[..more.floor_char_boundary(room)];
        self.name.push_str(fits);
        self.is_cut |= fits.len() < more.len();
        if self.is_cut { Err(fmt::Error) } else { Ok(()) }
    }
}

fn of_rust(name: &str) -> Option<String> {
    let rust = rustc_demangle::try_demangle(name).ok()?;
    let mut short = Short::default();
    // without the hash at its end; where it does not fit, its begin is there
    let _ = write!(short, "{rust:#}");
    Some(short.name)
}

fn of_cpp(name: &str) -> Option<String> {
    // what is not mangled would be read as a type: `a` is `signed char`
    if !name.starts_with("_Z") {
        return None;
    }
    let symbol = cpp_demangle::Symbol::new(name).ok()?;
    let options = cpp_demangle::DemangleOptions::new().no_params();
    let mut short = Short::default();
    let written = symbol.structured_demangle(&mut short, &options);
    (written.is_ok() || short.is_cut).then_some(short.name)
}

/// The package and the function of one of Go's symbols: `net/http`, `(*conn).serve`.
fn of_package(symbol: &str) -> Option<(String, &str)> {
    let path = symbol.rfind('/').map_or(0, |slash| slash + 1);
    let dot = path + symbol[path..].find('.')?;
    let (package, name) = (&symbol[..dot], &symbol[dot + 1..]);
    // a dot in a path's last part is written so
    Some((package.replace("%2e", "."), name)).filter(|_| !package.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_people_write_them() {
        let of = |name: &str, is_go| {
            let named = named(name, is_go);
            (named.package.unwrap_or_default(), named.name)
        };
        let text = |package: &str, name: &str| (package.to_owned(), name.to_owned());
        assert_eq!(of("main.page", true), text("go:main", "page"));
        assert_eq!(
            of("net/http.(*conn).serve", true),
            text("go:net/http", "(*conn).serve")
        );
        assert_eq!(
            of("gopkg.in/yaml%2ev3.Marshal", true),
            text("go:gopkg.in/yaml.v3", "Marshal")
        );
        assert_eq!(of("_cgo_init", true), text("", "_cgo_init"));
        assert_eq!(of("ngx_http_handler", false), text("", "ngx_http_handler"));
        assert_eq!(
            of("_ZN2v88internal4HeapC2Ev", false).1,
            "v8::internal::Heap::Heap"
        );
        assert_eq!(
            of("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", false).1,
            "core::fmt::Formatter::pad"
        );
    }

    #[test]
    fn names_are_kept_as_far_as_there_is_room() {
        let length = |name: &str, is_go| named(name, is_go).name.len();
        // a few bytes that stand for a function of very many lifetimes
        assert_eq!(length("_RMC0FGZZZ_Eu", false), KEPT);
        assert_eq!(length(&"x".repeat(4_000), false), KEPT);
        assert_eq!(length(&format!("x{}", "é".repeat(400)), false), KEPT - 1);
        let of_cpp = format!("_Z4000{}", "x".repeat(4_000));
        assert_eq!(length(&of_cpp, false), KEPT);
        let of = named(
            &format!("{}.{}", "p".repeat(1_000), "f".repeat(1_000)),
            true,
        );
        assert_eq!(of.name.len(), KEPT);
        assert_eq!(of.package.unwrap().len(), "go:".len() + KEPT);
    }

    #[test]
    fn a_place_is_in_the_function_before_it_as_far_as_that_reaches() {
        let symbols = Symbols {
            is_go: false,
            segments: vec![(0x1000, 0x1000, 0x40_1000)],
            functions: vec![(0x40_1100, 0x10, "a".into()), (0x40_1200, 0, "b".into())],
            rules: None,
        };
        let name = |place| symbols.named(place).map(|named| named.name);
        assert_eq!(name(0x1100).as_deref(), Some("a"));
        assert_eq!(name(0x110f).as_deref(), Some("a"));
        assert_eq!(name(0x1110), None);
        assert_eq!(name(0x1fff).as_deref(), Some("b"));
        for nowhere in [0, 0x10ff, 0x2000, u64::MAX] {
            assert_eq!(name(nowhere), None, "{nowhere:x}");
        }
    }

    #[test]
    fn what_is_no_machine_code_has_no_functions() {
        let pid = std::process::id();
        let number = |path: &str, room: &mut usize| Symbols::of(pid, path, room).functions.len();
        for not in ["/etc/passwd", "/nowhere", "/dev/zero"] {
            let mut room = ROOM;
            assert_eq!(number(not, &mut room), 0, "{not}");
        }
        let own = std::env::current_exe().unwrap().display().to_string();
        let mut room = ROOM;
        let all = number(&own, &mut room);
        assert!(all > 0 && room < ROOM, "{all}");
        // another file gets what is left
        let mut room = ROOM - room - EACH;
        let fewer = number(&own, &mut room);
        assert!((1..all).contains(&fewer), "{fewer} of {all}");
    }
}
