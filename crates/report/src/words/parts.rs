use judge::Parts;

use crate::units;

/// ``a response takes 25.1 ms: 1.20 ms outside `nginx`, 400 µs in it, 23.5 ms at `gunicorn`, about 20.1 ms of these until that
/// began to read the request``; without a front end ``a response takes 404 ms at `gunicorn`, about 350 ms of these until …``.
pub(crate) fn parts(of: &Parts) -> String {
    let (all, behind) = (units::duration(of.all), &of.behind);
    let unread = of.unread.map(|seconds| {
        let unread = units::duration(seconds);
        format!("about {unread} of these until that began to read the request")
    });
    let Some(front) = &of.front else {
        let unread = unread.map_or_else(String::new, |unread| format!(", {unread}"));
        return format!("a response takes {all} at `{behind}`{unread}");
    };
    let told = |seconds: f64, place: &str| format!("{} {place}", units::duration(seconds));
    let outside = if of.inside.is_some() || of.together {
        format!("outside `{front}`")
    } else {
        format!("outside and in `{front}`")
    };
    let server = if of.together {
        format!("in it and at `{behind}`")
    } else {
        format!("at `{behind}`")
    };
    let parts = [
        Some(told(of.outside, &outside)),
        of.inside.map(|inside| told(inside, "in it")),
        of.queue.map(|queue| told(queue, "in its queue")),
        Some(told(of.server, &server)),
        unread,
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    format!("a response takes {all}: {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_had_not_been_read_is_told_with_the_server_that_did_not() {
        let of = Parts {
            front: Some("front".to_owned()),
            behind: "app".to_owned(),
            all: 0.0251,
            outside: 0.0012,
            inside: Some(0.0004),
            server: 0.0235,
            unread: Some(0.0201),
            ..Parts::default()
        };
        let begin =
            "a response takes 25.1 ms: 1.20 ms outside `front`, 400 µs in it, 23.5 ms at `app`";
        let end = ", about 20.1 ms of these until that began to read the request";
        assert_eq!(parts(&of), format!("{begin}{end}"));
        let read_at_once = Parts { unread: None, ..of };
        assert_eq!(parts(&read_at_once), begin);
    }

    #[test]
    fn a_server_without_a_front_end_has_all_of_the_time() {
        let of = Parts {
            behind: "app".to_owned(),
            all: 0.404,
            server: 0.404,
            unread: Some(0.35),
            ..Parts::default()
        };
        let begin = "a response takes 404 ms at `app`";
        let end = ", about 350 ms of these until that began to read the request";
        assert_eq!(parts(&of), format!("{begin}{end}"));
    }
}
