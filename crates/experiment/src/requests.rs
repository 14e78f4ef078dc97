//! What a trial asks for: a route alone, as a page with all that it needs, or what a file says.

use std::path::Path;
use std::sync::Arc;

use load::{Expected, RequestSource, Traffic};
use record::{Load, RequestFile, Route};
use traffic::{LogFormat, Mix, Pace, Page, PagePlan, Replay, ReplayPlan, TrafficError};
use url::Url;

/// What is asked of a server that is known by this name, over TLS or not.
///
/// # Errors
/// A file of requests that cannot be read, or makes no sense.
pub(crate) fn traffic(
    route: &Route,
    (host, secure): (&str, bool),
    expected: Expected,
    load: &Load,
    seed: u64,
) -> Result<Traffic, TrafficError> {
    let headers: Vec<_> = route.headers.clone().into_iter().collect();
    if let Some(file) = &load.requests_from {
        return Ok(Traffic::Made(source(file, headers, seed)?));
    }
    let scheme = if secure { "https" } else { "http" };
    let host = route.host().unwrap_or(host);
    let url = Url::parse(&format!("{scheme}://{host}{}", route.path));
    let (Some(visitors), Ok(url)) = (load.page, url) else {
        return Ok(Traffic::one(route, expected));
    };
    Ok(Traffic::Made(Arc::new(Page::new(PagePlan {
        url,
        connections: visitors.connections as usize,
        visits: visitors.visits,
        expected,
        headers,
    }))))
}

/// The requests of a file, with these headers where they have none of that name.
fn source(
    file: &RequestFile,
    headers: Vec<(String, String)>,
    seed: u64,
) -> Result<Arc<dyn RequestSource>, TrafficError> {
    Ok(match file {
        RequestFile::Mix(path) => Arc::new(Mix::read(path, &headers, seed)?),
        RequestFile::Replay(path) => {
            let replay = Replay::read(&ReplayPlan {
                path: path.clone(),
                format: LogFormat::Auto,
                pace: Pace::Asap,
                all_methods: false,
                check: true,
                headers,
                origin: Url::parse(&format!("http://{}", stack::HOST))
                    .expect("a constant name")
                    .origin(),
            });
            Arc::new(replay.map_err(TrafficError::without_options)?)
        }
    })
}

/// Makes the path of a load's file of requests, which is `beside` a folder where it is relative, one for any folder,
/// and reads the file, so that what is wrong with it is said before anything starts.
///
/// # Errors
/// When it cannot be read, or makes no sense.
pub fn find_requests(load: &mut Load, beside: &Path) -> Result<(), TrafficError> {
    let Some(file) = &mut load.requests_from else {
        return Ok(());
    };
    let path = beside.join(file.path());
    let path = path.canonicalize().unwrap_or(path); // reading it says what is wrong
    *file = file.at(path);
    source(file, Vec::new(), 0).map(|_| ())
}

/// Whether the requests of a load's file may change what an app keeps; what a recording has of such is left out.
pub fn requests_write(load: &Load) -> bool {
    match &load.requests_from {
        Some(RequestFile::Mix(path)) => Mix::read(path, &[], 0).is_ok_and(|mix| mix.writes()),
        Some(RequestFile::Replay(_)) | None => false,
    }
}
