//! Tools: what is offered to whom, what they answer, and what they cost.

use crate::Machine;
use loci_domain::access::Mode;
use loci_domain::tokens::estimate;
use serde_json::json;

/// What all tools together may cost in every prompt of a host, by our estimate.
const TOOLS_COST: usize = 1_500;
/// The same for the server's instructions.
const INSTRUCTIONS_COST: usize = 90;

#[tokio::test]
async fn what_could_only_be_refused_is_not_offered() {
    let machine = Machine::new();
    let all = ["memory", "recall", "remember", "forget", "dream", "context"];
    assert_eq!(machine.client(Mode::Exec).await.tools().await, all);
    assert_eq!(machine.client(Mode::Plan).await.tools().await, all);
    let mut looking = machine.client(Mode::Explore).await;
    assert_eq!(looking.tools().await, ["memory", "recall", "context"]);
    for (name, arguments) in [
        ("remember", json!({"content": "The door is green."})),
        ("forget", json!({"query": "x"})),
        ("dream", json!({})),
    ] {
        let words = looking.fails(name, arguments).await;
        assert!(words.contains("read-only for this agent; only 'view' is allowed."), "{name}: {words}");
    }
}

#[tokio::test]
async fn a_misspelt_dry_run_deletes_nothing() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    client.text("remember", json!({"content": "I drink tea and coffee."})).await;
    for dry in ["dryRun", "dry_run"] {
        let told = client.text("forget", json!({"query": "tea coffee", dry: true})).await;
        assert!(told.contains("tea and coffee"), "{told}");
    }
    let both = json!({"query": "tea coffee", "dryRun": false, "dry_run": true});
    client.text("forget", both).await;
    let words = client.fails("forget", json!({"query": "tea coffee", "dry-run": true})).await;
    assert_eq!(words, "The tool `forget` has no field `dry-run`; it takes `query`, `scope`, `dryRun`.");
    for (name, arguments) in [
        ("recall", json!({"query": "tea", "top_k": 3})),
        ("remember", json!({"content": "I drink water.", "dry_run": true})),
        ("dream", json!({"preview": true})),
        ("context", json!({"question": "tea"})),
    ] {
        let words = client.fails(name, arguments).await;
        assert!(words.starts_with(&format!("The tool `{name}` has no field `")), "{words}");
    }
    assert!(client.text("recall", json!({"query": "tea coffee"})).await.contains("tea and coffee"));
    assert!(!client.text("recall", json!({"query": "water"})).await.contains("water."));
}

#[tokio::test]
async fn prompts_that_call_tools_are_offered_with_them() {
    let machine = Machine::new();
    let names = |listed: &serde_json::Value| -> Vec<String> {
        listed["prompts"].as_array().unwrap().iter().map(|prompt| prompt["name"].as_str().unwrap().to_owned()).collect()
    };
    let mut looking = machine.client(Mode::Explore).await;
    assert_eq!(names(&looking.ask("prompts/list", json!({})).await), ["recall", "memory"]);
    let refused = looking.answer("prompts/get", json!({"name": "dream"})).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let mut working = machine.client(Mode::Exec).await;
    assert_eq!(names(&working.ask("prompts/list", json!({})).await).len(), 5);
}

#[tokio::test]
async fn who_asks_for_nothing_hears_that_memory_is_on_again() {
    let machine = Machine::new();
    machine.now.lock().unwrap().memory = false;
    let mut client = machine.stranger(Mode::Exec);
    let hello = client.greet("2025-06-18").await;
    assert!(hello["instructions"].as_str().unwrap().contains("switched off"), "{hello}");
    assert!(hello["capabilities"]["resources"].get("listChanged").is_none(), "nobody would be told: {hello}");
    assert!(client.tools().await.is_empty());
    machine.now.lock().unwrap().memory = true;
    assert_eq!(client.next().await["method"], "notifications/tools/list_changed");
    assert_eq!(client.tools().await.len(), 6);
}

