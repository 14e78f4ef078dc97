//! What more programs count of themselves is what they did: a pattern that reads another number of theirs is noticed.

use crate::observed::{APP, counted, value};
use crate::support::{Place, repository};

/// The Python that has every server of the catalogue.
fn catalogued() -> String {
    let python = repository().join(".deps/catalogue/bin/python");
    python.display().to_string()
}

#[test]
fn uwsgi_counts_what_weir_counts() {
    let place = Place::new();
    place.app(APP);
    place.plan(
        "[[variant]]\nname = \"one\"\nserver = { entry = \"uwsgi\", master = true, http = \"http-socket\" }\n",
    );
    let python = catalogued();
    place
        .run(&["run", "plan.toml", "--python", &python])
        .measured();
    let (values, sent) = counted(&place, "uwsgi");
    // its one worker counts a request after the response: the last one may be on the other side of an end
    let apart = value(&values, "requests").abs_diff(sent);
    assert!(apart <= 1, "{sent} of {values}");
    for none in ["exceptions", "respawns"] {
        assert_eq!(value(&values, none), 0, "{values}");
    }
    place.assert_clean();
}

/// Each request keeps one thing in the cache, asks for it three times, and twice for what is not there.
const CACHES: &str = "
import os
from pymemcache.client.base import Client
cache = Client(os.environ['CACHE'])
def app(environ, start):
    cache.set('known', b'1', noreply=False)
    found = [cache.get('known') for _ in range(3)] + [cache.get('unknown') for _ in range(2)]
    assert found == [b'1'] * 3 + [None] * 2
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

#[test]
fn memcached_counts_what_the_app_asked_for() {
    let place = Place::new();
    place.app(CACHES);
    let app = std::fs::read_to_string(place.path("app/app.toml")).unwrap();
    let service = "[services.cache]\nenv = { CACHE = \"{{ server }}\" }\n";
    place.write("app/app.toml", &(app + service));
    place.plan("[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\nservices = { cache = \"memcached\" }\n");
    place.run(&["run", "plan.toml"]).measured();
    let (values, sent) = counted(&place, "memcached");
    // what weir's own readings ask for is counted as neither
    for (name, each) in [
        ("sets", 1),
        ("hits", 3),
        ("misses", 2),
        ("gets", 5),
        ("evictions", 0),
    ] {
        let counted = value(&values, name);
        assert_eq!(counted, each * sent, "{name}: {sent} requests, {values}");
    }
    place.assert_clean();
}

#[test]
fn puma_tells_its_threads() {
    let place = Place::new();
    place.write(
        "app/config.ru",
        "run ->(env) { [200, { 'Content-Type' => 'text/plain' }, ['hello']] }\n",
    );
    place.write(
        "app/app.toml",
        "name = \"mine\"\ninterface = \"rack\"\nentry = \"config.ru\"\n[[routes]]\npath = \"/\"\nstatus = 200\n",
    );
    // it starts a thread for each request that finds none, three at most
    place.plan(
        "[[variant]]\nname = \"one\"\nserver = { entry = \"puma\", min-threads = 2, max-threads = 3 }\n",
    );
    place.run(&["run", "plan.toml"]).measured();
    let (values, _) = counted(&place, "puma");
    let running = value(&values, "running");
    assert!((2..=3).contains(&running), "{values}");
    assert!(value(&values, "free") <= 3, "{values}");
    // no more requests wait for a thread than the plan has connections
    assert!(value(&values, "queue") <= 4, "{values}");
    place.assert_clean();
}
