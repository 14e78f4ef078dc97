//! Conditions about a ranking: the place of a rival in it, and how far its order is the reported one.

use crate::{Metric, Ranking};

use super::cursor::Cursor;
use super::{Bound, ExpectError};
use crate::closest::{listed, meant};

/// A condition about a ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct RankExpect {
    /// As it was written.
    pub text: String,
    /// By which metric of the ranking; its first when `None`.
    pub by: Option<Metric>,
    /// The rival whose rank it is; `None` where it is about the order as a whole.
    pub rival: Option<String>,
    /// The ranking's name.
    pub ranking: String,
    /// What the rank, or the agreement, must satisfy.
    pub bounds: Vec<Bound>,
    /// Where the names stand in the text: byte offsets.
    places: (usize, usize),
}

/// Whether a text is such a condition, right or wrong.
pub(super) fn is_about_a_ranking(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.word("rank") || cursor.word("agreement")
}

impl RankExpect {
    /// Reads a condition.
    ///
    /// # Errors
    /// It is none about a ranking; the error says where and what was expected there.
    pub fn parse(text: &str) -> Result<Self, ExpectError> {
        let mut cursor = Cursor::new(text);
        let whole = cursor.word("agreement");
        if !whole && !cursor.word("rank") {
            let hint = "a rank reads ``rank of `a` in `stacks` <= 3``";
            return Err(cursor.expected("`rank` or `agreement`", hint));
        }
        let by = cursor.word("by").then(|| cursor.metric()).transpose()?;
        if !cursor.word("of") {
            let hint = if whole {
                "name the ranking: ``agreement of `stacks` >= 0.5``"
            } else {
                "name the rival: ``rank of `a` in `stacks` <= 3``"
            };
            return Err(cursor.expected("`of`", hint));
        }
        let (at, first) = cursor.name()?;
        let mut expect = Self {
            text: text.to_owned(),
            by,
            rival: None,
            ranking: first,
            bounds: Vec::new(),
            places: (at, at),
        };
        if !whole {
            if !cursor.word("in") {
                let hint = "name the ranking too: ``rank of `a` in `stacks` <= 3``";
                return Err(cursor.expected("`in`", hint));
            }
            let (at, ranking) = cursor.name()?;
            expect.rival = Some(std::mem::replace(&mut expect.ranking, ranking));
            expect.places.1 = at;
        }
        expect.bounds = cursor.bounds(None)?;
        Ok(expect)
    }

    /// Checks that the ranking, the rival and the metric are there, and that there is a reported order to agree
    /// with.
    ///
    /// # Errors
    /// The first that is not, with what may have been meant.
    pub fn check_names(&self, rankings: &[Ranking]) -> Result<(), ExpectError> {
        let wrong = |at: usize, name: &str, problem: String, hint: String| {
            let width = name.len() + 2;
            Err(ExpectError::new(&self.text, at, width, problem, hint))
        };
        let Some(ranking) = rankings.iter().find(|of| of.name == self.ranking) else {
            let names = || rankings.iter().map(|of| of.name.as_str());
            let hint = meant(&self.ranking, names(), || match rankings {
                [] => "the plan has no `[[ranking]]`".to_owned(),
                _ => format!("the rankings are {}", listed(names())),
            });
            let problem = format!("no ranking is called `{}`", self.ranking);
            return wrong(self.places.1, &self.ranking, problem, hint);
        };
        let rivals = || ranking.of.iter().map(|rival| rival.variants.as_str());
        if let Some(rival) = &self.rival
            && !rivals().any(|known| known == rival)
        {
            let hint = meant(rival, rivals(), || {
                format!("its rivals are {}", listed(rivals()))
            });
            let problem = format!("`{}` does not rank `{rival}`", ranking.name);
            return wrong(self.places.0, rival, problem, hint);
        }
        let metrics = || ranking.by.iter().map(|by| by.metric.name());
        if let Some(by) = self.by
            && !metrics().any(|known| known == by.name())
        {
            let problem = format!("`{}` does not rank by `{}`", ranking.name, by.name());
            let hint = format!("it ranks by {}", listed(metrics()));
            return wrong(self.places.1, &self.ranking, problem, hint);
        }
        let reported = ranking.of.iter().filter(|of| of.reported.is_some());
        if self.rival.is_none() && reported.count() < 2 {
            let problem = format!("there is no reported order of `{}`", ranking.name);
            let hint = "give the ranking's `reported = { \"a\" = 215.3, \"b\" = 138.9 }`";
            return wrong(self.places.1, &self.ranking, problem, hint.to_owned());
        }
        Ok(())
    }
}
