use std::collections::HashMap;

use super::recording::Recorded;

/// Names of a recording: each keeps a distribution in every thread.
const MOST: usize = 20;

/// What a request is called, among others with the same path and another query.
fn called(request: &Recorded) -> String {
    let path = request.path.split('?').next().unwrap_or_default();
    format!("{} {path}", request.method)
}

/// Names for requests that were asked so often each, and the number of each request's name: method and
/// path of those asked most, the others by their method.
pub(super) fn names<'r>(
    requests: impl Iterator<Item = &'r Recorded> + Clone,
    asked: &[u64],
) -> (Vec<String>, Vec<u16>) {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for (request, asked) in requests.clone().zip(asked) {
        *counts.entry(called(request)).or_default() += asked;
    }
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut names: Vec<String> = all.into_iter().take(MOST).map(|(name, _)| name).collect();
    let known: HashMap<String, usize> = names.iter().cloned().zip(0..).collect();
    let of = requests.map(|request| match known.get(&called(request)) {
        Some(number) => *number as u16,
        None => super::recording::place(&mut names, &format!("{}, other paths", request.method)),
    });
    let of = of.collect();
    (names, of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_paths_are_told_apart_as_far_as_there_are_names() {
        let recorded = |number: usize| Recorded {
            method: "GET".into(),
            path: format!("/{}?page={number}", number / 2).into(),
            headers: Vec::new(),
            body: Vec::new(),
        };
        let requests: Vec<_> = (0..60).map(recorded).collect();
        let asked: Vec<u64> = (0..60).collect();
        let (names, of) = names(requests.iter(), &asked);
        assert_eq!(names.len(), MOST + 1);
        assert_eq!((&*names[0], &*names[MOST]), ("GET /29", "GET, other paths"));
        assert_eq!((of[58], of[59], of[0]), (0, 0, MOST as u16));
    }
}
