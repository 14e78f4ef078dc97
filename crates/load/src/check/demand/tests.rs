use super::*;

fn verdict(demand: Demand) -> Result<(), String> {
    let check = Check {
        name: "it".to_owned(),
        demand,
    };
    let fields = b"Content-Type: application/json\r\nX-Worker:  7 \r\n\r\n";
    let body = br#"{"items":[{"id":7,"name":"a"}]}"#;
    Compiled::new(&check).unwrap().judge(fields, body)
}

fn header_is(name: &str, value: Text) -> Demand {
    let name = name.to_owned();
    Demand::Header { name, value }
}

fn json_is(path: &str, value: Option<serde_json::Value>) -> Demand {
    let path = path.to_owned();
    Demand::Json { path, value }
}

#[test]
fn demands_that_hold() {
    let hash: [u8; 32] = Sha256::digest(br#"{"items":[{"id":7,"name":"a"}]}"#).into();
    for demand in [
        header_is("x-worker", Text::Is(b"7".to_vec())),
        header_is("content-TYPE", Text::Contains(b"json".to_vec())),
        header_is("X-Worker", Text::Matches("^[0-9]$".into())),
        Demand::Body(Text::Contains(b"\"id\":7".to_vec())),
        Demand::Body(Text::Matches(r#""id":\d+"#.into())),
        Demand::Length(31),
        Demand::Sha256(hash),
        json_is("$.items[0].id", Some(7.into())),
        json_is("$..name", None),
    ] {
        assert_eq!(verdict(demand.clone()), Ok(()), "{demand:?}");
    }
}

#[test]
fn demands_that_do_not_hold_say_why() {
    for (demand, why) in [
        (header_is("x-none", Text::Is(vec![])), "no header `x-none`"),
        (
            header_is("x-worker", Text::Is(b"8".to_vec())),
            "header `x-worker` is not `8`: `7`",
        ),
        (
            Demand::Body(Text::Contains(b"nine".to_vec())),
            r#"body is without `nine`: `{"items":[{"id":7,"name":"a"}]}`"#,
        ),
        (Demand::Length(30), "31 bytes where 30 were expected"),
        (
            json_is("$.items[0].id", Some(8.into())),
            "`$.items[0]['id']` is `7`, not `8`",
        ),
        (
            json_is("$.none", None),
            r#"nothing at `$['none']`: `{"items":[{"id":7,"name":"a"}]}`"#,
        ),
    ] {
        let said = verdict(demand).unwrap_err();
        assert!(said == why || said.starts_with(&why[..8]), "{said}");
    }
    assert!(
        verdict(Demand::Sha256([0; 32]))
            .unwrap_err()
            .starts_with("SHA-256 of its 31")
    );
}

#[test]
fn what_cannot_be_compiled_is_said() {
    let wrong = |demand| {
        Compiled::new(&Check {
            name: "it".into(),
            demand,
        })
        .unwrap_err()
        .to_string()
    };
    assert!(wrong(Demand::Body(Text::Matches("(".into()))).contains("unclosed group"));
    assert!(wrong(json_is("items", None)).contains("RFC 9535"));
    for deep in [
        format!("${}", ".a".repeat(5000)),
        format!("${}1{}", "[?(".repeat(5000), ")]".repeat(5000)),
        format!("$[?{}@.a]", "!".repeat(900)),
        format!("$[?{}@.a{}]", "(".repeat(400), ")".repeat(400)),
    ] {
        let told = wrong(json_is(&deep, None));
        assert!(told.contains("RFC 9535") && told.len() < 400, "{told}");
    }
}
