//! Who thinks of the requests of `weir bench`.

use std::fmt::Write as _;
use std::sync::Arc;

use experiment::Address;
use load::{Expected, RequestSource};
use record::{Amount, Load, Shape, Visitors};
use traffic::{Mix, Page, PagePlan, Replay, ReplayPlan, TrafficError};
use url::Url;

use crate::args::{BenchArgs, Methods, ReplayCheck};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::mask;

/// A source, and what there is to tell about it.
pub(super) struct Chosen {
    pub(super) source: Arc<dyn RequestSource>,
    /// What was found in its file.
    pub(super) note: Option<String>,
    /// The shape that a recording gives the load.
    recorded: Option<Shape>,
    page: Option<Page>,
}

impl Chosen {
    fn new(source: impl RequestSource + 'static) -> Self {
        Self {
            source: Arc::new(source),
            note: None,
            recorded: None,
            page: None,
        }
    }

    /// Makes the load one that this source can serve.
    pub(super) fn adapt(&self, args: &BenchArgs, load: &mut Load) -> Result<()> {
        let Some(shape) = &self.recorded else {
            return Ok(());
        };
        if load.shape != Shape::default() {
            let problem =
                "`--replay` has a pace of its own: no rate and no think time goes with it";
            let hint = "choose with `--pace 2x`, or add `--pace asap`";
            return Err(Error::new(Exit::Usage, problem).hint(hint.to_owned()));
        }
        if let Shape::Recorded { requests, .. } = shape
            && args.load.duration.is_none()
            && args.load.requests.is_none()
        {
            // By count, so that the window ends with the last answer, however late that comes.
            load.amount = Amount::Requests(*requests);
        }
        load.shape = shape.clone();
        Ok(())
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
                let _ = write!(text, ", {count} {what}"); // a String takes everything
            }
        }
        Some(text)
    }
}

/// Refuses several loads of requests that belong to one: of users, of a recording, or of the visitors of a page.
pub(super) fn check(args: &BenchArgs) -> Result<()> {
    let (traffic, points) = (&args.traffic, &args.points);
    let makers = [
        (args.script.script.is_some(), "--script"),
        (traffic.replay.is_some(), "--replay"),
        (traffic.page, "--page"),
    ];
    let given = |(is_given, option): (bool, &'static str)| is_given.then_some(option);
    let Some(maker) = makers.into_iter().find_map(given) else {
        return Ok(());
    };
    let (several, hint) = if points.sweep.is_some() {
        let hint = "run `weir bench` once for each value, with `-c 10` and then with `-c 20`";
        ("--sweep", hint)
    } else if points.is_given() {
        let hint = "look for the rate of the URL alone, or of `--mix FILE`";
        ("--goal", hint)
    } else {
        return Ok(());
    };
    let message = format!("`{several}` is several loads, and `{maker}` makes the requests of one");
    Err(Error::new(Exit::Usage, message).hint(hint.to_owned()))
}

/// Who thinks of the requests, if not the URL alone.
pub(super) fn choose(
    args: &BenchArgs,
    place: &Address,
    expected: &Expected,
    visitors: Option<Visitors>,
    seed: u64,
) -> Result<Option<Chosen>> {
    let wishes = &args.traffic;
    if let Some(file) = &wishes.mix {
        return Ok(Some(Chosen {
            note: mask::in_mix(file),
            ..Chosen::new(Mix::read(file, &args.header, seed)?)
        }));
    }
    if let Some(visitors) = visitors {
        let page = Page::new(PagePlan {
            url: url(args, place)?,
            connections: visitors.connections as usize,
            visits: visitors.visits,
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
        format: wishes.log_format,
        pace: wishes.pace.0,
        all_methods: wishes.replay_methods == Methods::All,
        check: wishes.replay_check == ReplayCheck::Status,
        headers: args.header.clone(),
        origin: url(args, place)?.origin(),
    })?;
    Ok(Some(Chosen {
        note: Some(replay.summary().to_string()),
        recorded: replay.length().map(|length| Shape::Recorded {
            requests: replay.summary().requests,
            seconds: length as f64 / 1e9,
        }),
        ..Chosen::new(replay)
    }))
}

/// The URL in the words of the web, whatever carries it.
fn url(args: &BenchArgs, place: &Address) -> Result<Url> {
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
