use super::*;
use serde_json::json;

fn one(line: &str) -> Option<Turn> {
    let mut reader = Reader::new(Format::Loci);
    let turns = reader.read(line);
    assert_eq!(turns.is_empty(), reader.skipped() == 1, "{line}");
    turns.into_iter().next()
}

#[test]
fn a_line_is_a_turn() {
    let turn = one(
        r#" {"id":"m1","role":"assistant","content":"Hi \u00fc\u0000.","at":"2026-03-01T10:00:00+01:00","x":1,
          "toolCalls":[{"name":"bash","arguments":"{\"a\":[1]}"},{"name":"ls","arguments":"not json"},{"name":"pwd"}]}"#,
    );
    let call = |name: &str, arguments| Called { name: name.to_owned(), arguments };
    let expected = Turn {
        id: "m1".to_owned(),
        role: Role::Assistant,
        content: "Hi ü\u{FFFD}.".to_owned(),
        at: Some("2026-03-01T09:00:00Z".parse().unwrap()),
        calls: vec![call("bash", json!({"a": [1]})), call("ls", json!("not json")), call("pwd", Value::Null)],
    };
    assert_eq!(turn, Some(expected));
}

#[test]
fn what_a_line_may_lack() {
    for (line, id, content) in [
        (r#"{"id":7,"role":"user","content":"x"}"#, "7", "x"),
        (r#"{"role":"user","content":"x","at":"soon"}"#, "#1", "x"),
        (r#"{"id":"","role":"user","content":""}"#, "#1", ""),
        (r#"{"id":"a","role":"assistant","content":null,"toolCalls":[{"name":"t"}]}"#, "a", ""),
        (
            r#"{"id":"a","role":"tool","content":[{"type":"text","text":"one"},{"type":"reasoning","text":"no"},"two"]}"#,
            "a",
            "one\ntwo",
        ),
    ] {
        let turn = one(line).unwrap();
        assert_eq!((turn.id.as_str(), turn.content.as_str(), turn.at), (id, content, None), "{line}");
    }
}

#[test]
fn what_makes_no_sense_is_skipped_and_counted() {
    let mut reader = Reader::new(Format::Loci);
    for line in [
        "{broken",
        "\"just a string\"",
        "[]",
        "7",
        r#"{"id":"x"}"#,
        r#"{"id":"x","role":"user"}"#,
        r#"{"id":"x","role":"wizard","content":"x"}"#,
        r#"{"id":{},"role":"user","content":"x"}"#,
        r#"{"id":"x","role":"user","content":{"a":1}}"#,
        r#"{"id":"x","role":"user","content":"x","toolCalls":[{}]}"#,
        &"[".repeat(100_000),
    ] {
        assert!(reader.read(line).is_empty(), "{line:.60}");
    }
    assert_eq!(reader.skipped(), 11);
    assert!(reader.read(" \t ").is_empty() && reader.read("").is_empty() && reader.skipped() == 11);
    reader.skip();
    assert_eq!(reader.skipped(), 12);
}

#[test]
fn turns_without_an_id_are_numbered_by_place() {
    let mut reader = Reader::new(Format::Loci);
    let lines = [r#"{"id":"a","role":"user","content":"1"}"#, "{", r#"{"role":"user","content":"2"}"#];
    let ids: Vec<String> = lines.iter().flat_map(|line| reader.read(line)).map(|turn| turn.id).collect();
    assert_eq!(ids, ["a", "#2"]);
    let long = format!(r#"{{"id":"{}","role":"user","content":"x"}}"#, "ü".repeat(500));
    assert_eq!(one(&long).unwrap().id.len(), 200);
    assert_eq!(one("\u{FEFF}{\"id\":\"bom\",\"role\":\"user\",\"content\":\"x\"}").unwrap().id, "bom");
}

#[test]
fn words_of_formats_and_roles_come_back() {
    for format in Format::ALL {
        assert_eq!(Format::from_word(&format.to_string()), Some(format));
    }
    for role in ["user", "assistant", "tool", "system"] {
        assert_eq!(Role::from_word(role).unwrap().to_string(), role);
    }
    assert_eq!((Format::from_word("word"), Role::from_word("User")), (None, None));
}
