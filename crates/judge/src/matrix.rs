//! Families that vary by two factors or more: what their variants came to, as a table of rows and columns.

use record::{Metric, Variant};
use serde::Serialize;

use crate::opinion::{Figure, VariantOpinion};
use crate::own_share;
use crate::seen_run::SeenRun;

/// A family's figures by two of its factors.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Matrix {
    /// The family.
    pub family: String,
    /// The factor that goes down, and its levels.
    pub rows: Axis,
    /// The factor that goes across, and its levels.
    pub columns: Axis,
    /// The levels at which its other factors stand, if it has any that vary.
    pub at: Vec<(String, String)>,
    /// What the cells tell: throughput, or the mean response time where each has a rate of its own.
    pub metric: Metric,
    /// Rows of columns; `None` for a combination that the plan leaves out.
    pub cells: Vec<Vec<Option<Cell>>>,
}

/// A factor with the levels that it takes.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Axis {
    /// The factor.
    pub factor: String,
    /// Its levels, in the plan's order.
    pub levels: Vec<String>,
}

/// One combination of levels.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Cell {
    /// The variant.
    pub variant: String,
    /// Its figure; absent if it could not be measured.
    pub figure: Option<Figure>,
    /// Between what the figure lies with the load generator off the cores that both kept busy; absent where that is little, or not
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<(f64, f64)>,
}

/// A family of variants, and the factors that take two levels or more.
pub(crate) struct Family<'a> {
    pub(crate) name: &'a str,
    pub(crate) variants: Vec<&'a Variant>,
    pub(crate) factors: Vec<Factor<'a>>,
}

/// What a family varies by.
pub(crate) struct Factor<'a> {
    pub(crate) name: &'a str,
    pub(crate) levels: Vec<&'a str>,
}

impl Factor<'_> {
    /// What a variant has it set to.
    pub(crate) fn level_of<'s>(&self, variant: &'s Variant) -> Option<&'s str> {
        let mut levels = variant.sweep.as_ref()?.levels.iter();
        let own = levels.find(|level| level.factor == self.name)?;
        Some(&own.level)
    }
}

/// The families of a plan that are matrices.
pub(crate) fn matrices(variants: &[Variant]) -> Vec<Family<'_>> {
    let mut families: Vec<Family> = Vec::new();
    for variant in variants {
        let Some(sweep) = &variant.sweep else {
            continue;
        };
        let known = families.iter().position(|of| of.name == sweep.family);
        let place = known.unwrap_or_else(|| {
            families.push(Family {
                name: &sweep.family,
                variants: Vec::new(),
                factors: Vec::new(),
            });
            families.len() - 1
        });
        let family = &mut families[place];
        family.variants.push(variant);
        for level in &sweep.levels {
            let (name, word) = (level.factor.as_str(), level.level.as_str());
            match family.factors.iter_mut().find(|of| of.name == name) {
                Some(factor) if factor.levels.contains(&word) => {}
                Some(factor) => factor.levels.push(word),
                None => family.factors.push(Factor {
                    name,
                    levels: vec![word],
                }),
            }
        }
    }
    for family in &mut families {
        family.factors.retain(|factor| factor.levels.len() > 1);
    }
    families.retain(|family| family.factors.len() > 1);
    families
}

/// Each family's table; of more than two factors one for each combination of the others.
pub(crate) fn all(seen_run: &SeenRun, opinions: &[VariantOpinion]) -> Vec<Matrix> {
    let plan = &seen_run.run.plan;
    let mut found: Vec<Matrix> = Vec::new();
    for family in matrices(&plan.variants) {
        let [rows, columns, others @ ..] = &family.factors[..] else {
            continue;
        };
        // a rate that is looked for is what a variant can do, and no load that all have
        let open = |variant: &&Variant| plan.load_of(variant).shape.is_open();
        let metric = match family.variants.iter().find(|variant| !open(variant)) {
            None => Metric::Mean,
            Some(_) => Metric::Throughput,
        };
        let at_of = |variant: &Variant| -> Vec<(String, String)> {
            let level = |of: &Factor| Some((of.name.to_owned(), of.level_of(variant)?.to_owned()));
            others.iter().filter_map(level).collect()
        };
        let from = found.len();
        for variant in &family.variants {
            let at = at_of(variant);
            if found[from..].iter().any(|matrix| matrix.at == at) {
                continue;
            }
            let at_both = |row: &str, column: &str| {
                let own = family.variants.iter().find(|own| {
                    rows.level_of(own) == Some(row)
                        && columns.level_of(own) == Some(column)
                        && at_of(own) == at
                })?;
                Some(cell(seen_run, opinions, &own.name, metric))
            };
            let across = |row: &&str| columns.levels.iter().map(|of| at_both(row, of)).collect();
            let cells = rows.levels.iter().map(across).collect();
            found.push(Matrix {
                family: family.name.to_owned(),
                rows: axis(rows),
                columns: axis(columns),
                at,
                metric,
                cells,
            });
        }
    }
    found
}

fn cell(seen_run: &SeenRun, opinions: &[VariantOpinion], variant: &str, metric: Metric) -> Cell {
    let opinion = opinions.iter().find(|of| of.name == variant);
    let figure = opinion.and_then(|of| of.figures.get(&metric).copied());
    let freed = own_share::of_variant((seen_run, variant), metric);
    let elsewhere = figure.zip(freed);
    Cell {
        variant: variant.to_owned(),
        figure,
        elsewhere: elsewhere.map(|(figure, freed)| freed.between(figure.value)),
    }
}

fn axis(factor: &Factor) -> Axis {
    let levels = factor.levels.iter();
    Axis {
        factor: factor.name.to_owned(),
        levels: levels.map(|&level| level.to_owned()).collect(),
    }
}
