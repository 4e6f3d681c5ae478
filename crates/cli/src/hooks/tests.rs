use super::*;
use serde_json::json;
use std::path::Path;

fn read(name: &str, event: &str, input: Value) -> Option<Event> {
    (of(name).unwrap().read)(event, &input)
}

fn event(what: What) -> Event {
    Event { session: Some("s1".to_owned()), directory: Some(PathBuf::from("/srv/app")), what }
}

fn common(more: Value) -> Value {
    let mut input = json!({"session_id": "s1", "transcript_path": "/t/s1.jsonl", "cwd": "/srv/app"});
    for (name, value) in more.as_object().unwrap() {
        input[name] = value.clone();
    }
    input
}

fn file(format: Format) -> What {
    What::Over(Said::File(PathBuf::from("/t/s1.jsonl"), format))
}

const GO_ON: What = What::Start(Boundary::No);
const ANEW: What = What::Start(Boundary::Yes);

fn asks(text: &str) -> What {
    What::Prompt(text.to_owned())
}

#[test]
fn each_agent_tells_it_in_its_own_words() {
    for (name, format) in
        [("claude-code", Format::ClaudeCode), ("codex", Format::Codex), ("qwen-code", Format::QwenCode)]
    {
        for (said, more, what) in [
            ("SessionStart", json!({"source": "startup"}), GO_ON),
            ("SessionStart", json!({"source": "resume"}), GO_ON),
            ("SessionStart", json!({"source": "compact"}), ANEW),
            ("SessionStart", json!({"source": "clear"}), ANEW),
            ("UserPromptSubmit", json!({"prompt": "When?"}), asks("When?")),
            ("Stop", json!({"stop_hook_active": false}), file(format)),
            ("PreCompact", json!({"trigger": "auto"}), file(format)),
            ("SessionEnd", json!({"reason": "exit"}), file(format)),
        ] {
            assert_eq!(read(name, said, common(more)), Some(event(what)), "{name} {said}");
        }
    }
    for (said, more, what) in [
        ("SessionStart", json!({"source": "startup"}), GO_ON),
        ("SessionStart", json!({"source": "clear"}), ANEW),
        ("BeforeAgent", json!({"prompt": "When?"}), asks("When?")),
        ("AfterAgent", json!({"prompt": "When?", "prompt_response": "Soon."}), file(Format::GeminiCli)),
        ("PreCompress", json!({"trigger": "manual"}), file(Format::GeminiCli)),
        ("SessionEnd", json!({"reason": "exit"}), file(Format::GeminiCli)),
    ] {
        assert_eq!(read("gemini-cli", said, common(more)), Some(event(what)), "gemini-cli {said}");
    }
    for (said, more, what) in [
        ("sessionStart", json!({}), GO_ON),
        ("beforeSubmitPrompt", json!({"prompt": "When?", "attachments": []}), asks("When?")),
        ("stop", json!({"status": "completed", "loop_count": 0}), What::Over(Said::Unknown)),
        ("sessionEnd", json!({"reason": "completed"}), What::Over(Said::Unknown)),
    ] {
        let mut input = json!({"conversation_id": "s1", "generation_id": "g", "workspace_roots": ["/srv/app", "/b"]});
        more.as_object().unwrap().iter().for_each(|(name, value)| input[name] = value.clone());
        assert_eq!(read("cursor", said, input), Some(event(what)), "cursor {said}");
    }
    let messages = vec![json!({"id": "m1", "role": "user", "content": "Use tabs."})];
    for (said, input, what) in [
        ("session.created", json!({"session_id": "s1", "cwd": "/srv/app"}), GO_ON),
        ("session.created", json!({"properties": {"info": {"id": "s1", "directory": "/srv/app"}}}), GO_ON),
        ("session.compacted", json!({"properties": {"sessionID": "s1"}, "directory": "/srv/app"}), ANEW),
        ("chat.message", json!({"sessionID": "s1", "cwd": "/srv/app", "prompt": "When?"}), asks("When?")),
        (
            "session.idle",
            json!({"session_id": "s1", "cwd": "/srv/app", "messages": messages}),
            What::Over(Said::Here(messages)),
        ),
        (
            "experimental.session.compacting",
            json!({"session_id": "s1", "cwd": "/srv/app", "messages": []}),
            What::Over(Said::Unknown),
        ),
    ] {
        assert_eq!(read("opencode", said, input), Some(event(what)), "opencode {said}");
    }
}

