//! `/api/chat`.

use super::{Request, Seen, bearer, items, rule, word};
use serde_json::{Value, json};

pub fn seen(request: &Request) -> Seen {
    let body = &request.body;
    let mut seen = Seen {
        model: word(&body["model"]),
        key: bearer(request),
        tools: items(&body["tools"]).map(|tool| word(&tool["function"]["name"])).collect(),
        schema: body.get("format").cloned(),
        temperature: body["options"]["temperature"].as_f64(),
        max_tokens: body["options"]["num_predict"].as_u64(),
        ..Seen::default()
    };
    for message in items(&body["messages"]) {
        match message["role"].as_str() {
            Some("system") => seen.system = word(&message["content"]),
            Some("tool") => seen.results.push(word(&message["content"])),
            Some(role) => seen.messages.push((role.to_owned(), word(&message["content"]))),
            None => {}
        }
        let calls = items(&message["tool_calls"]);
        seen.calls.extend(calls.map(|call| (word(&call["function"]["name"]), call["function"]["arguments"].clone())));
    }
    seen
}

pub fn check(request: &Request) -> Result<(), String> {
    let body = &request.body;
    rule(request.path == "/api/chat", "wrong path")?;
    rule(body["stream"] == json!(false), "it would stream")?;
    for message in items(&body["messages"]) {
        rule(message["content"].is_string(), "a message without content")?;
        rule(message["role"] != "tool" || message["tool_name"].is_string(), "a result without its tool")?;
        for call in items(&message["tool_calls"]) {
            rule(call["function"]["arguments"].is_object(), "arguments are no object")?;
        }
    }
    rule(body["format"].is_null() || body["format"]["type"] == "object", "a format of no object")
}

pub fn answer(text: &str, calls: &[(String, Value)], usage: Option<(u64, u64)>) -> Value {
    let mut message = json!({"role": "assistant", "content": text, "thinking": "hmm, let me think"});
    if !calls.is_empty() {
        let call = |(name, arguments): &(String, Value)| json!({"function": {"name": name, "arguments": arguments}});
        message["tool_calls"] = calls.iter().map(call).collect();
    }
    let mut body = json!({
        "model": "scripted", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": true,
        "done_reason": "stop",
    });
    if let Some((input, output)) = usage {
        body["prompt_eval_count"] = input.into();
        body["eval_count"] = output.into();
    }
    body
}
