use judge::Parts;

use crate::units;

/// ``a response takes 25.1 ms: 1.20 ms outside `nginx`, 400 µs in it, 23.5 ms at `gunicorn` ``.
pub(crate) fn parts(of: &Parts) -> String {
    let (front, behind) = (&of.front, &of.behind);
    let told = |seconds: f64, place: &str| format!("{} {place}", units::duration(seconds));
    let outside = match of.inside {
        Some(_) => format!("outside `{front}`"),
        None => format!("outside and in `{front}`"),
    };
    let parts = [
        Some(told(of.outside, &outside)),
        of.inside.map(|inside| told(inside, "in it")),
        of.queue.map(|queue| told(queue, "in its queue")),
        Some(told(of.server, &format!("at `{behind}`"))),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    format!(
        "a response takes {}: {}",
        units::duration(of.all),
        parts.join(", ")
    )
}
