//! `docs/http.md`, made of the document that the daemon serves.

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt::Write;

const OPENING: &str = "# HTTP

Made of the routes themselves by the tests of `crates/server` (`LOCI_BLESS=1` writes it anew): change the routes, not this file.
The daemon serves the same as an OpenAPI document at `/openapi.json`; `sdk/typescript` is a client of it.

Every route but `GET /health` and the page itself (`GET /` and its assets, which hold no data) needs `Authorization: Bearer TOKEN`: that of `$LOCI_HOME/token`, one of `loci token add`, or the key of an account.
Bodies and answers are JSON, where nothing else is said. A field with a star must be there.
Requests may name their client by `X-Loci-Client-Id`, as `POST /clients` or `POST /session` told it.

Every error is an [ErrorBody](#errorbody). Any route can answer these, and routes name only the others:

| code | when |
|---|---|
| 401 | the token is missing or wrong |
| 403 | the token may not do this, or the request comes from a page or by a name that is not allowed |
| 413 | the body is larger than `daemon.body_bytes` |
| 415 | the body is no JSON |
| 429 | too many requests (`daemon.rate_per_second`), or the lane is full; `Retry-After` says when to come again |
| 500 | the daemon could not do it |
";

/// Codes that are told once, in the opening.
const ANYWHERE: [&str; 6] = ["401", "403", "413", "415", "429", "500"];

#[test]
fn the_committed_reference_is_that_of_the_routes() {
    let document = serde_json::to_value(loci_server::openapi()).unwrap();
    loci_testkit::blessed::same("docs/http.md", &render(&document));
}

#[test]
fn every_route_has_a_name_of_its_own_and_says_that_a_question_may_be_wrong() {
    let document = serde_json::to_value(loci_server::openapi()).unwrap();
    let mut names = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for route in methods.as_object().unwrap().values() {
            assert!(names.insert(words(&route["operationId"])), "{path}: {} is taken", route["operationId"]);
            let asks = route["parameters"].as_array().into_iter().flatten().any(|it| it["in"] == "query");
            assert!(!asks || route["responses"]["400"].is_object(), "{path} does not tell of 400");
        }
    }
}

fn render(document: &Value) -> String {
    let mut told = OPENING.to_owned();
    let routes: Vec<(&str, &str, &Value)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| methods.as_object().unwrap().iter().map(move |(name, it)| (&**name, &**path, it)))
        .collect();
    let tags: BTreeSet<&str> = routes.iter().map(|(_, _, route)| tag(route)).collect();
    for tag in tags {
        let _ = write!(told, "\n## Routes: {tag}\n");
        routes.iter().filter(|(_, _, it)| self::tag(it) == tag).for_each(|(method, path, it)| {
            let _ = write!(told, "\n### {} {path}\n\n{}\n", method.to_uppercase(), words(&it["summary"]));
            told.push_str(&parameters(it));
            told.push_str(&body(document, it));
            told.push_str(&answers(it));
        });
    }
    told.push_str("\n## Shapes\n");
    for (name, shape) in document["components"]["schemas"].as_object().unwrap() {
        let _ = write!(told, "\n### {name}\n\n{}\n", words(&shape["description"]));
        told.push_str(&fields(shape));
    }
    told
}

fn tag(route: &Value) -> &str {
    route["tags"][0].as_str().unwrap()
}

