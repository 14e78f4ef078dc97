//! Variants that are a client of weir's own origin.

use std::path::Path;

use record::{Amount, Client, Load, Shape, Variant};

use super::Resolver;
use crate::plan::error::PlanError;
use crate::plan::file::{ClientKeys, ClientTable, PlanFile, VariantTable};

/// Longest time between a request and its response, in seconds.
const LONGEST_DELAY: f64 = 60.0;
/// The keys of a load that a client has, or that are refused in words of their own.
const OF_CLIENTS: [&str; 4] = ["seconds", "requests", "rate", "think"];
/// What stands for the interpreter that the user named among a client's words, and what it is where none was named.
const PYTHON: (&str, &str) = ("{python}", "python3");

impl Resolver<'_> {
    /// A client is started alone, and asks for whatever it likes.
    pub(super) fn is_alone(&self, index: usize, table: &VariantTable) -> Result<(), PlanError> {
        let given = [
            (table.url.is_some(), "url"),
            (table.server.is_some(), "server"),
            (!table.front.0.is_empty(), "front"),
            (!table.services.is_empty(), "services"),
            (table.supervisor.is_some(), "supervisor"),
            (table.route.is_some(), "route"),
            (table.app.is_some(), "app"),
            (table.insecure, "insecure"),
        ];
        let Some((_, name)) = given.iter().find(|(given, _)| *given) else {
            return Ok(());
        };
        let problem = format!("a client asks weir's own origin, so that `{name}` has no meaning");
        let hint = format!("leave out `client` or `{name}`");
        Err(self.wrong(&format!("variant[{index}]"), &problem, &hint))
    }

    /// The client that a table means.
    pub(super) fn client(&self, index: usize, table: ClientTable) -> Result<Client, PlanError> {
        let keys = match table {
            ClientTable::Table(keys) => keys,
            ClientTable::Words(command) => ClientKeys {
                command,
                delay: None,
                status: None,
                body: None,
            },
        };
        let wrong = |key: &str, problem: &str, hint: &str| {
            let key = format!("variant[{index}].client{key}");
            Err(self.wrong(&key, problem, hint))
        };
        if keys.command.first().is_none_or(String::is_empty) {
            let hint = "write `client = [\"python3\", \"orders.py\"]`";
            return wrong("", "names no program", hint);
        }
        let words = keys.command.into_iter().map(|word| self.word(word));
        let of = Client::of(words.collect(), folder(self.path));
        let client = Client {
            delay: keys.delay.unwrap_or(of.delay),
            status: keys.status.unwrap_or(of.status),
            body: keys.body.unwrap_or(of.body),
            command: of.command,
            dir: of.dir,
        };
        if !(0.0..=LONGEST_DELAY).contains(&client.delay) {
            let hint = "write `delay = 0.02`";
            return wrong(".delay", "must be between 0 and 60 seconds", hint);
        }
        if !(200..=599).contains(&client.status) {
            let hint = "write `status = 200`";
            return wrong(".status", "must be between 200 and 599", hint);
        }
        Ok(client)
    }

    /// A word of a client's command. The client is started in a folder of its own, from which a relative path would lead
    /// elsewhere.
    fn word(&self, word: String) -> String {
        let (place, usual) = PYTHON;
        match self.python.map(std::path::absolute) {
            _ if word != place => word,
            Some(Ok(python)) => python.to_string_lossy().into_owned(),
            _ => usual.to_owned(),
        }
    }

    /// What is said of clients' loads, and would have no effect, is refused: the plan's where all its variants are clients, and
    /// those of their own.
    pub(super) fn clients_have_no_load(&self, file: &PlanFile) -> Result<(), PlanError> {
        let clients = file.variant.iter().filter(|of| of.client.is_some());
        let clients: Vec<_> = clients.collect();
        let alone = !clients.is_empty() && clients.len() == file.variant.len();
        let of_all = alone.then(|| ("load".to_owned(), &file.load));
        let own = clients.iter();
        let own = own.map(|of| (format!("variant[{}].load", of.from), &of.load));
        let loads = of_all.into_iter().chain(own);
        let mut keys =
            loads.flat_map(|(table, load)| load.given().map(move |key| (table.clone(), key)));
        let Some((table, key)) = keys.find(|(_, key)| !OF_CLIENTS.contains(&&**key)) else {
            return Ok(());
        };
        let problem = "has no effect on a client, which makes its requests as it likes";
        let hint = format!("leave out `{key}`; how long a client is measured is `seconds`");
        Err(self.wrong(&format!("{table}.{key}"), problem, &hint))
    }

    /// Of a load a client has the length alone: it asks as often as it likes, when it likes.
    pub(super) fn has_a_time(&self, variant: &Variant, load: &Load) -> Result<(), PlanError> {
        if variant.client.is_none() {
            return Ok(());
        }
        let name = &variant.name;
        if let Amount::Requests(_) = load.amount {
            let problem = format!("`{name}` is a client, which makes as many requests as it likes");
            let hint = "end the window by time: `seconds = 5`";
            return Err(self.wrong("load.requests", &problem, hint));
        }
        let (key, hint) = match load.shape {
            Shape::Closed { think, .. } if think <= 0.0 => return Ok(()),
            Shape::Closed { .. } => ("load.think", "leave out `think`: let the client pause"),
            _ => ("load.rate", "leave out `rate`: let the client keep to it"),
        };
        let problem = format!("`{name}` is a client, which makes its requests when it likes");
        Err(self.wrong(key, &problem, hint))
    }
}

/// The folder of a plan, from the root on: it is stored, and resumed from elsewhere.
fn folder(plan: &Path) -> std::path::PathBuf {
    let folder = match plan.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}
