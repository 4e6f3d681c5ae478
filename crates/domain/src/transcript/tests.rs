use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::path::PathBuf;

/// Reads a line.
fn read(reader: &mut Reader, line: &str) -> Vec<Turn> {
    reader.read(format!("{line}\n").as_bytes())
}

fn one(line: &str) -> Option<Turn> {
    let mut reader = Reader::new(Format::Loci);
    let turns = read(&mut reader, line);
    assert_eq!(turns.is_empty(), reader.skipped() == 1, "{line}");
    turns.into_iter().next()
}

#[test]
fn a_line_is_a_turn() {
    let turn = one(
        r#" {"id":"m1","role":"assistant","content":"Hi \u00fc\u0000.","at":"2026-03-01T10:00:00+01:00","x":1, "toolCalls":[{"name":"bash","arguments":"{\"a\":[1]}"},{"name":"ls","arguments":"not json"},{"name":"pwd"}]}"#,
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
        assert!(read(&mut reader, line).is_empty(), "{line:.60}");
    }
    assert_eq!(reader.skipped(), 11);
    assert!(reader.read(b" \t \n\n").is_empty() && reader.skipped() == 11);
    assert!(reader.read(b"\xff\xfe\n").is_empty() && reader.finish().is_empty());
    assert_eq!(reader.skipped(), 12);
}

#[test]
fn turns_without_an_id_are_numbered_by_place() {
    let mut reader = Reader::new(Format::Loci);
    let lines = [r#"{"id":"a","role":"user","content":"1"}"#, "{", r#"{"role":"user","content":"2"}"#];
    let ids: Vec<String> = lines.iter().flat_map(|line| read(&mut reader, line)).map(|turn| turn.id).collect();
    assert_eq!(ids, ["a", "#2"]);
    let long = format!(r#"{{"id":"{}","role":"user","content":"x"}}"#, "ü".repeat(500));
    assert_eq!(one(&long).unwrap().id.len(), 200);
    assert_eq!(one("\u{FEFF}{\"id\":\"bom\",\"role\":\"user\",\"content\":\"x\"}").unwrap().id, "bom");
}

#[test]
fn a_line_with_half_a_sign_is_not_skipped() {
    let turn = one(r#"{"id":"a","role":"user","content":"cut inside \ud83d"}"#).unwrap();
    assert_eq!(turn.content, "cut inside \u{FFFD}");
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

/// A small session of each agent, in its own words.
fn sample(format: Format) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/transcript/samples");
    let ending = if matches!(format, Format::GeminiCli | Format::OpenCode) { "json" } else { "jsonl" };
    std::fs::read(folder.join(format!("{format}.{ending}"))).unwrap()
}

/// Turns, what is known of the session, and how much made no sense, read in bites of a size.
fn told(format: Format, text: &[u8], bite: usize) -> (Vec<Turn>, About, u64) {
    let mut scout = Scout::new(format);
    text.chunks(bite).for_each(|bytes| scout.read(bytes));
    let mut reader = Reader::new(format).without(scout.finish());
    let mut turns: Vec<Turn> = text.chunks(bite).flat_map(|bytes| reader.read(bytes)).collect();
    turns.extend(reader.finish());
    (turns, reader.about(), reader.skipped())
}

/// Every sample says the same in its agent's words: who said what, and nothing of what nobody said.
#[test]
fn each_agents_sample_is_read_without_noise() {
    for format in Format::ALL {
        let text = sample(format);
        let (turns, about, skipped) = told(format, &text, 1 << 16);
        let words = |role: Role| -> Vec<&str> {
            let said = turns.iter().filter(|turn| turn.role == role);
            said.map(|turn| turn.content.as_str()).filter(|text| !text.is_empty()).collect()
        };
        assert_eq!(words(Role::User), ["We decided to ship on Thursdays.", "Thanks, that is all."], "{format}");
        assert_eq!(words(Role::Assistant), ["I look at the calendar.", "Thursday it is."], "{format}");
        assert_eq!(words(Role::Tool), ["calendar.md: Thursday is free"], "{format}");
        let calls: Vec<&str> = turns.iter().flat_map(|turn| &turn.calls).map(|call| call.name.as_str()).collect();
        assert_eq!((calls.len(), skipped), (1, 1), "{format}: one call, one broken line");
        assert!(turns.iter().all(|turn| turn.at.is_some() && !turn.content.contains("secret thought")), "{format}");
        if format != Format::Loci {
            assert!(about.session.is_some_and(|session| session.starts_with("sample-")), "{format}");
        }
        let told_title = !matches!(format, Format::Loci | Format::Codex);
        assert_eq!(about.title.as_deref(), told_title.then_some("Release day"), "{format}");
        let placed = !matches!(format, Format::Loci | Format::GeminiCli);
        assert_eq!(about.directory.as_deref(), placed.then_some("/srv/calendar"), "{format}");
        assert_eq!(Format::recognise(&text), Some(format), "{format}");
        assert_eq!(Format::recognise(&text[..400]), Some(format), "{format} by its start");
    }
}

#[test]
fn a_title_that_a_person_chose_stays() {
    let mut reader = Reader::new(Format::ClaudeCode);
    for line in [
        r#"{"type":"summary","summary":"Old"}"#,
        r#"{"type":"custom-title","customTitle":"My\n  own"}"#,
        r#"{"type":"ai-title","aiTitle":"Clever"}"#,
        r#"{"type":"custom-title","customTitle":" "}"#,
    ] {
        read(&mut reader, line);
    }
    assert_eq!(reader.about().title.as_deref(), Some("My own"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However a transcript is broken and handed over, it is read without a fall, and in bites as in one piece.
    #[test]
    fn damage_is_survived_and_bites_make_no_difference(
        which in 0usize..7, at in 0usize..4000, junk in prop::collection::vec(any::<u8>(), 0..6), bite in 1usize..50,
    ) {
        let format = Format::ALL[which];
        let mut text = sample(format);
        let at = at % text.len();
        text.splice(at..(at + junk.len() / 2).min(text.len()), junk);
        prop_assert_eq!(told(format, &text, bite), told(format, &text, text.len()));
    }
}
