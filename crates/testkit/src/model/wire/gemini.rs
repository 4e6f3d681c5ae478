//! `generateContent`.

use super::{Request, Seen, items, rule, word};
use serde_json::{Value, json};

/// What `responseSchema` and `parameters` know; anything else is refused.
const SCHEMA: [&str; 20] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "maxItems",
    "minItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "anyOf",
    "propertyOrdering",
    "default",
    "items",
    "minimum",
];

pub fn seen(request: &Request) -> Seen {
    let body = &request.body;
    let config = &body["generationConfig"];
    let mut seen = Seen {
        model: request.path.rsplit('/').next().and_then(|last| last.split(':').next()).unwrap_or_default().to_owned(),
        key: request.headers.get("x-goog-api-key").cloned(),
        system: word(&body["systemInstruction"]["parts"][0]["text"]),
        tools: items(&body["tools"][0]["functionDeclarations"]).map(|tool| word(&tool["name"])).collect(),
        schema: config.get("responseSchema").cloned(),
        temperature: config["temperature"].as_f64(),
        max_tokens: config["maxOutputTokens"].as_u64(),
        ..Seen::default()
    };
    for content in items(&body["contents"]) {
        let parts: Vec<&Value> = items(&content["parts"]).collect();
        let words: String = parts.iter().map(|part| word(&part["text"])).collect();
        let results = parts.iter().filter(|part| part["functionResponse"].is_object());
        let before = seen.results.len();
        seen.results.extend(results.map(|part| word(&part["functionResponse"]["response"]["result"])));
        let calls = parts.iter().filter(|part| part["functionCall"].is_object());
        seen.calls
            .extend(calls.map(|part| (word(&part["functionCall"]["name"]), part["functionCall"]["args"].clone())));
        if seen.results.len() == before {
            let role = if content["role"] == "model" { "assistant" } else { "user" };
            seen.messages.push((role.to_owned(), words));
        }
    }
    seen
}

pub fn check(request: &Request) -> Result<(), String> {
    let body = &request.body;
    let path = &request.path;
    rule(path.starts_with("/v1beta/models/") && path.ends_with(":generateContent"), "wrong path")?;
    let mut open: Vec<String> = Vec::new();
    for content in items(&body["contents"]) {
        rule(content["role"] == "user" || content["role"] == "model", "a role that there is not")?;
        let parts: Vec<&Value> = items(&content["parts"]).collect();
        rule(!parts.is_empty(), "no parts")?;
        let mut results = parts.iter().filter(|part| part["functionResponse"].is_object()).peekable();
        if results.peek().is_some() {
            let names: Vec<String> = results.map(|part| word(&part["functionResponse"]["name"])).collect();
            rule(names == open, "results that are not those of the calls")?;
            open.clear();
        }
        rule(open.is_empty(), "a call without its result")?;
        for part in parts.iter().filter(|part| part["functionCall"].is_object()) {
            rule(part["functionCall"]["args"].is_object(), "args are no object")?;
            if open.is_empty() {
                rule(part["thoughtSignature"] == "c2lnbmF0dXJl", "the signature of the thought is missing")?;
            }
            open.push(word(&part["functionCall"]["name"]));
        }
    }
    rule(open.is_empty(), "a call without its result")?;
    for tool in items(&body["tools"][0]["functionDeclarations"]) {
        tool.get("parameters").map_or(Ok(()), schema)?;
    }
    body["generationConfig"].get("responseSchema").map_or(Ok(()), schema)
}

fn schema(value: &Value) -> Result<(), String> {
    for (name, inner) in value.as_object().ok_or("a schema that is no object")? {
        rule(SCHEMA.contains(&name.as_str()) || name == "maximum", &format!("{name} is unknown in a schema"))?;
        match name.as_str() {
            "properties" => {
                let properties = inner.as_object().ok_or("properties are no object")?;
                rule(!properties.is_empty(), "an object without properties")?;
                properties.values().try_for_each(schema)?;
            }
            "items" => schema(inner)?,
            "anyOf" => items(inner).try_for_each(schema)?,
            "type" => rule(inner.is_string(), "several types")?,
            _ => {}
        }
    }
    Ok(())
}

pub fn answer(text: &str, calls: &[(String, Value)], usage: Option<(u64, u64)>) -> Value {
    let mut parts = vec![json!({"text": "hmm, let me think", "thought": true})];
    if !text.is_empty() {
        parts.push(json!({"text": text}));
    }
    for (at, (name, arguments)) in calls.iter().enumerate() {
        let mut part = json!({"functionCall": {"name": name, "args": arguments}});
        // Only the first of parallel calls is signed.
        if at == 0 {
            part["thoughtSignature"] = "c2lnbmF0dXJl".into();
        }
        parts.push(part);
    }
    let mut body = json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "modelVersion": "scripted",
    });
    if let Some((input, output)) = usage {
        let thoughts = output.min(5);
        body["usageMetadata"] = json!({
            "promptTokenCount": input, "candidatesTokenCount": output - thoughts, "thoughtsTokenCount": thoughts,
            "totalTokenCount": input + output,
        });
    }
    body
}
