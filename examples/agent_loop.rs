//! A small agent: it answers in turns, keeps notes in a workspace by its tools, and its long conversation is compacted.
//!
//! The daemon is the real binary and the model a scripted one over real HTTP, so it runs anywhere:
//! `cargo run -p loci-cli --example agent_loop`, after `cargo build`. An agent of your own has the same loop with a model
//! of its own: begin a turn, ask the model, do what it calls for, complete the turn.

// It shows a loop; what cannot go on stops with its line.
#![allow(clippy::unwrap_used)]

use loci_llm::provider::{Answer, Ask, Call, CallResult, Message, Tool};
use loci_llm::providers::{Key, Kind, Settings, open};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::Home;
use loci_testkit::model::{KEY, Model, NAME, Request, Step, Wire};
use serde_json::{Value, json};

/// Characters after which the conversation is told in short.
const LENGTH: usize = 8000;

/// What the loop came to.
pub struct Talked {
    /// The agent's answers.
    pub answers: Vec<String>,
    /// Turns in which older messages were told in short.
    pub compactions: usize,
    /// The notes in the workspace.
    pub notes: String,
    /// What the last turn's context showed of the summary.
    pub summary: String,
}

#[allow(dead_code, reason = "a test runs the loop without it")]
fn main() {
    let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.parent()?.join("loci")));
    let binary = std::env::args().nth(1).or(beside.and_then(|path| Some(path.to_str()?.to_owned())));
    let talked = talk(&binary.unwrap_or_else(|| "loci".to_owned()), 12);
    talked.answers.iter().for_each(|answer| println!("agent: {answer}"));
    println!("compactions: {}\nnotes:\n{}", talked.compactions, talked.notes);
}