#[test]
fn each_agent_is_answered_in_its_own_words() {
    let both = Answer { context: Some("C".to_owned()), notice: Some("N".to_owned()) };
    let written = |name: &str, event: &str, answer: &Answer| (of(name).unwrap().write)(event, answer);
    for (name, said) in [
        ("claude-code", "SessionStart"),
        ("codex", "UserPromptSubmit"),
        ("qwen-code", "UserPromptSubmit"),
        ("gemini-cli", "BeforeAgent"),
    ] {
        let expected =
            json!({"hookSpecificOutput": {"hookEventName": said, "additionalContext": "C"}, "systemMessage": "N"});
        assert_eq!(written(name, said, &both), expected, "{name}");
    }
    let only = Answer { context: None, notice: Some("N".to_owned()) };
    assert_eq!(written("claude-code", "UserPromptSubmit", &only), json!({"systemMessage": "N"}));
    assert_eq!(written("cursor", "sessionStart", &both), json!({"additional_context": "C"}));
    let prompt = json!({"continue": true, "additional_context": "C"});
    assert_eq!(written("cursor", "beforeSubmitPrompt", &both), prompt);
    assert_eq!(written("opencode", "chat.message", &both), json!({"context": "C", "message": "N"}));
    assert!(of("emacs").is_none());
}

#[test]
fn events_that_are_none_of_ours_and_nonsense_are_nothing() {
    for name in ["claude-code", "codex", "qwen-code", "gemini-cli", "cursor", "opencode"] {
        for said in ["PreToolUse", "Notification", "SubagentStop", "BeforeTool", "afterFileEdit", "", "stop ", "../x"] {
            assert_eq!(read(name, said, common(json!({}))), None, "{name} {said}");
        }
        let prompts = ["UserPromptSubmit", "BeforeAgent", "beforeSubmitPrompt", "chat.message"];
        for input in [json!(null), json!(5), json!([]), json!({}), json!({"prompt": {}}), json!({"prompt": " \n"})] {
            assert!(prompts.iter().all(|said| read(name, said, input.clone()).is_none()), "{name} {input}");
        }
    }
}

#[test]
fn fields_are_believed_only_as_far_as_they_make_sense() {
    let long = "x".repeat(5_000);
    for (input, session, directory) in [
        (json!({"session_id": 5, "cwd": []}), None, None),
        (json!({"session_id": "a\nb", "cwd": "relative/dir"}), None, None),
        (json!({"session_id": long, "cwd": format!("/{long}")}), None, None),
        (json!({"session_id": "../../x", "cwd": "/nope"}), Some("../../x"), Some("/nope")),
    ] {
        let read = read("claude-code", "SessionStart", input.clone()).unwrap();
        assert_eq!(
            (read.session.as_deref(), read.directory.as_deref()),
            (session, directory.map(Path::new)),
            "{input}"
        );
    }
    for path in [json!(null), json!(7), json!(""), json!("t.jsonl"), json!("/a\u{0}b")] {
        let read = read("claude-code", "Stop", json!({"session_id": "s", "transcript_path": path})).unwrap();
        assert_eq!(read.what, What::Over(Said::Unknown), "{path}");
    }
}

#[test]
fn what_the_agent_wrote_itself_is_noted() {
    let tool = |name: &str, call: Value| {
        read("claude-code", "PostToolUse", common(json!({"tool_name": name, "tool_input": call})))
            .map(|event| event.what)
    };
    let create = json!({"command": "create", "path": "/memories/global/a.md", "file_text": "x"});
    let wrote = Some(What::Wrote(vec!["/memories/global/a.md".to_owned()]));
    assert_eq!(tool("mcp__loci__memory", create.clone()), wrote);
    assert_eq!(tool("memory", create.clone()), wrote);
    assert_eq!(tool("mcp__loci__memory", json!({"command": "view", "path": "/memories"})), None);
    assert_eq!(tool("inmemory", create), None);
    assert_eq!(tool("Bash", json!({"command": "ls"})), None);
}

#[test]
fn a_long_prompt_is_asked_about_by_its_ends() {
    assert_eq!(ends("short"), "short");
    let long = format!("start {} end", "ü".repeat(20_000));
    let cut = ends(&long);
    assert!(cut.starts_with("start ü") && cut.ends_with("ü end") && cut.len() <= 2 * QUESTION + 1, "{}", cut.len());
}
