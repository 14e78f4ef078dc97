use crate::Metric;

use super::cursor::Cursor;
use super::{Bound, Expect, ExpectError, Figure, Pick};
use crate::closest::meant;

const EXAMPLE: &str = "a condition reads ``throughput of `b` / throughput of `a` >= 1.6``";
const RATIOS: &str =
    "a ratio of ratios reads ``mean of `b` / mean of `a` / (mean of `d` / mean of `c`) < 0.9``";
const LOADED: &str =
    "figures under this load read ``throughput of `b` / throughput of `a` as loaded >= 1.6``";
const BOUNDS: &str = "`<`, `<=`, `>`, `>=` or `within`";

/// Reads a condition about figures.
pub(super) fn figures(cursor: &mut Cursor) -> Result<Expect, ExpectError> {
    let (of, over) = cursor.side()?;
    let against = match &over {
        Some(_) if cursor.symbol("/") => Some(cursor.enclosed()?),
        _ => None,
    };
    let as_loaded = cursor.word("as");
    if as_loaded && !cursor.word("loaded") {
        return Err(cursor.expected("`loaded`", LOADED));
    }
    let metric = over.is_none().then_some(of.metric);
    Ok(Expect {
        text: cursor.text.to_owned(),
        of,
        over,
        against,
        as_loaded,
        bounds: cursor.bounds(metric)?,
    })
}

/// A metric as a plan writes it.
///
/// # Errors
/// What is wrong, and what may have been meant.
pub fn metric_named(word: &str) -> Result<Metric, (String, String)> {
    if word == "median" {
        return Ok(Metric::P50);
    }
    Metric::named(word).ok_or_else(|| {
        let known = Metric::ALL.iter().map(|metric| metric.name());
        let names = || known.clone().chain(["median"]);
        let all = || format!("the metrics are {}", names().collect::<Vec<_>>().join(", "));
        let hint = if is_quantile(word) {
            let quantiles = known.clone().filter(|name| is_quantile(name));
            format!(
                "the quantiles are {}",
                quantiles.collect::<Vec<_>>().join(", ")
            )
        } else {
            meant(word, names(), all)
        };
        (format!("`{word}` is not a metric"), hint)
    })
}

