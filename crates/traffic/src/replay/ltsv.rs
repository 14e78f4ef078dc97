use super::fields;
use super::line::{self, Line};

/// Reads a line of Labeled Tab-separated Values (ltsv.org).
pub(super) fn parse(text: &str) -> Option<Line<'_>> {
    let get = |key: &str| {
        let mut pairs = text.split('\t').filter_map(|pair| pair.split_once(':'));
        let (_, value) = pairs.find(|(label, value)| *label == key && *value != "-")?;
        Some(line::unescape(value))
    };
    fields::parse(get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_of_ltsv_org_are_known() {
        let text = "time:[20/Nov/2026:21:10:33 +0000]\thost:10.0.0.1\tmethod:GET\turi:/a?b=c:d\tstatus:200\t\
                    size:5\treqtime_microsec:1500\treqtime:-";
        let line = parse(text).unwrap();
        assert_eq!(
            (line.method.as_ref(), line.path.as_ref()),
            ("GET", "/a?b=c:d")
        );
        assert_eq!((line.status, line.took), (200, 1_500_000));
        let whole =
            "time:20/Nov/2026:21:10:33 +0000\treq:POST /x HTTP/1.1\tstatus:201\treqtime:0.5";
        let line = parse(whole).unwrap();
        assert_eq!((line.method.as_ref(), line.path.as_ref()), ("POST", "/x"));
        assert_eq!(line.took, 500_000_000);
        for wrong in [
            "",
            "time:x\turi:/",
            "a\tb",
            "time:[20/Nov/2026:21:10:33 +0000]\treq:-\tstatus:200",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    proptest::proptest! {
        #[test]
        fn garbage_never_panics(text in ".*") {
            let _ = parse(&text);
            let _ = parse(&format!("time:1795209033\treq:{text}\tstatus:200\treqtime:{text}"));
        }
    }
}
