//! Tables of files as people have them, and files that nobody has.

use super::*;
use crate::agents::patch::{Patch, revert};
use proptest::prelude::*;
use serde_json::json;

fn put_loci(before: &str) -> Patch {
    let mut patch = Patch::new(before);
    put(&mut patch, &["servers"], "loci", &json!({"command": "loci", "args": ["mcp"]})).unwrap();
    patch
}

fn check(before: &str, after: &str) {
    let patch = put_loci(before);
    assert_eq!(patch.text, after);
    assert_eq!(revert(&patch.text, &patch.edits).as_deref(), Some(before));
    let mut again = Patch::new(&patch.text);
    put(&mut again, &["servers"], "loci", &json!({"command": "loci", "args": ["mcp"]})).unwrap();
    assert_eq!(again.text, patch.text, "a second time changes nothing");
}

#[test]
fn a_member_follows_the_layout() {
    let entry = "\"loci\": {\n      \"command\": \"loci\",\n      \"args\": [\"mcp\"]\n    }";
    check(
        "{\n  \"servers\": {\n    \"a\": 1\n  }\n}\n",
        &format!("{{\n  \"servers\": {{\n    \"a\": 1,\n    {entry}\n  }}\n}}\n"),
    );
    check("{\n  \"servers\": {}\n}", &format!("{{\n  \"servers\": {{\n    {entry}\n  }}\n}}"));
    check("{\n  \"b\": 1\n}", &format!("{{\n  \"b\": 1,\n  \"servers\": {{\n    {entry}\n  }}\n}}"));
    check("{}", &format!("{{\n  \"servers\": {{\n    {entry}\n  }}\n}}"));
    check("", &format!("{{\n  \"servers\": {{\n    {entry}\n  }}\n}}\n"));
}

#[test]
fn one_line_stays_one_line() {
    check(r#"{"servers": {"a": 1}}"#, r#"{"servers": {"a": 1, "loci": {"command": "loci", "args": ["mcp"]}}}"#);
    check(r#"{"a":1}"#, r#"{"a":1,"servers":{"loci":{"command":"loci","args":["mcp"]}}}"#);
    check(r#"{"servers": {"a": 1, }}"#, r#"{"servers": {"a": 1, "loci": {"command": "loci", "args": ["mcp"]}, }}"#);
}

#[test]
fn comments_stay_with_what_they_speak_of() {
    let before = "{\n  // servers\n  \"servers\": {\n\t\"a\": 1 // mine\n\t// \"b\": 2\n  } /* end */\n}\n";
    let patch = put_loci(before);
    assert!(patch.text.contains("\"a\": 1, // mine\n\t\"loci\": {"), "{}", patch.text);
    assert_eq!(revert(&patch.text, &patch.edits).as_deref(), Some(before));
    assert_eq!(parse(&patch.text).unwrap().unwrap().at(&["servers", "loci", "command"]).unwrap().value(), "loci");
}

#[test]
fn windows_lines_and_marks_are_kept() {
    let before = "\u{feff}{\r\n\t\"servers\": {\r\n\t\t\"a\": 1,\r\n\t}\r\n}\r\n";
    let patch = put_loci(before);
    assert!(!patch.text.replace("\r\n", "").contains('\n'), "{:?}", patch.text);
    assert!(patch.text.contains("\t\t\"loci\": {\r\n\t\t\t\"command\""), "{:?}", patch.text);
    assert_eq!(revert(&patch.text, &patch.edits).as_deref(), Some(before));
}

#[test]
fn an_entry_that_differs_is_replaced_and_told() {
    let mut patch = Patch::new("{\n  \"servers\": {\n    \"loci\": {\"command\": \"old\"}\n  }\n}\n");
    let was = put(&mut patch, &["servers"], "loci", &json!({"command": "new"})).unwrap();
    assert_eq!(was, Some(json!({"command": "old"})));
    assert_eq!(patch.text, "{\n  \"servers\": {\n    \"loci\": {\n      \"command\": \"new\"\n    }\n  }\n}\n");
}

#[test]
fn what_is_taken_leaves_the_rest() {
    let table = [
        ("{\"loci\": 1}", "{}"),
        ("{\"loci\": 1, \"b\": 2}", "{\"b\": 2}"),
        ("{\"a\": 1, \"loci\": 2, \"b\": 3}", "{\"a\": 1, \"b\": 3}"),
        ("{\"a\": 1, \"loci\": 2}", "{\"a\": 1}"),
        ("{\n  \"loci\": 1,\n  \"b\": 2\n}", "{\n  \"b\": 2\n}"),
        ("{\n  \"a\": 1,\n  \"loci\": 2,\n}", "{\n  \"a\": 1,\n}"),
        ("{\n  \"a\": 1, // mine\n  \"loci\": 2\n}", "{\n  \"a\": 1 // mine\n}"),
        ("{\n  // mine\n  \"loci\": 2 /* a\n b */,\n  \"b\": 3\n}", "{\n  // mine\n   /* a\n b */\n  \"b\": 3\n}"),
        ("{\n  // mine\n  \"loci\": 2}", "{\n  // mine\n  }"),
        ("{\n  \"a\": 1,\n  \"loci\": 2 /* theirs */,\n  \"b\": 3\n}", "{\n  \"a\": 1, /* theirs */\n  \"b\": 3\n}"),
    ];
    for (before, after) in table {
        let mut patch = Patch::new(before);
        assert!(take_member(&mut patch, &[], "loci").unwrap());
        assert_eq!(patch.text, after);
        parse(&patch.text).unwrap();
        assert!(!take_member(&mut patch, &[], "loci").unwrap());
    }
}

#[test]
fn what_does_not_parse_says_where() {
    let table = [
        ("{\"mcpServers\": {", "it ends too early", 1, 17),
        ("{\n  \"a\" 1\n}", "a colon is missing", 2, 7),
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "a comma or '}' is missing", 3, 3),
        ("{\"a\": tru}", "\"tru\" is no value", 1, 7),
        ("{} x", "'x' stands after the end", 1, 4),
        ("{\n/* open\n}", "a comment does not end", 2, 1),
        ("{a: 1}", "a name in quotes is missing", 1, 2),
        ("{\"a\": \"x\n\"}", "a text does not end", 1, 7),
        ("[1,,2]", "a value is missing", 1, 4),
    ];
    for (text, what, line, column) in table {
        assert_eq!(parse(text).unwrap_err(), Wrong { what: what.to_owned(), line, column }, "{text}");
    }
    assert!(parse(&"[".repeat(100_000)).is_err());
    let mut patch = Patch::new("{\"servers\": []}");
    assert!(put(&mut patch, &["servers"], "loci", &json!(1)).is_err());
    assert_eq!(patch.text, "{\"servers\": []}");
}

/// Any space and comments that may stand between two signs.
fn space() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        3 => Just(" ".to_owned()),
        3 => Just("\n  ".to_owned()),
        1 => Just("\r\n\t".to_owned()),
        1 => Just(" // it's \"so\"\n".to_owned()),
        1 => Just("/* { */".to_owned()),
        1 => Just(" /* a\n * b */ ".to_owned()),
    ]
}

