//! Messages.

use super::{Request, Seen, items, rule, word};
use serde_json::{Value, json};

pub fn seen(request: &Request) -> Seen {
    let body = &request.body;
    // A forced tool is the way to a shape.
    let forced = body["tool_choice"]["name"].as_str();
    let any = body["tool_choice"]["type"] == "any";
    let mut tools: Vec<&Value> = items(&body["tools"]).collect();
    let shape = if forced.is_some() || any { tools.pop() } else { None };
    let mut seen = Seen {
        model: word(&body["model"]),
        key: request.headers.get("x-api-key").cloned(),
        system: word(&body["system"]),
        tools: tools.into_iter().map(|tool| word(&tool["name"])).collect(),
        schema: shape.map(|tool| tool["input_schema"].clone()),
        temperature: body["temperature"].as_f64(),
        max_tokens: body["max_tokens"].as_u64(),
        ..Seen::default()
    };
    for message in items(&body["messages"]) {
        let mut words = word(&message["content"]);
        let mut only_results = false;
        for block in items(&message["content"]) {
            match block["type"].as_str() {
                Some("text") => words.push_str(&word(&block["text"])),
                Some("tool_use") => seen.calls.push((word(&block["name"]), block["input"].clone())),
                Some("tool_result") => {
                    seen.results.push(word(&block["content"]));
                    only_results = true;
                }
                _ => {}
            }
        }
        if !only_results {
            seen.messages.push((word(&message["role"]), words));
        }
    }
    seen
}

pub fn check(request: &Request) -> Result<(), String> {
    let body = &request.body;
    rule(request.path == "/v1/messages", "wrong path")?;
    rule(request.headers.get("anthropic-version").is_some_and(|version| version == "2023-06-01"), "no version")?;
    rule(body["max_tokens"].as_u64().is_some_and(|most| most > 0), "no max_tokens")?;
    let mut open: Vec<String> = Vec::new();
    let mut last = "assistant".to_owned();
    for message in items(&body["messages"]) {
        let role = word(&message["role"]);
        rule(role == "user" || role == "assistant", "a role that there is not")?;
        rule(role != last, "two messages of one role in a row")?;
        last = role;
        let blocks: Vec<&Value> = items(&message["content"]).collect();
        rule(message["content"].as_str().is_some_and(|text| !text.is_empty()) || !blocks.is_empty(), "no content")?;
        for block in &blocks {
            match block["type"].as_str() {
                Some("text") => rule(block["text"].as_str().is_some_and(|text| !text.is_empty()), "an empty text")?,
                Some("tool_result") => {
                    let answered = open.iter().position(|id| *id == block["tool_use_id"]);
                    open.remove(answered.ok_or("a result without its call")?);
                }
                Some("tool_use") => {}
                _ => return Err("a block that there is not".to_owned()),
            }
        }
        rule(open.is_empty(), "a call without its result")?;
        for block in blocks.iter().filter(|block| block["type"] == "tool_use") {
            rule(block["input"].is_object(), "input is no object")?;
            open.push(word(&block["id"]));
        }
    }
    rule(open.is_empty(), "a call without its result")?;
    rule(last == "user", "the last message is not the user's")?;
    items(&body["tools"]).try_for_each(|tool| rule(tool["input_schema"]["type"] == "object", "a schema of no object"))
}

pub fn answer(
    text: &str,
    calls: &[(String, Value)],
    usage: Option<(u64, u64)>,
    number: usize,
    request: &Request,
) -> Value {
    let mut content = vec![json!({"type": "thinking", "thinking": "hmm, let me think", "signature": "c2ln"})];
    // Whoever is forced to a tool answers with it.
    let forced = items(&request.body["tools"]).last().filter(|_| request.body["tool_choice"].is_object());
    match (forced, serde_json::from_str::<Value>(text)) {
        (Some(tool), Ok(input)) => {
            content.push(json!({"type": "tool_use", "id": "toolu_answer", "name": tool["name"], "input": input}));
        }
        _ if text.is_empty() => {}
        _ => content.push(json!({"type": "text", "text": text})),
    }
    for (at, (name, arguments)) in calls.iter().enumerate() {
        content
            .push(json!({"type": "tool_use", "id": format!("toolu_{number}_{at}"), "name": name, "input": arguments}));
    }
    let stop = if calls.is_empty() { "end_turn" } else { "tool_use" };
    let mut body = json!({
        "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "scripted",
        "content": content, "stop_reason": stop, "stop_sequence": null,
    });
    if let Some((input, output)) = usage {
        body["usage"] = json!({"input_tokens": input, "output_tokens": output});
    }
    body
}