/// Whether it is written as a quantile is: `p98`, `p99.9`.
pub fn is_quantile(word: &str) -> bool {
    let digits = word.strip_prefix('p').filter(|rest| !rest.is_empty());
    digits.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

impl Cursor<'_> {
    /// A figure, or a ratio.
    fn side(&mut self) -> Result<(Figure, Option<Figure>), ExpectError> {
        self.here();
        if self.rest().starts_with('(') {
            let [of, over] = self.enclosed()?;
            return Ok((of, Some(over)));
        }
        let of = self.figure()?;
        let over = self.symbol("/").then(|| self.below(&of)).transpose()?;
        Ok((of, over))
    }

    /// A ratio in parentheses.
    fn enclosed(&mut self) -> Result<[Figure; 2], ExpectError> {
        if !self.symbol("(") {
            return Err(self.expected("`(`", RATIOS));
        }
        let of = self.figure()?;
        if !self.symbol("/") {
            return Err(self.expected("`/`", RATIOS));
        }
        let over = self.below(&of)?;
        if !self.symbol(")") {
            return Err(self.expected("`)`", RATIOS));
        }
        Ok([of, over])
    }

    /// The figure below the line of a ratio.
    fn below(&mut self, of: &Figure) -> Result<Figure, ExpectError> {
        let at = self.here();
        let over = self.figure()?;
        self.comparable(at, of.metric, over.metric)?;
        Ok(over)
    }

    fn figure(&mut self) -> Result<Figure, ExpectError> {
        let pick = if self.word("least") {
            Pick::Least
        } else if self.word("largest") {
            Pick::Largest
        } else {
            Pick::Mean
        };
        let metric = self.metric()?;
        if !self.word("of") {
            return Err(self.expected("`of`", "name the variant: ``throughput of `two-workers` ``"));
        }
        let (at, variant) = self.name()?;
        Ok(Figure {
            pick,
            metric,
            variant,
            at,
        })
    }

    pub(super) fn metric(&mut self) -> Result<Metric, ExpectError> {
        let at = self.here();
        let word = self.take(|c| c.is_ascii_alphanumeric() || c == '-');
        metric_named(word).map_err(|(_, hint)| {
            self.at = at;
            self.expected("a metric", &hint)
        })
    }

    pub(super) fn name(&mut self) -> Result<(usize, String), ExpectError> {
        let at = self.here();
        let opened = self.symbol("`").then(|| self.rest());
        let length = opened.and_then(|rest| rest.find('`').filter(|length| *length > 0));
        let Some(length) = length else {
            self.at = at;
            let quoted = "write the variant's name in backticks: `two-workers`";
            return Err(self.expected("a variant in backticks", quoted));
        };
        let name = &self.rest()[..length];
        self.at += length + 1;
        Ok((at, name.to_owned()))
    }

    /// One bound or several, to the text's end.
    pub(super) fn bounds(&mut self, metric: Option<Metric>) -> Result<Vec<Bound>, ExpectError> {
        let mut bounds = vec![self.bound(metric)?];
        while self.word("and") {
            bounds.push(self.bound(metric)?);
        }
        self.end()?;
        Ok(bounds)
    }

    fn bound(&mut self, metric: Option<Metric>) -> Result<Bound, ExpectError> {
        self.here();
        if self.word("within") {
            return self.within(metric);
        }
        match self.comparison() {
            Some(bound) => self.quantity(metric).map(bound),
            None => Err(self.expected(BOUNDS, EXAMPLE)),
        }
    }

    /// The comparison at the cursor, if there is one.
    pub fn comparison(&mut self) -> Option<fn(f64) -> Bound> {
        // the longer symbol first
        let symbols = [
            ("<=", Bound::AtMost as fn(f64) -> Bound),
            (">=", Bound::AtLeast),
            ("<", Bound::Below),
            (">", Bound::Above),
        ];
        self.here();
        let mut symbols = symbols.into_iter();
        let (_, bound) = symbols.find(|(symbol, _)| self.symbol(symbol))?;
        Some(bound)
    }

    fn within(&mut self, metric: Option<Metric>) -> Result<Bound, ExpectError> {
        let at = self.here();
        let low = self.quantity(metric)?;
        let first = self.text[at..self.at].trim_end();
        if !self.symbol("..") {
            return Err(self.expected("`..`", "a range reads `within 0.9 .. 1.35`"));
        }
        let second = self.here();
        let high = self.quantity(metric)?;
        if low > high {
            let second = self.text[second..self.at].trim_end();
            let problem = format!("nothing lies within {first} .. {second}");
            let width = self.at - at;
            let hint = format!("write the smaller end first: `within {second} .. {first}`");
            return Err(ExpectError::new(self.text, at, width, problem, hint));
        }
        Ok(Bound::Within(low, high))
    }

    /// A ratio of seconds and bytes says nothing.
    fn comparable(&self, at: usize, of: Metric, over: Metric) -> Result<(), ExpectError> {
        if of.dimension() == over.dimension() {
            return Ok(());
        }
        let (of, over) = (of.name(), over.name());
        let problem = format!("`{over}` is not measured in the unit of `{of}`");
        let hint = format!("write `{of}` on both sides of the `/`");
        Err(ExpectError::new(self.text, at, over.len(), problem, hint))
    }

    fn end(&mut self) -> Result<(), ExpectError> {
        self.here();
        if self.rest().is_empty() {
            return Ok(());
        }
        let hint = "another bound is joined by `and`: `>= 1.2 and < 2`";
        Err(self.expected("`and` or the end", hint))
    }
}