#[tokio::test]
async fn descriptions_are_short_and_never_change_with_memory() {
    let machine = Machine::new();
    let mut client = machine.stranger(Mode::Exec);
    let hello = client.greet("2025-11-25").await;
    let instructions = estimate(hello["instructions"].as_str().unwrap());
    assert!(instructions <= INSTRUCTIONS_COST, "{instructions} tokens");
    let before = client.ask("tools/list", json!({})).await;
    let shown: String = before["tools"].as_array().unwrap().iter().fold(String::new(), |text, tool| {
        format!("{text}{}{}{}", tool["name"], tool["description"], tool["inputSchema"])
    });
    let cost = estimate(&shown);
    assert!(cost <= TOOLS_COST, "{cost} tokens");
    for (name, words) in [("memory", "AGENTS.md"), ("remember", "AGENTS.md"), ("memory", "frontmatter")] {
        let tool = before["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        assert!(tool["description"].as_str().unwrap().contains(words), "{name}: {words}");
    }
    client.text("remember", json!({"content": "I prefer the tabs of Borealis."})).await;
    assert_eq!(client.ask("tools/list", json!({})).await, before, "a prompt cache would be lost");
}

#[tokio::test]
async fn verbs_answer_for_models_and_for_programs() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    let kept = client.call("remember", json!({"content": "We decided that Borealis is written in Rust."})).await;
    let path = kept["structuredContent"]["filesTouched"][0].as_str().unwrap().to_owned();
    assert!(kept["content"][0]["text"].as_str().unwrap().contains(&path), "{kept}");
    let found = client.call("recall", json!({"query": "what is Borealis written in?", "limit": 1.0})).await;
    assert_eq!(found["structuredContent"]["hits"][0]["path"], path.as_str());
    assert!(found["content"][0]["text"].as_str().unwrap().contains("Rust"), "{found}");
    let dry = client.call("forget", json!({"query": "borealis rust", "dryRun": true})).await;
    assert_eq!(dry["structuredContent"]["removedEntries"].as_array().unwrap().len(), 1, "{dry}");
    let gone = client.call("forget", json!({"query": "borealis rust"})).await;
    assert_eq!(gone["structuredContent"]["summary"], "Forgot 1 memory entry.");
    assert_eq!(
        client.text("recall", json!({"query": "what is Borealis written in?"})).await,
        "Nothing in memory fits."
    );
    let dreamt = client.call("dream", json!({})).await;
    assert_eq!(dreamt["structuredContent"]["status"], "noop", "{dreamt}");
    assert!(client.text("context", json!({})).await.contains("<memory_index>"));
}

#[tokio::test]
async fn secrets_are_taken_out_of_what_is_remembered() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let kept = client.call("remember", json!({"content": format!("The deploy bot signs in with {secret}.")})).await;
    let path = kept["structuredContent"]["filesTouched"][0].as_str().unwrap();
    let text = client.text("memory", json!({"command": "view", "path": path})).await;
    assert!(text.contains("[REDACTED:") && !text.contains(&secret), "{text}");
    let refused = client.fails("memory", json!({"command": "create", "path": path, "file_text": secret})).await;
    assert!(!refused.contains("a1B2c3D4"), "{refused}");
}

