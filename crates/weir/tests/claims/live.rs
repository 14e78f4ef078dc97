//! The claims that need a load per variant are run for real: one block, short windows.

use std::fs;

use serde_json::Value;
use toml::Table;

use crate::support::{Place, repository};

/// One request at a time takes it as long on a busy machine as on a quiet one.
const WAITS: &str = "
import time
def app(environ, start):
    time.sleep(0.01)
    start('200 OK', [('Content-Length', '2')])
    return [b'ok']
";

/// A page of three assets that takes longer than its document by what it waits for them, and that nginx spares it.
const PAGE: &str = "
import time
ASSETS = {'/static/a.css': 'text/css', '/static/b.js': 'application/javascript', '/static/c.svg': 'image/svg+xml'}
HTML = '<link rel=stylesheet href=/static/a.css><script src=/static/b.js></script><img src=/static/c.svg>'
def app(environ, start):
    time.sleep(0.01)
    path = environ['PATH_INFO']
    kind = ASSETS.get(path, 'text/html')
    body = open('.' + path, 'rb').read() if path in ASSETS else HTML.encode()
    start('200 OK', [('Content-Type', kind), ('Content-Length', str(len(body)))])
    return [body]
";

/// What of a plan that ships is run.
#[derive(Clone, Copy)]
struct Cut<'a> {
    plan: &'a str,
    /// The folder of an app in place of the plan's.
    app: Option<&'a str>,
    /// Keys of the load that become others: for `all` variants, and by variant.
    load: &'a str,
    variants: &'a [&'a str],
    /// Conditions in place of the plan's.
    expect: &'a [&'a str],
}

impl Cut<'_> {
    /// The plan, with the names of its two variants exchanged if they are to be.
    fn table(&self, place: &Place, exchanged: bool) -> Table {
        let folder = repository().join("claims");
        let read = |text: &str| text.parse::<Table>().unwrap();
        let mut plan = read(&fs::read_to_string(folder.join(self.plan)).unwrap());
        let app = match self.app {
            Some(folder) => place.path(folder),
            None => folder.join(plan["app"].as_str().unwrap()),
        };
        plan["app"] = app.to_str().unwrap().into();
        plan["load"]
            .as_table_mut()
            .unwrap()
            .extend(read(self.load)["all"].as_table().unwrap().clone());
        plan["noise-floor"] = "none".into();
        plan.remove("cpus"); // of one core there is none to give away
        let variants = plan["variant"].as_array_mut().unwrap();
        variants.retain(|variant| self.variants.contains(&variant["name"].as_str().unwrap()));
        for variant in variants {
            let name = variant["name"].as_str().unwrap().to_owned();
            if let Some(keys) = read(self.load).get(&name) {
                let load = variant.as_table_mut().unwrap()["load"].as_table_mut();
                load.unwrap().extend(keys.as_table().unwrap().clone());
            }
            if exchanged {
                let other = self.variants.iter().find(|other| **other != name).unwrap();
                variant["name"] = (*other).into();
            }
        }
        let claim = &mut plan["claim"].as_array_mut().unwrap()[0];
        claim["expect"] = self.expect.to_vec().into();
        plan
    }

    /// The values of its conditions.
    fn values(&self, place: &Place, exchanged: bool) -> Vec<f64> {
        values(&self.judged(place, exchanged))
    }

    fn judged(&self, place: &Place, exchanged: bool) -> Value {
        let text = toml::to_string(&self.table(place, exchanged)).unwrap();
        let plan = place.write(self.plan, &text);
        let said = place.run(&["run", plan.to_str().unwrap(), "--quick", "--json"]);
        let export = said.measured().json();
        export["judged"].clone()
    }
}

/// The values of a judged claim's conditions.
fn values(judged: &Value) -> Vec<f64> {
    let claim = &judged["claims"][0];
    assert_eq!(claim["holds"], "cannot-tell", "one block decides nothing");
    let conditions = claim["conditions"].as_array().unwrap().iter();
    let value = |of: &Value| of["value"].as_f64();
    conditions
        .map(|condition| value(condition).unwrap_or_else(|| panic!("{claim:#}")))
        .collect()
}

/// The same plan with its variants exchanged says the opposite: the verdict is measured.
#[test]
fn who_finds_the_accept_queue_full_gets_no_connection() {
    let place = Place::new();
    place.app(WAITS);
    let straight = Cut {
        plan: "a-queue.toml",
        app: Some("app"),
        load: "all = { seconds = 2, warm-up = { seconds = 0.1 } }",
        variants: &["queue-of-8", "queue-of-64", "past-the-room"],
        expect: &[
            "mean of `queue-of-64` / mean of `queue-of-8` > 1",
            "unconnected of `queue-of-64` <= 0",
            "unconnected of `past-the-room` > 0",
        ],
    };
    let judged = straight.judged(&place, false);
    assert!(
        judged.to_string().contains("\"queue-full\""),
        "the kernel counts them, and a doubt tells: {judged:#}"
    );
    let values = values(&judged);
    assert!(values[0] > 2.83, "eight times the queue: {values:?}");
    assert!(values[1] <= 0.0 && values[2] > 0.0, "{values:?}");
    let exchanged = Cut {
        variants: &straight.variants[..2],
        expect: &straight.expect[..1],
        ..straight
    };
    let values = exchanged.values(&place, true);
    assert!(values[0] < 1.0 / 2.83, "an eighth of the queue: {values:?}");
    place.assert_clean();
}

#[test]
fn a_page_takes_longer_than_its_document_and_gains_more_from_nginx() {
    let place = Place::new();
    place.app(PAGE);
    for asset in ["a.css", "b.js", "c.svg"] {
        place.write(&format!("app/static/{asset}"), asset);
    }
    let app = fs::read_to_string(place.path("app/app.toml")).unwrap();
    let with_site = format!("{app}[site]\ndir = \"static\"\nurl = \"/static/\"\n");
    place.write("app/app.toml", &with_site);
    let cut = Cut {
        plan: "a-page.toml",
        app: Some("app"),
        load: "all = { seconds = 1, warm-up = { seconds = 0.1 } }",
        variants: &["document", "page", "nginx-page"],
        expect: &[
            "page-mean of `page` / mean of `document` > 1",
            "page-mean of `nginx-page` / page-mean of `page` < 1",
        ],
    };
    let values = cut.values(&place, false);
    assert!(values[0] > 1.0 && values[1] < 1.0, "{values:?}");
    place.assert_clean();
}

#[test]
fn clients_that_retry_ask_for_more_and_get_less() {
    let place = Place::new();
    let cut = Cut {
        plan: "b-retry.toml",
        app: None,
        load: "all = { steps = [150, 150], seconds = 1, timeout = 2 }\n\
            retrying = { retry-after = 0.2 }",
        variants: &["patient", "retrying"],
        expect: &[
            "attempts of `patient` <= 1",
            "attempts of `retrying` > 1",
            "goodput of `retrying` / goodput of `patient` < 1",
        ],
    };
    let values = cut.values(&place, false);
    assert!((values[0] - 1.0).abs() < 1e-9, "{values:?}");
    assert!(values[1] > 1.0, "attempts: {values:?}");
    assert!(values[2] < 1.0, "correct responses: {values:?}");
    place.assert_clean();
}
