//! Exactly what a model answers: all keys, and no other.

use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    pub memory_md: String,
    pub memory_summary: String,
    pub skills: Vec<Skill>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Skill {
    pub name: String,
    pub content: String,
    #[serde(default)]
    pub scripts: Option<Vec<Extra>>,
    #[serde(default)]
    pub templates: Option<Vec<Extra>>,
    #[serde(default)]
    pub examples: Option<Vec<Extra>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Extra {
    pub path: String,
    pub content: String,
}

pub(super) fn schema() -> Value {
    let text = json!({"type": "string"});
    let files = json!({"type": "array", "items": {
        "type": "object",
        "properties": {"path": text, "content": text},
        "required": ["path", "content"],
        "additionalProperties": false,
    }});
    json!({
        "type": "object",
        "properties": {
            "memory_md": text,
            "memory_summary": text,
            "skills": {"type": "array", "items": {
                "type": "object",
                "properties": {"name": text, "content": text, "scripts": files, "templates": files, "examples": files},
                "required": ["name", "content", "scripts", "templates", "examples"],
                "additionalProperties": false,
            }},
        },
        "required": ["memory_md", "memory_summary", "skills"],
        "additionalProperties": false,
    })
}