fn written() -> impl Strategy<Value = String> {
    let plain = prop_oneof![Just("1".to_owned()), Just("null".to_owned()), Just(r#""a\"é}""#.to_owned())];
    plain.prop_recursive(4, 24, 4, |inner| {
        let item = (space(), inner, space()).prop_map(|(a, node, b)| format!("{a}{node}{b}"));
        let items = prop::collection::vec(item, 0..4).boxed();
        let key = prop_oneof![Just("\"servers\""), Just("\"list\""), Just("\"k\""), Just("\"loci\"")];
        let member = (space(), key, space(), items.clone().prop_map(|items| format!("[{}]", items.join(","))), space());
        let members = prop::collection::vec(member, 0..4);
        prop_oneof![
            (items, prop::bool::ANY).prop_map(|(items, comma)| {
                let comma = if comma && !items.is_empty() { "," } else { "" };
                format!("[{}{comma}]", items.join(","))
            }),
            (members, prop::bool::ANY, space()).prop_map(|(members, comma, end)| {
                let comma = if comma && !members.is_empty() { "," } else { "" };
                let members: Vec<String> =
                    members.into_iter().map(|(a, key, b, node, c)| format!("{a}{key}{b}:{node}{c}")).collect();
                format!("{{{}{comma}{end}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Invariant: connect_then_disconnect_is_nothing, for any file whatever its layout.
    #[test]
    fn connect_then_disconnect_is_nothing(head in space(), inner in written(), tail in space()) {
        let before = format!("{head}{{\"k\": {inner}}}{tail}");
        let whole = parse(&before).unwrap().unwrap();
        let mut patch = Patch::new(&before);
        if put(&mut patch, &["servers"], "loci", &json!({"a": [1], "b": {"c": 2}})).is_ok() {
            push(&mut patch, &["hooks", "Stop"], &json!({"hooks": [{"type": "command"}]})).unwrap();
            push(&mut patch, &["hooks", "Stop"], &json!(2)).unwrap();
            push(&mut patch, &["hooks", "Start"], &json!(3)).unwrap();
            let after = parse(&patch.text).unwrap().unwrap();
            prop_assert_eq!(after.at(&["k"]).unwrap().value(), whole.at(&["k"]).unwrap().value());
            prop_assert_eq!(after.at(&["servers", "loci", "b", "c"]).unwrap().value(), json!(2));
            prop_assert_eq!(after.at(&["hooks", "Stop"]).unwrap().items().len(), 2);
            prop_assert_eq!(revert(&patch.text, &patch.edits), Some(before));
            take_element(&mut patch, &["hooks", "Stop"], 1).unwrap();
            take_element(&mut patch, &["hooks", "Stop"], 0).unwrap();
            take_element(&mut patch, &["hooks", "Start"], 0).unwrap();
            take_member(&mut patch, &["servers"], "loci").unwrap();
            for way in [&["hooks", "Stop"][..], &["hooks", "Start"], &["hooks"], &["servers"]] {
                prop_assert!(prune(&mut patch, way).unwrap());
            }
            prop_assert_eq!(parse(&patch.text).unwrap().unwrap().value(), whole.value());
        }
    }

    /// Whatever stands in any object or list of a file, taking one item out leaves the others.
    #[test]
    fn taking_one_leaves_the_others(inner in written(), pick in 0usize..4) {
        let before = format!("{{\"k\": {inner}}}");
        let node = parse(&before).unwrap().unwrap().at(&["k"]).unwrap().clone();
        let mut patch = Patch::new(&before);
        if take_element(&mut patch, &["k"], pick).unwrap() {
            let left: Vec<Value> = node.items().iter().map(|item| item.node.value()).collect();
            let after = parse(&patch.text).unwrap().unwrap();
            let now: Vec<Value> = after.at(&["k"]).unwrap().items().iter().map(|item| item.node.value()).collect();
            let wanted: Vec<Value> = left.iter().enumerate().filter(|(at, _)| *at != pick).map(|(_, v)| v.clone()).collect();
            prop_assert_eq!(now, wanted);
        }
    }

    #[test]
    fn no_text_upsets_the_scanner(text in any::<String>(), signs in "[\\[\\]{}\":,/*\\\\ \n1a]{0,40}") {
        let _ = parse(&text);
        let _ = parse(&signs);
    }
}
