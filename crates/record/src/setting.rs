//! A number for a key of a variant that is resolved.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Arrivals, Choice, Knob, Load, Shape, Variant};

/// A key of a variant, as `set` of a plan writes it, and a number for it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Setting {
    /// `server.workers`, `front.1.server-maxconn`, `load.connections`.
    pub key: String,
    /// What it is set to.
    pub value: i64,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.key, self.value)
    }
}

impl Variant {
    /// Sets a key; false where it is none that a number can be set to. `usual` is the load of the variant's plan.
    pub fn set(&mut self, setting: &Setting, usual: &Load) -> bool {
        let value = setting.value;
        let keys: Vec<&str> = setting.key.split('.').collect();
        match keys[..] {
            ["server", key] => self
                .server
                .as_mut()
                .is_some_and(|server| server.set(key, value)),
            ["front", key] => match &mut self.fronts[..] {
                [front] => front.set(key, value),
                _ => false,
            },
            ["front", place, key] => {
                let place = place.parse::<usize>().ok();
                let front = place.and_then(|place| self.fronts.get_mut(place));
                front.is_some_and(|front| front.set(key, value))
            }
            ["load", key] => {
                let load = self.load.get_or_insert_with(|| usual.clone());
                set_load(load, key, value)
            }
            _ => false,
        }
    }
}

impl Choice {
    fn set(&mut self, key: &str, value: i64) -> bool {
        match key {
            "entry" | "link" => return false,
            "instances" => match u32::try_from(value) {
                Ok(instances) if instances > 0 => self.instances = instances,
                _ => return false,
            },
            knob => drop(self.knobs.insert(knob.to_owned(), Knob::Number(value))),
        }
        true
    }
}

fn set_load(load: &mut Load, key: &str, value: i64) -> bool {
    let count = u32::try_from(value).ok().filter(|count| *count > 0);
    // a page's connections are those of whole visitors
    match (key, count, &mut load.shape) {
        ("connections", Some(count), _) if load.page.is_none() => load.connections = count,
        ("streams", Some(count), _) => load.streams = count,
        ("rate", Some(count), Shape::Open(arrivals)) => {
            arrivals.segments = Arrivals::steady(f64::from(count));
        }
        _ => return false,
    }
    load.make_room();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Process, Visitors, Visits};

    fn set_to(key: &str, value: i64) -> Option<Variant> {
        let mut variant = Variant {
            server: Some(Choice::of("puma")),
            fronts: vec![Choice::of("nginx"), Choice::of("haproxy")],
            ..Variant::default()
        };
        let setting = Setting {
            key: key.to_owned(),
            value,
        };
        variant.set(&setting, &Load::default()).then_some(variant)
    }

    #[test]
    fn knobs_instances_and_keys_of_the_load_can_be_set_and_others_cannot() {
        let knob = |of: &Choice| of.knobs.get("threads").cloned();
        let server = set_to("server.threads", 4).unwrap().server.unwrap();
        assert_eq!(knob(&server), Some(Knob::Number(4)));
        let server = set_to("server.instances", 4).unwrap().server.unwrap();
        assert_eq!(server.instances, 4);
        let chain = set_to("front.1.threads", 4).unwrap().fronts;
        assert_eq!(knob(&chain[1]), Some(Knob::Number(4)));
        assert_eq!(set_to("load.streams", 4).unwrap().load.unwrap().streams, 4);
        for path in [
            "front.threads",
            "front.2.threads",
            "server.link",
            "load.rate",
            "load.requests",
            "route",
        ] {
            assert!(set_to(path, 4).is_none(), "{path}");
        }
        assert!(set_to("load.connections", 0).is_none());
    }

    #[test]
    fn a_rate_is_that_of_an_open_loop_and_pages_have_visitors() {
        let mut load = Load {
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(10.0),
                max_outstanding: 20,
                seed: 1,
            }),
            ..Load::default()
        };
        assert!(set_load(&mut load, "rate", 50) && set_load(&mut load, "connections", 30));
        let arrivals = load.shape.arrivals().unwrap();
        assert_eq!(
            (arrivals.mean_rate() as i64, arrivals.max_outstanding),
            (50, 30)
        );
        load.page = Some(Visitors {
            connections: 6,
            visits: Visits::Both,
        });
        assert!(!set_load(&mut load, "connections", 30));
    }
}
