//! Chat completions and embeddings.

use super::{Request, Seen, bearer, items, rule, word};
use serde_json::{Value, json};

pub fn seen(request: &Request) -> Seen {
    let body = &request.body;
    let mut seen = Seen {
        model: word(&body["model"]),
        key: bearer(request),
        tools: items(&body["tools"]).map(|tool| word(&tool["function"]["name"])).collect(),
        schema: body["response_format"]["json_schema"].get("schema").cloned(),
        temperature: body["temperature"].as_f64(),
        max_tokens: body["max_tokens"].as_u64().or(body["max_completion_tokens"].as_u64()),
        ..Seen::default()
    };
    for message in items(&body["messages"]) {
        match message["role"].as_str() {
            Some("system") => seen.system = word(&message["content"]),
            Some("tool") => seen.results.push(word(&message["content"])),
            Some(role) => seen.messages.push((role.to_owned(), word(&message["content"]))),
            None => {}
        }
        seen.calls.extend(items(&message["tool_calls"]).map(|call| {
            let arguments = serde_json::from_str(call["function"]["arguments"].as_str().unwrap_or_default());
            (word(&call["function"]["name"]), arguments.unwrap_or_default())
        }));
    }
    seen
}

/// What the service asks of a request for vectors.
fn check_texts(body: &Value) -> Result<(), String> {
    let texts: Vec<&Value> = items(&body["input"]).collect();
    rule(body["model"].is_string(), "no model")?;
    rule(!texts.is_empty() && texts.len() <= 2048, "no texts, or too many")?;
    rule(texts.iter().all(|text| text.as_str().is_some_and(|text| !text.is_empty())), "a text that is empty")?;
    rule(body["encoding_format"] == "float", "another form than numbers")
}

pub fn check(request: &Request) -> Result<(), String> {
    let body = &request.body;
    if request.path == "/v1/embeddings" {
        return check_texts(body);
    }
    rule(request.path == "/v1/chat/completions", "wrong path")?;
    rule(body["model"].is_string(), "no model")?;
    rule(items(&body["messages"]).count() > 0, "no messages")?;
    let mut open: Vec<String> = Vec::new();
    for message in items(&body["messages"]) {
        if message["role"] == "tool" {
            let answered = open.iter().position(|id| *id == message["tool_call_id"]);
            open.remove(answered.ok_or("a result without its call")?);
            rule(message["content"].is_string(), "a result without words")?;
            continue;
        }
        rule(open.is_empty(), "a call without its result")?;
        let calls: Vec<&Value> = items(&message["tool_calls"]).collect();
        rule(message["content"].is_string() || !calls.is_empty(), "a message without content")?;
        for call in calls {
            let arguments = call["function"]["arguments"].as_str().ok_or("arguments are no string")?;
            rule(serde_json::from_str::<Value>(arguments).is_ok_and(|a| a.is_object()), "arguments are no object")?;
            rule(call["type"] == "function", "a call without a type")?;
            open.push(word(&call["id"]));
        }
    }
    rule(open.is_empty(), "a call without its result")?;
    let format = &body["response_format"];
    rule(format.is_null() || format["json_schema"]["name"].is_string(), "a shape without a name")?;
    rule(body["tools"].is_null() || items(&body["tools"]).count() > 0, "an empty list of tools")
}

pub fn answer(text: &str, calls: &[(String, Value)], usage: Option<(u64, u64)>, number: usize) -> Value {
    let mut message = json!({"role": "assistant", "content": text});
    if !calls.is_empty() {
        let call = |(at, (name, arguments)): (usize, &(String, Value))| {
            let arguments = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
            json!({"id": format!("call_{number}_{at}"), "type": "function", "function": {"name": name, "arguments": arguments}})
        };
        message["tool_calls"] = calls.iter().enumerate().map(call).collect();
        if text.is_empty() {
            message["content"] = Value::Null;
        }
    }
    let finish = if calls.is_empty() { "stop" } else { "tool_calls" };
    let mut body = json!({
        "id": format!("chatcmpl-{number}"), "object": "chat.completion", "created": 1_700_000_000, "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    });
    if let Some((input, output)) = usage {
        body["usage"] = json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output});
    }
    body
}