/// Talks for so many turns.
pub fn talk(binary: &str, turns: usize) -> Talked {
    let model = Model::answering(Wire::OpenAi, scripted);
    let home = Home::new(binary);
    let daemon = Daemon::start(&home, &[], &model.environment());
    let made = |path: &str, body: Value| {
        let (status, made) = daemon.ask("POST", path, Some(&body));
        assert_eq!(status, 201, "{made}");
        made["id"].as_str().unwrap_or_default().to_owned()
    };
    let storage = json!({"name": "notes", "config": {"storage": {"provider": "local"}}});
    let workspace = made("/accounts/me/workspaces", storage);
    let sandbox = made("/accounts/me/sandboxes", json!({"name": "box", "kind": "local"}));
    let agent = made(
        "/accounts/me/agents",
        json!({
            "system": "You keep notes of what the person tells you.",
            "sandbox": sandbox,
            "workspaces": [{"name": "notes", "workspaceId": workspace}],
            "session": {"compaction": {"enabled": true, "maxContextLength": LENGTH}}
        }),
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut talked = Talked { answers: Vec::new(), compactions: 0, notes: String::new(), summary: String::new() };
    for n in 0..turns {
        let said = format!("note: fact number {n} is {}. {}", n * 7, "Some words around it. ".repeat(30));
        let event =
            json!({"eventId": format!("event-{n}"), "agentId": agent, "events": [{"role": "user", "content": said}]});
        let (status, turn) = daemon.ask("POST", "/conversations/diary/turns", Some(&event));
        assert_eq!(status, 201, "{turn}");
        talked.compactions += usize::from(turn["compaction"]["status"] == "done");
        let parts = turn["system"].as_array().into_iter().flatten();
        let summary = parts.filter(|part| part["name"] == "summary").filter_map(|part| part["text"].as_str());
        talked.summary = summary.collect();
        let messages = runtime.block_on(answered(&daemon, &model, &turn));
        talked.answers.extend(messages.last().and_then(|last| last["content"].as_str()).map(str::to_owned));
        let path = format!("/conversations/diary/turns/{}/complete", turn["turnId"].as_str().unwrap_or_default());
        let (status, done) = daemon.ask("POST", &path, Some(&json!({"messages": messages})));
        assert_eq!(status, 200, "{done}");
    }
    let (_, file) = daemon.ask("GET", &format!("/accounts/me/workspaces/{workspace}/files?path=MEMORY.md"), None);
    talked.notes = file["content"].as_str().unwrap_or_default().to_owned();
    talked
}

/// Asks the model until it calls for nothing more; what was said, to be kept.
async fn answered(daemon: &Daemon, model: &Model, turn: &Value) -> Vec<Value> {
    let settings =
        Settings { base_url: Some(model.base_url()), key: Key::new(KEY), ..Settings::new(Kind::OpenAi, NAME) };
    let provider = open(settings).unwrap();
    let texts = turn["system"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
    let tools = turn["tools"].as_array().into_iter().flatten().map(|tool| Tool {
        name: tool["name"].as_str().unwrap_or_default().to_owned(),
        description: tool["description"].as_str().unwrap_or_default().to_owned(),
        schema: tool["inputSchema"].clone(),
    });
    let seen = turn["messages"].as_array().into_iter().flatten().map(|message| {
        let text = message["content"].as_str().unwrap_or_default().to_owned();
        if message["role"] == "user" { Message::User(text) } else { Message::Assistant { text, calls: Vec::new() } }
    });
    let system = texts.collect::<Vec<_>>().join("\n\n");
    let mut ask = Ask { system, messages: seen.collect(), tools: tools.collect(), ..Ask::default() };
    let mut said = Vec::new();
    loop {
        let Answer { text, calls, .. } = provider.ask(&ask).await.unwrap();
        if calls.is_empty() {
            said.push(json!({"role": "assistant", "content": text}));
            return said;
        }
        let mut results = Vec::new();
        for call in &calls {
            let output = called(daemon, turn, call);
            said.push(json!({"role": "assistant", "content": [
                {"type": "tool-call", "toolCallId": call.id, "toolName": call.name, "input": call.arguments}
            ]}));
            said.push(json!({"role": "tool", "content": [{
                "type": "tool-result", "toolCallId": call.id, "toolName": call.name,
                "output": {"type": "text", "value": output}
            }]}));
            results.push(CallResult { id: call.id.clone(), name: call.name.clone(), text: output });
        }
        ask.messages.push(Message::Assistant { text, calls });
        ask.messages.push(Message::Results(results));
    }
}

/// Has the daemon do what the model calls for.
fn called(daemon: &Daemon, turn: &Value, call: &Call) -> String {
    let path = format!("/conversations/diary/turns/{}/tools", turn["turnId"].as_str().unwrap_or_default());
    let (_, done) = daemon.ask("POST", &path, Some(&json!({"name": call.name, "input": call.arguments})));
    let text = if done["success"] == true { &done["output"] } else { &done["error"] };
    text.as_str().unwrap_or_default().to_owned()
}

/// What the scripted model says: it reads its notes, adds a line, and answers; asked for a summary, it gives one.
fn scripted(request: &Request) -> Step {
    let seen = request.seen();
    let last = seen.messages.iter().rfind(|(who, _)| who == "user").map(|(_, text)| text.clone()).unwrap_or_default();
    if last.contains("takes the place of its older part") {
        return Step::say("The person told facts about numbers; they are in MEMORY.md.");
    }
    let Some(fact) = last.strip_prefix("note: ").and_then(|rest| rest.split_once('.')).map(|(fact, _)| fact.to_owned())
    else {
        // Whoever learns from the conversation finds nothing more in it.
        return Step::say("[]");
    };
    match seen.results.as_slice() {
        [] => Step::call("read", json!({"path": "MEMORY.md"})),
        [notes] => {
            let before = if notes.starts_with("- ") { notes.as_str() } else { "" };
            Step::call("write", json!({"path": "MEMORY.md", "content": format!("{before}- {fact}\n")}))
        }
        _ => Step::say(format!("Noted: {fact}.")),
    }
}
