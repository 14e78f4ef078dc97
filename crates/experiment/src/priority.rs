//! Which candidates are tried first when there is not time for all.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use record::Variant;

/// One way to serve the app.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The variant's name.
    pub(crate) name: String,
    pub(crate) way: Way,
    /// The entry that makes it different from others of its way.
    pub(crate) entry: String,
    /// Its rank in the catalogue; before a server, the server's and its own.
    pub(crate) ranks: (u32, u32),
    /// Whether a program of it is for development only.
    pub(crate) development: bool,
}

/// By what mechanism a variant serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// An app server alone.
    Server,
    /// A front end before an app server.
    Front,
    /// A front end alone, on the app's files.
    Files,
}

impl Way {
    pub(crate) fn of(variant: &Variant) -> Self {
        match (&variant.server, variant.fronts.is_empty()) {
            (None, _) => Self::Files,
            (Some(_), true) => Self::Server,
            (Some(_), false) => Self::Front,
        }
    }

    /// Where its best variant stands among the best of all ways, and how far the others lie apart: of six
    /// variants, three are app servers, two have a front end, one serves files.
    fn place(self, index: usize) -> f64 {
        let (first, step) = match self {
            Self::Server => (0.0, 1.0),
            Self::Front => (0.5, 2.5),
            Self::Files => (1.5, 6.0),
        };
        first + step * index as f64
    }
}

/// The names of the steps, by what they are worth: the best of each way and of each entry, and then their
/// variations. Those for development only come last, as none of them is deployed, however fast.
pub(crate) fn priority(steps: &[Step]) -> Vec<String> {
    let (last, first): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(|step| step.development);
    let all = by_worth(&first).into_iter().chain(by_worth(&last));
    all.map(|step| step.name.clone()).collect()
}

fn by_worth<'a>(steps: &[&'a Step]) -> Vec<&'a Step> {
    let mut placed = Vec::new();
    for way in [Way::Server, Way::Front, Way::Files] {
        let of_way = steps.iter().copied().filter(|step| step.way == way);
        let queue = varied(of_way.collect()).into_iter().enumerate();
        placed.extend(queue.map(|(index, step)| (way.place(index), step)));
    }
    placed.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    placed.into_iter().map(|(_, step)| step).collect()
}

/// The best of each entry, then what is left, each by rank.
fn varied(mut steps: Vec<&Step>) -> Vec<&Step> {
    steps.sort_by_key(|step| Reverse(step.ranks));
    let mut entries = BTreeSet::new();
    let (mut first, more): (Vec<_>, Vec<_>) = steps
        .into_iter()
        .partition(|step| entries.insert(&step.entry));
    first.extend(more);
    first
}

#[cfg(test)]
mod tests {
    use super::{Step, Way, priority};

    fn step(name: &str, way: Way, ranks: (u32, u32)) -> Step {
        let entry = name.split(['-', '+']).next().unwrap().to_owned();
        Step {
            name: name.to_owned(),
            way,
            entry,
            ranks,
            development: name.ends_with("dev"),
        }
    }

    #[test]
    fn variety_comes_before_variations() {
        let steps = vec![
            step("dev", Way::Server, (10, 0)),
            step("gunicorn-1", Way::Server, (20, 0)),
            step("gunicorn-cores", Way::Server, (30, 0)),
            step("uwsgi-1", Way::Server, (26, 0)),
            step("uwsgi-cores", Way::Server, (40, 0)),
            step("nginx+gunicorn-cores", Way::Front, (30, 50)),
            step("nginx+uwsgi-cores", Way::Front, (40, 50)),
            step("haproxy+gunicorn-cores", Way::Front, (30, 50)),
            step("nginx-static", Way::Files, (40, 0)),
        ];
        assert_eq!(
            priority(&steps),
            [
                "uwsgi-cores",
                "nginx+uwsgi-cores",
                "gunicorn-cores",
                "nginx-static",
                "uwsgi-1",
                "gunicorn-1",
                "haproxy+gunicorn-cores",
                "nginx+gunicorn-cores",
                "dev",
            ]
        );
        assert!(priority(&[]).is_empty());
    }

    #[test]
    fn what_is_for_development_comes_last_where_it_is_the_only_one_of_its_way() {
        let steps = vec![
            step("dev", Way::Server, (10, 0)),
            step("nginx+fpm", Way::Front, (30, 50)),
            step("nginx-static", Way::Files, (40, 0)),
        ];
        assert_eq!(priority(&steps), ["nginx+fpm", "nginx-static", "dev"]);
    }
}
