//! Wants against files as people and agents leave them.

use super::*;
use loci_domain::access::Mode;

fn call() -> call::Call {
    call::Call { program: "loci".into(), mode: Mode::Exec, home: None }
}

fn content() -> Content {
    let mut wants = vec![Want::Entry { way: &["mcpServers"], value: call().entry() }];
    wants.extend(hooks(&call(), "claude-code", &["SessionStart", "Stop"], 1));
    Content::Json(wants)
}

fn connected(before: &str) -> String {
    let mut patch = Patch::new(before);
    content().put(&mut patch).unwrap();
    assert_eq!(content().seen(&patch.text).unwrap(), Seen::All);
    patch.text
}

#[test]
fn hooks_come_behind_a_persons_own() {
    let before = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}"#;
    let root = jsonc::parse(&connected(before)).unwrap().unwrap().value();
    assert_eq!(root["hooks"]["Stop"][0]["hooks"][0]["command"], "say done");
    assert_eq!(root["hooks"]["Stop"][1]["hooks"][0]["command"], "loci hook Stop --agent claude-code");
    assert_eq!(content().seen(before).unwrap(), Seen::Nothing);
}

#[test]
fn a_command_of_another_day_is_replaced() {
    let old = connected("{}").replace("\"loci hook Stop", "\"/old/loci hook Stop");
    assert_eq!(content().seen(&old).unwrap(), Seen::Some);
    assert_eq!(jsonc::parse(&connected(&old)).unwrap().unwrap().value()["hooks"]["Stop"].as_array().unwrap().len(), 1);
}

#[test]
fn what_a_person_put_beside_ours_stays() {
    let mine = r#""command": "loci hook Stop --agent claude-code","#;
    let text = connected("{\n  \"a\": 1\n}\n");
    let beside = text.replace(mine, &format!("{mine} \"x\": 1 }}, {{ \"command\": \"mine\","));
    assert_ne!(beside, text);
    let mut patch = Patch::new(&beside);
    content().take(&mut patch, None).unwrap();
    let left = jsonc::parse(&patch.text).unwrap().unwrap().value();
    assert_eq!(left["hooks"]["Stop"][0]["hooks"].as_array().unwrap().len(), 1);
    assert_eq!(left["hooks"]["Stop"][0]["hooks"][0]["command"], "mine");
    assert_eq!((left.get("mcpServers"), left["hooks"].get("SessionStart")), (None, None));
}

#[test]
fn only_what_was_made_for_it_goes_with_it() {
    let before = "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n";
    let made = content().missing(before);
    let mut patch = Patch::new(&connected(before));
    content().take(&mut patch, Some(&made)).unwrap();
    let left = jsonc::parse(&patch.text).unwrap().unwrap().value();
    assert_eq!(left, json!({"hooks": {"Stop": []}}));
}

#[test]
fn a_file_of_ours_is_known_by_its_first_line() {
    let whole = Content::Whole("// ours\ncode\n".to_owned());
    assert!(whole.put(&mut Patch::new("// theirs\n")).is_err());
    let mut patch = Patch::new("// ours\nolder\n");
    whole.put(&mut patch).unwrap();
    assert_eq!(patch.text, "// ours\ncode\n");
}
