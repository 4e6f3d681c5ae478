use super::super::{Format, Reader, Scout};
use super::*;
use serde_json::json;

/// What counts of a file in the end, and how it is read: in small bites.
fn said(file: &str) -> Vec<(Role, String)> {
    let mut scout = Scout::new(Format::GeminiCli);
    file.as_bytes().chunks(7).for_each(|bytes| scout.read(bytes));
    let mut reader = Reader::new(Format::GeminiCli).without(scout.finish());
    let mut turns: Vec<Turn> = file.as_bytes().chunks(11).flat_map(|bytes| reader.read(bytes)).collect();
    turns.extend(reader.finish());
    turns.into_iter().map(|turn| (turn.role, turn.content)).collect()
}

fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

fn user(id: &str, text: &str) -> Value {
    json!({"id": id, "timestamp": "2026-03-01T10:00:00Z", "type": "user", "content": [{"text": text}]})
}

fn spoken(expected: &[(Role, &str)]) -> Vec<(Role, String)> {
    expected.iter().map(|(role, text)| (*role, (*text).to_owned())).collect()
}

#[test]
fn one_object_or_lines_say_the_same() {
    let head = json!({"sessionId": "s", "projectHash": "x", "startTime": "2026-03-01T10:00:00Z"});
    let early = json!({"id": "g2", "type": "gemini", "content": ""});
    let answers = json!({"id": "g2", "type": "gemini", "content": "I look.", "thoughts": [{"subject": "hm"}],
        "toolCalls": [{"name": "ls", "args": {"path": "."},
                       "result": [{"functionResponse": {"name": "ls", "response": {"output": "a.md"}}}]}]});
    let note = json!({"id": "g3", "type": "info", "content": "Update available"});
    let expected = spoken(&[(Role::User, "Look."), (Role::Assistant, "I look."), (Role::Tool, "a.md")]);
    let mut whole = head.clone();
    whole["messages"] = json!([user("g1", "Look."), answers, note]);
    whole["summary"] = json!("Looking around");
    assert_eq!(said(&whole.to_string()), expected);
    assert_eq!(said(&serde_json::to_string_pretty(&whole).unwrap()), expected);
    let (gone, back) = (user("g9", "Never mind."), json!({"$rewindTo": "g9"}));
    let steps = [head, user("g1", "Look."), early, answers, note, gone, back];
    assert_eq!(said(&lines(&steps)), expected);
}

#[test]
fn what_the_model_sees_is_not_what_was_said() {
    let copy = |text: &str| json!({"$set": {"messages": [user("x1", text)]}});
    let head = json!({"sessionId": "s", "projectHash": "x"});
    let talk = [head.clone(), copy("<session_context>Today"), user("u1", "First."), copy("<state_snapshot>Short")];
    assert_eq!(said(&lines(&talk)), spoken(&[(Role::User, "First.")]));
    // Where messages are told in no other way, the last copy counts.
    assert_eq!(said(&lines(&[head.clone(), copy("One."), copy("Two.")])), spoken(&[(Role::User, "Two.")]));
    let unknown = [head, user("u1", "Stays."), json!({"$rewindTo": "nobody"})];
    assert_eq!(said(&lines(&unknown)), spoken(&[(Role::User, "Stays.")]));
}

#[test]
fn a_person_says_what_they_typed() {
    let hook =
        json!({"id": "a", "type": "user", "content": [{"text": "Mine."}, {"text": "<hook_context>x</hook_context>"}]});
    let file = json!({"id": "b", "type": "user", "content": [{"text": "see @a"}, {"text": "body of a"}],
                      "displayContent": [{"text": "see @a"}]});
    let harness = json!({"id": "c", "type": "user", "content": "<session_context>Today"});
    let expected = [(Role::User, "Mine."), (Role::User, "see @a"), (Role::System, "<session_context>Today")];
    assert_eq!(said(&lines(&[hook, file, harness])), spoken(&expected));
}

#[test]
fn what_is_none_of_geminis_makes_no_sense() {
    for broken in ["", "{}", "[]", "7", "root:x:0:0:root:/root:/bin/bash", r#"{"$rewindTo":7}"#] {
        assert_eq!(read(broken), None, "{broken}");
    }
}
