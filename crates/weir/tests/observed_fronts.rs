//! Front ends that tell how long requests were with them, and no more.

use serde_json::Value;

use crate::observed::behind;

#[test]
fn front_ends_that_time_requests_alone_tell_what_is_before_them() {
    // lighttpd writes its lines 4 s late where they are few
    for front in ["apache", "caddy", "lighttpd"] {
        let (place, explained) = behind(&format!("entry = \"{front}\""), 64, 5);
        let parts = &explained["parts"];
        let part = |name: &str| parts[name].as_f64().unwrap();
        assert_eq!(parts["together"], true, "{explained}");
        assert_eq!(parts["inside"], Value::Null, "{parts}");
        assert!(part("server") >= 0.045, "{parts}");
        assert!(part("outside") < part("server"), "{parts}");
        let said = place.run(&["explain", "1"]);
        // lines are broken where the page ends
        let told: Vec<_> = said.succeeds().out.split_whitespace().collect();
        let told = told.join(" ");
        let outside = format!(" outside `{front}`, ");
        for words in [outside.as_str(), " in it and at `gunicorn`"] {
            assert!(told.contains(words), "`{words}`: {told}");
        }
        place.assert_clean();
    }
}
