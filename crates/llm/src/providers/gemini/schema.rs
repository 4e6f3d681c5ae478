//! The part of JSON schema that Gemini knows.

use serde_json::{Map, Value, json};

const KNOWN: [&str; 14] = [
    "type",
    "format",
    "title",
    "description",
    "enum",
    "required",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "pattern",
    "nullable",
];

/// A schema without what would be refused; what it allows may become more, never less.
pub(super) fn cut(schema: &Value) -> Value {
    let Some(fields) = schema.as_object() else { return json!({}) };
    let mut kept = Map::new();
    for (name, value) in fields {
        match (name.as_str(), value) {
            // `["string", "null"]` is a string that may be null.
            ("type", Value::Array(types)) => {
                let named = types.iter().find(|name| *name != "null").cloned();
                kept.insert("type".to_owned(), named.unwrap_or_else(|| "string".into()));
                if types.iter().any(|name| name == "null") {
                    kept.insert("nullable".to_owned(), true.into());
                }
            }
            ("const", value) => drop(kept.insert("enum".to_owned(), json!([value]))),
            ("properties", Value::Object(properties)) => {
                let cut = properties.iter().map(|(name, schema)| (name.clone(), cut(schema)));
                kept.insert("properties".to_owned(), Value::Object(cut.collect()));
            }
            ("items", schema) => drop(kept.insert("items".to_owned(), cut(schema))),
            ("anyOf" | "oneOf", Value::Array(schemas)) => {
                kept.insert("anyOf".to_owned(), schemas.iter().map(cut).collect());
            }
            (known, value) if KNOWN.contains(&known) => drop(kept.insert(known.to_owned(), value.clone())),
            _ => {}
        }
    }
    Value::Object(kept)
}
