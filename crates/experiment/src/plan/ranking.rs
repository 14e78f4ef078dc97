//! `[[ranking]]` of a plan: who is ranked, and by what.

use std::collections::BTreeMap;
use std::path::Path;

use record::{Criterion, Ranking, Rival, Variant};
use serde::Deserialize;

use crate::plan::error::{PlanError, wrong};

/// A ranking as a user types it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RankingTable {
    name: String,
    title: Option<String>,
    of: Of,
    /// The factor of which each level is a rival, where `of` is a family.
    each: Option<String>,
    /// Metrics, with levels after an `@` where they are not taken at all.
    by: Option<Vec<String>>,
    /// The first criterion's figures, as somebody reported them.
    #[serde(default)]
    reported: BTreeMap<String, f64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a family's name, or a list of variants")]
enum Of {
    Family(String),
    Rivals(Vec<String>),
}

/// What is wrong: key, problem, hint.
type Flaw = (String, String, String);

/// The rankings of a file, checked.
pub(crate) fn resolve(
    path: &Path,
    tables: Vec<RankingTable>,
    variants: &[Variant],
) -> Result<Vec<Ranking>, PlanError> {
    let mut rankings: Vec<Ranking> = Vec::new();
    for (index, table) in tables.into_iter().enumerate() {
        let wrong = |(key, problem, hint): Flaw| {
            wrong(path, &format!("ranking[{index}].{key}"), &problem, &hint)
        };
        if rankings.iter().any(|other| other.name == table.name) {
            let problem = format!("two rankings are called `{}`", table.name);
            let hint = "give each ranking a name of its own";
            return Err(wrong(("name".to_owned(), problem, hint.to_owned())));
        }
        let ranking = ranking(table, variants).map_err(wrong)?;
        judge::check_ranking(&ranking, variants)
            .map_err(|flaw| wrong((flaw.key, flaw.problem, flaw.hint)))?;
        rankings.push(ranking);
    }
    Ok(rankings)
}

fn ranking(table: RankingTable, variants: &[Variant]) -> Result<Ranking, Flaw> {
    let flaw = |key: &str, problem: &str, hint: &str| {
        Err((key.to_owned(), problem.to_owned(), hint.to_owned()))
    };
    let rivals = match (table.of, table.each) {
        (Of::Rivals(rivals), None) => rivals,
        (Of::Family(family), Some(factor)) => judge::rivals_by(variants, &family, &factor)
            .map_err(|flaw| (flaw.key, flaw.problem, flaw.hint))?,
        (Of::Family(_), None) => {
            let hint = "say which levels are rivals: `each = \"server\"`; or list them: `of = [\"a\", \"b\"]`";
            return flaw("of", "one name leaves nothing to compare with", hint);
        }
        (Of::Rivals(_), Some(_)) => {
            let hint = "write `of = \"NAME\"` of the family that varies by it";
            return flaw("each", "belongs to one family, and `of` is a list", hint);
        }
    };
    if let Some(name) = table.reported.keys().find(|name| !rivals.contains(name)) {
        let problem = format!("`{name}` is not ranked");
        let hint = "name the rivals as `of` does";
        return flaw("reported", &problem, hint);
    }
    let by = match table.by {
        None => judge::USUAL
            .iter()
            .map(|metric| metric.name().to_owned())
            .collect(),
        Some(by) => by,
    };
    let by = by.iter().enumerate().map(|(place, text)| {
        let (word, levels) = match text.split_once('@') {
            Some((word, levels)) => (word, Some(levels.to_owned())),
            None => (text.as_str(), None),
        };
        let metric = record::condition::metric_named(word)
            .map_err(|(problem, hint)| (format!("by[{place}]"), problem, hint))?;
        Ok(Criterion { metric, levels })
    });
    let by = by.collect::<Result<_, Flaw>>()?;
    let of = rivals.into_iter().map(|variants| Rival {
        reported: table.reported.get(&variants).copied(),
        variants,
    });
    Ok(Ranking {
        title: table.title.unwrap_or_else(|| table.name.clone()),
        of: of.collect(),
        name: table.name,
        by,
    })
}
