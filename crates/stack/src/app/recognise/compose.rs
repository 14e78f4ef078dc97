//! What a compose file says of the service that answers requests.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::container::Command;

/// Names of a compose file.
pub(super) const FILES: [&str; 4] = [
    "compose.yaml",
    "compose.yml",
    "docker-compose.yaml",
    "docker-compose.yml",
];
/// Names of the service that answers requests, by custom.
const SERVICES: [&str; 5] = ["web", "app", "api", "server", "backend"];

#[derive(Debug, Deserialize)]
struct Compose {
    #[serde(default)]
    services: BTreeMap<String, Service>,
}

/// A service, as far as it says how the app is run.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Service {
    /// Built from this project, and no image of others.
    build: Option<serde::de::IgnoredAny>,
    ports: Option<serde::de::IgnoredAny>,
    pub(super) command: Option<Command>,
    pub(super) entrypoint: Option<Command>,
    #[serde(default)]
    pub(super) environment: Environment,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Environment {
    List(Vec<String>),
    Map(BTreeMap<String, serde_json::Value>),
}

impl Default for Environment {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Environment {
    pub(super) fn names(self) -> Vec<String> {
        let name = |pair: String| pair.split('=').next().unwrap_or_default().to_owned();
        match self {
            Self::List(pairs) => pairs.into_iter().map(name).collect(),
            Self::Map(pairs) => pairs.into_keys().collect(),
        }
    }
}

impl Service {
    /// The service of a compose file that answers requests: of those that are built here, one that is called so, or
    /// one with ports.
    pub(super) fn choose(text: &str) -> Option<Self> {
        let compose: Compose = serde_saphyr::from_str(text).ok()?;
        let built = compose
            .services
            .into_iter()
            .filter(|(_, it)| it.build.is_some());
        let place = |(name, service): &(String, Self)| {
            let called = SERVICES.iter().position(|it| it == name);
            (service.ports.is_none(), called.unwrap_or(SERVICES.len()))
        };
        let (_, mut service) = built.min_by_key(place)?;
        // as compose writes a dollar sign
        if let Some(Command::Line(line)) = &mut service.command {
            *line = line.replace("$$", "$");
        }
        Some(service)
    }

    pub(super) fn says(&self) -> bool {
        self.command.is_some() || self.entrypoint.is_some()
    }
}