#[tokio::test]
async fn wrong_arguments_are_told_to_the_model() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    for (name, arguments, words) in [
        ("recall", json!({}), "The tool `recall` needs the field `query` as a string."),
        ("recall", json!({"query": 5}), "`query` as a string"),
        ("recall", json!({"query": "x", "limit": -1}), "`limit` between 0 and 100"),
        ("recall", json!({"query": "x", "scope": "moon"}), "`scope` as global, project or workspace"),
        ("remember", json!({"content": null}), "`content` as a string"),
        ("remember", json!({"content": "x", "type": "poem"}), "`type` as user, feedback, project or reference"),
        ("forget", json!({"query": "x", "dryRun": "yes"}), "`dryRun` as true or false"),
        ("context", json!({"uri": "file:///etc/passwd"}), "no address of a page"),
        ("context", json!({"uri": "memory://root/none.md"}), "memory://root/none.md does not exist"),
        ("memory", json!({"command": "create", "path": "/memories/global/x.md"}), "file_text"),
        ("remember", json!({"content": "A fact.", "scope": "workspace"}), "workspace memory scope is unavailable"),
    ] {
        let told = client.fails(name, arguments.clone()).await;
        assert!(told.contains(words), "{name} {arguments}: {told}");
    }
    let unknown = client.answer("tools/call", json!({"name": "no_such_tool"})).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
}

#[tokio::test]
async fn a_level_of_logs_can_be_set() {
    let mut client = Machine::new().client(Mode::Exec).await;
    for level in ["debug", "warning", "emergency"] {
        client.ask("logging/setLevel", json!({"level": level})).await;
    }
    let wrong = client.answer("logging/setLevel", json!({"level": "loud"})).await;
    assert!(wrong["error"].is_object(), "{wrong}");
}

#[tokio::test]
async fn off_means_off_at_once() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    assert_eq!(client.tools().await.len(), 6);
    machine.now.lock().unwrap().memory = false;
    for name in ["memory", "recall", "remember", "forget", "dream", "context"] {
        let told = client.fails(name, json!({"command": "view", "path": "/memories", "query": "x"})).await;
        assert!(told.starts_with("Memory is switched off"), "{name}: {told}");
    }
    let told = client.heard.iter().filter(|note| note["method"] == "notifications/tools/list_changed").count();
    assert_eq!(told, 1, "{:?}", client.heard);
    assert!(client.tools().await.is_empty());
    assert_eq!(client.ask("resources/list", json!({})).await["resources"], json!([]));
    assert_eq!(client.ask("prompts/list", json!({})).await["prompts"], json!([]));
    assert!(client.answer("resources/read", json!({"uri": "memory://root"})).await["error"].is_object());
    machine.now.lock().unwrap().memory = true;
    assert_eq!(client.tools().await.len(), 6);
    machine.now.lock().unwrap().recall = false;
    assert_eq!(client.text("recall", json!({"query": "anything"})).await, "Nothing in memory fits.");
}

#[tokio::test]
async fn slash_commands_look_or_ask_for_a_tool() {
    let machine = Machine::new();
    let mut client = machine.client(Mode::Exec).await;
    client.text("remember", json!({"content": "I drink green tea in the morning."})).await;
    let prompts = client.ask("prompts/list", json!({})).await;
    let names: Vec<&str> =
        prompts["prompts"].as_array().unwrap().iter().map(|prompt| prompt["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["remember", "recall", "forget", "dream", "memory"]);
    for (name, arguments, words) in [
        ("remember", json!({"content": "tea at four"}), "tea at four"),
        ("recall", json!({"query": "green tea"}), "in the morning"),
        ("recall", json!({"query": "quasars"}), "Memory has nothing about: quasars"),
        ("forget", json!({"query": "green tea"}), "green tea"),
        ("dream", json!({}), "`dream` tool"),
        ("memory", json!({}), "<memory_index>"),
    ] {
        let got = client.ask("prompts/get", json!({"name": name, "arguments": arguments})).await;
        let message = &got["messages"][0];
        assert_eq!(message["role"], "user");
        assert!(message["content"]["text"].as_str().unwrap().contains(words), "{name}: {message}");
    }
    for (name, arguments) in [("remember", json!({})), ("recall", json!({"query": " "})), ("poem", json!({}))] {
        let refused = client.answer("prompts/get", json!({"name": name, "arguments": arguments})).await;
        assert_eq!(refused["error"]["code"], -32602, "{name}: {refused}");
    }
}
