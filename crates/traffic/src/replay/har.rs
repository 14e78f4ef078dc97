//! HTTP Archive 1.2. Of an archive only what is asked again is read; bodies of answers, of which
//! such files mostly consist, are passed over as they are parsed.

use std::io::Read;

use serde::Deserialize;
use url::{Position, Url, form_urlencoded};

use super::recording::{Recorded, Recording};
use super::{LogFormat, ReplayPlan, date};

#[derive(Deserialize)]
struct File {
    log: Log,
}

#[derive(Deserialize)]
struct Log {
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    started_date_time: String,
    request: Request,
    #[serde(default)]
    response: Response,
    /// Chromium: `memory` or `disk`, when the browser sent nothing.
    #[serde(rename = "_fromCache")]
    from_cache: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    method: String,
    url: String,
    #[serde(default)]
    headers: Vec<Pair>,
    post_data: Option<PostData>,
}

#[derive(Default, Deserialize)]
struct Response {
    #[serde(default)]
    status: i64,
}

#[derive(Deserialize)]
struct PostData {
    #[serde(default)]
    text: String,
    #[serde(default)]
    params: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    name: String,
    #[serde(default)]
    value: String,
}

/// Headers of one connection (RFC 9110, section 7.6.1), and those that the load writes itself.
const DROPPED: [&str; 11] = [
    "connection",
    "content-length",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Reads an archive.
pub(super) fn read(plan: &ReplayPlan, input: impl Read) -> serde_json::Result<Recording> {
    let file: File = serde_json::from_reader(input)?;
    let mut recording = Recording::new(plan, LogFormat::Har);
    let urls = file.log.entries.iter().map(|entry| &entry.request.url);
    let urls: Vec<_> = urls.map(|url| Url::parse(url).ok()).collect();
    let origins = || urls.iter().flatten().map(Url::origin);
    // What was recorded elsewhere (in production) is often replayed here: then the site is the one
    // whose document came first.
    let there = origins().any(|origin| origin == plan.origin);
    let other = origins().next().filter(|_| !there);
    let origin = other.unwrap_or_else(|| plan.origin.clone());
    if origin != plan.origin {
        recording.summary.origin = Some(origin.ascii_serialization());
    }
    for (number, (entry, url)) in (1..).zip(file.log.entries.into_iter().zip(urls)) {
        let told = format!("{} {}", entry.started_date_time, entry.request.url);
        let at = date::parse(&entry.started_date_time);
        let (Some(url), Some(at)) = (url, at) else {
            recording.unread(number, &told);
            continue;
        };
        if url.origin() != origin {
            recording.summary.elsewhere += 1;
            continue;
        }
        // A status of 0 stands where no response came from the network.
        let status = u16::try_from(entry.response.status).ok();
        match status.filter(|status| (200..1000).contains(status)) {
            Some(status) if entry.from_cache.is_none() => {
                let request = recorded(entry.request, &url);
                match recording.whole(&request).check() {
                    Ok(()) => recording.add(request, Some(status), at, 0),
                    Err(_) => recording.unread(number, &told),
                }
            }
            _ => recording.summary.unsent += 1,
        }
    }
    Ok(recording)
}

fn recorded(request: Request, url: &Url) -> Recorded {
    let headers = request.headers.into_iter();
    let kept = headers.filter(|header| {
        // HTTP/2 and later write the request line as headers whose names begin with a colon.
        let name = header.name.to_ascii_lowercase();
        !(name.is_empty() || name.starts_with(':') || DROPPED.contains(&name.as_str()))
    });
    Recorded {
        method: request.method.into(),
        path: url[Position::BeforePath..Position::AfterQuery].into(),
        headers: kept.map(|header| (header.name, header.value)).collect(),
        body: request.post_data.map_or_else(Vec::new, body),
    }
}

fn body(data: PostData) -> Vec<u8> {
    if data.text.is_empty() && !data.params.is_empty() {
        let params = data.params.iter();
        let pairs = params.map(|pair| (&pair.name, &pair.value));
        return form_urlencoded::Serializer::new(String::new())
            .extend_pairs(pairs)
            .finish()
            .into_bytes();
    }
    data.text.into_bytes()
}