fn parameters(route: &Value) -> String {
    let given = route["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    // The path says already what is in it.
    let told = given.iter().filter(|it| it["in"] != "path" || it["description"].is_string());
    let rows = told.map(|it| {
        let name = starred(it["name"].as_str().unwrap(), it["required"] == true);
        [name, it["in"].as_str().unwrap().to_owned(), kind(&it["schema"]), words(&it["description"])]
    });
    table(["parameter", "in", "type", "what it is"], rows)
}

fn body(document: &Value, route: &Value) -> String {
    let asked = &route["requestBody"];
    if asked.is_null() {
        return String::new();
    }
    let schema = &asked["content"]["application/json"]["schema"];
    let may = if asked["required"] == true { "" } else { ", which may be left out" };
    let told = format!("\nBody: {}{may}.\n", kind(schema));
    let named = schema["$ref"].as_str().and_then(|name| document.pointer(name.trim_start_matches('#')));
    told + &named.map(fields).unwrap_or_default()
}

fn answers(route: &Value) -> String {
    let mut told = Vec::new();
    for (code, answer) in route["responses"].as_object().unwrap() {
        if ANYWHERE.contains(&code.as_str()) {
            continue;
        }
        let content = answer["content"].as_object();
        let media = content.and_then(|content| content.iter().next());
        let what = match media {
            Some((_, media)) if code.starts_with('2') && media["schema"]["$ref"].is_string() => kind(&media["schema"]),
            Some((media, _)) if media != "application/json" => format!("`{media}`"),
            _ => String::new(),
        };
        let why = words(&answer["description"]).to_lowercase();
        let why = if why == "what is wrong" { String::new() } else { why };
        let more: Vec<String> = [what, why].into_iter().filter(|text| !text.is_empty()).collect();
        told.push(format!("{code} {}", more.join(", ")).trim_end().to_owned());
    }
    format!("\nAnswers: {}.\n", told.join("; "))
}

/// The fields of a shape, with those of all shapes that it is put together from.
fn fields(shape: &Value) -> String {
    if let Some(parts) = shape["oneOf"].as_array() {
        return format!("\nOne of: {}.\n", parts.iter().map(kind).collect::<Vec<_>>().join(", "));
    }
    if shape["enum"].is_array() {
        return format!("\nOne of: {}.\n", kind(shape));
    }
    let (mut rows, mut beside) = (Vec::new(), Vec::new());
    gather(shape, &mut rows, &mut beside);
    let mut told: String = beside.iter().map(|name| format!("\nWith the fields of {name}.\n")).collect();
    told.push_str(&table(["field", "type", "what it is"], rows));
    told
}

fn gather(shape: &Value, rows: &mut Vec<[String; 3]>, beside: &mut Vec<String>) {
    if shape["$ref"].is_string() {
        beside.push(kind(shape));
    }
    shape["allOf"].as_array().into_iter().flatten().for_each(|part| gather(part, rows, beside));
    let must: Vec<&Value> = shape["required"].as_array().into_iter().flatten().collect();
    for (name, field) in shape["properties"].as_object().unwrap_or(&Map::new()) {
        let must = must.iter().any(|it| *it == name);
        rows.push([starred(name, must), kind(field), words(&field["description"])]);
    }
}

fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows: String = rows.into_iter().map(|row| format!("| {} |\n", row.join(" | "))).collect();
    if rows.is_empty() { rows } else { format!("\n| {} |\n|{}\n{rows}", head.join(" | "), "---|".repeat(N)) }
}

fn starred(name: &str, must: bool) -> String {
    if must { format!("`{name}` *") } else { format!("`{name}`") }
}

/// What a value is, in words.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(|word| format!("`{}`", word.as_str().unwrap())).collect::<Vec<_>>().join(", ");
    }
    if let Some(parts) = schema["oneOf"].as_array() {
        return parts.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(|word| plain(word, schema)).collect::<Vec<_>>().join(" or "),
        Value::Null => "any value".to_owned(),
        word => plain(word, schema),
    }
}

fn plain(word: &Value, schema: &Value) -> String {
    let span = match (schema["minimum"].as_u64(), schema["maximum"].as_u64()) {
        (least, Some(most)) => format!(", {} to {most}", least.unwrap_or_default()),
        (Some(least), None) if least > 0 => format!(", at least {least}"),
        _ => String::new(),
    };
    match word.as_str().unwrap() {
        "string" if schema["format"] == "date-time" => "time".to_owned(),
        "string" => "text".to_owned(),
        "integer" => format!("whole number{span}"),
        "number" => format!("number{span}"),
        "boolean" => "`true` or `false`".to_owned(),
        "array" => format!("list of {}", kind(&schema["items"])),
        "object" if schema["additionalProperties"].is_object() => {
            format!("object of {}", kind(&schema["additionalProperties"]))
        }
        "null" => "`null`".to_owned(),
        word => word.to_owned(),
    }
}

/// A description in one line of a table.
fn words(description: &Value) -> String {
    let text = description.as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
