//! Who thinks of the requests of `weir bench`.

use std::sync::Arc;

use load::{Author, Expected};
use traffic::{Mix, Page, PagePlan, Replay, ReplayPlan, TrafficError};
use url::Url;

use super::place::Place;
use crate::args::{BenchArgs, Methods, ReplayCheck};
use crate::error::{Error, Result};
use crate::exit::Exit;

/// An author, and what there is to tell about it.
pub(super) struct Chosen {
    pub(super) author: Arc<dyn Author>,
    /// What was found in its file.
    pub(super) note: Option<String>,
    /// How long the load is, in seconds, if nothing else is said.
    pub(super) seconds: Option<f64>,
    page: Option<Page>,
}

impl Chosen {
    fn new(author: impl Author + 'static) -> Self {
        Self {
            author: Arc::new(author),
            note: None,
            seconds: None,
            page: None,
        }
    }

    /// What there is to tell when the load is over.
    pub(super) fn afterword(&self) -> Option<String> {
        let counts = self.page.as_ref()?.counts();
        let mut text = format!(
            "pages, warm-up included: {} whole, {} in part; assets: {} asked for, {} fresh in the cache",
            counts.visits, counts.failed, counts.fetched, counts.cached
        );
        for (count, what) in [
            (counts.elsewhere, "at other origins, left out"),
            (
                counts.unread,
                "documents and stylesheets in a content coding that cannot be read",
            ),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        Some(text)
    }
}

/// Who thinks of the requests, if not the URL alone.
pub(super) fn choose(
    args: &BenchArgs,
    place: &Place,
    expected: &Expected,
    seed: u64,
) -> Result<Option<Chosen>> {
    let wishes = &args.traffic;
    if let Some(file) = &wishes.mix {
        return Ok(Some(Chosen::new(Mix::read(file, &args.header, seed)?)));
    }
    if wishes.page {
        let page = Page::new(PagePlan {
            url: url(args, place)?,
            connections: wishes.page_connections as usize,
            visits: wishes.page_visits.into(),
            expected: expected.clone(),
            headers: args.header.clone(),
        });
        return Ok(Some(Chosen {
            page: Some(page.clone()),
            ..Chosen::new(page)
        }));
    }
    let Some(file) = &wishes.replay else {
        return Ok(None);
    };
    let replay = Replay::read(&ReplayPlan {
        path: file.clone(),
        format: wishes.log_format.into(),
        pace: wishes.pace.0,
        all_methods: wishes.replay_methods == Methods::All,
        check: wishes.replay_check == ReplayCheck::Status,
        headers: args.header.clone(),
        origin: url(args, place)?.origin(),
    })?;
    Ok(Some(Chosen {
        note: Some(replay.summary().to_string()),
        seconds: replay.length().map(|length| length as f64 / 1e9),
        ..Chosen::new(replay)
    }))
}

/// The URL in the words of the web, whatever carries it.
fn url(args: &BenchArgs, place: &Place) -> Result<Url> {
    let scheme = if args.url.starts_with("https") {
        "https"
    } else {
        "http"
    };
    Url::parse(&format!("{scheme}://{}{}", place.host, place.path))
        .map_err(|error| Error::new(Exit::Usage, format!("`{}`: {error}", args.url)))
}

impl From<TrafficError> for Error {
    fn from(error: TrafficError) -> Self {
        Self::new(Exit::File, error.to_string()).hint(error.hint())
    }
}
