//! One call of the tool: aliases first, then the fields that its command needs.

use super::view::Window;
use crate::{Error, Result};
use loci_domain::fault::Fault;
use serde_json::{Map, Value, json};

/// A checked call.
#[derive(Debug, PartialEq)]
pub enum Call {
    /// Show a directory or a file.
    View {
        /// Which.
        path: String,
        /// Which lines.
        window: Window,
    },
    /// Make a new file.
    Create {
        /// Where.
        path: String,
        /// Its whole text.
        file_text: String,
    },
    /// Replace a text that occurs once.
    StrReplace {
        /// In which file.
        path: String,
        /// What.
        old_str: String,
        /// With what.
        new_str: String,
    },
    /// Insert lines.
    Insert {
        /// Into which file.
        path: String,
        /// After which line.
        insert_line: i64,
        /// What.
        insert_text: String,
    },
    /// Remove a file or directory.
    Delete {
        /// Which.
        path: String,
    },
    /// Move a file or directory.
    Rename {
        /// From.
        old_path: String,
        /// To.
        new_path: String,
    },
}

const COMMANDS: [&str; 6] = ["view", "create", "str_replace", "insert", "delete", "rename"];
const ALIASES: [(&str, &str); 5] = [
    ("file_path", "path"),
    ("filePath", "path"),
    ("content", "file_text"),
    ("old_string", "old_str"),
    ("new_string", "new_str"),
];

impl Call {
    /// Reads a call; what is missing or wrong is named.
    pub fn read(call: &Value) -> Result<Call> {
        let Value::Object(given) = call else {
            return Err(invalid("A call is a JSON object with the field `command`."));
        };
        let fields = Fields::new(given);
        let command = match fields.0.get("command") {
            Some(Value::String(command)) => command.as_str(),
            _ => return Err(invalid(format!("The field `command` is missing; use one of: {}.", COMMANDS.join(", ")))),
        };
        let call = match command {
            "view" => Call::View { path: fields.text(command, "path")?, window: Window::read(&fields)? },
            "create" => {
                Call::Create { path: fields.text(command, "path")?, file_text: fields.text(command, "file_text")? }
            }
            "str_replace" => Call::StrReplace {
                path: fields.text(command, "path")?,
                old_str: fields.text(command, "old_str")?,
                new_str: fields.optional_text(command, "new_str")?.unwrap_or_default(),
            },
            "insert" => Call::Insert {
                path: fields.text(command, "path")?,
                insert_line: fields.whole(command, "insert_line")?.ok_or_else(|| needs(command, "insert_line"))?,
                insert_text: fields.text(command, "insert_text")?,
            },
            "delete" => Call::Delete { path: fields.text(command, "path")? },
            "rename" => Call::Rename {
                old_path: match fields.optional_text(command, "old_path")? {
                    Some(path) => path,
                    None => fields.optional_text(command, "path")?.ok_or_else(|| needs(command, "old_path"))?,
                },
                new_path: fields.text(command, "new_path")?,
            },
            other => {
                return Err(invalid(format!("Unknown command {other:?}; use one of: {}.", COMMANDS.join(", "))));
            }
        };
        Ok(call)
    }
}

/// A call's fields: aliases resolved, nulls dropped.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    fn new(given: &Map<String, Value>) -> Fields {
        let mut fields: Map<String, Value> =
            given.iter().filter(|(_, value)| !value.is_null()).map(|(k, v)| (k.clone(), v.clone())).collect();
        for (alias, name) in ALIASES {
            if let Some(value) = fields.remove(alias) {
                fields.entry(name).or_insert(value);
            }
        }
        Fields(fields)
    }

    fn optional_text(&self, command: &str, field: &str) -> Result<Option<String>> {
        match self.0.get(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(invalid(format!("The command `{command}` needs the field `{field}` as a string."))),
        }
    }

    fn text(&self, command: &str, field: &str) -> Result<String> {
        self.optional_text(command, field)?.ok_or_else(|| needs(command, field))
    }

    pub(super) fn whole(&self, command: &str, field: &str) -> Result<Option<i64>> {
        match self.0.get(field) {
            None => Ok(None),
            Some(value) => whole(value).map(Some).ok_or_else(|| {
                invalid(format!("The command `{command}` needs the field `{field}` as a whole number."))
            }),
        }
    }

    pub(super) fn pair(&self, command: &str, field: &str) -> Result<Option<[i64; 2]>> {
        let bad = || {
            invalid(format!("The command `{command}` needs the field `{field}` as two whole numbers, such as [1, 20]."))
        };
        match self.0.get(field) {
            None => Ok(None),
            Some(Value::Array(items)) => match items.as_slice() {
                [first, last] => Ok(Some([whole(first).ok_or_else(bad)?, whole(last).ok_or_else(bad)?])),
                _ => Err(bad()),
            },
            Some(_) => Err(bad()),
        }
    }
}

/// A whole number, also one that a model wrote as `3.0`.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15).map(|number| number as i64)
    })
}

fn needs(command: &str, field: &str) -> Error {
    invalid(format!("The command `{command}` needs the field `{field}`."))
}

fn invalid(text: impl Into<String>) -> Error {
    Error::refused(Fault::Invalid, text)
}

/// The tool's flattened JSON schema, for hosts that ask.
pub fn schema() -> Value {
    let text = |what: &str| json!({"type": "string", "description": what});
    let number = |what: &str| json!({"type": "integer", "description": what});
    json!({
        "type": "object",
        "properties": {
            "command": {"type": "string", "enum": COMMANDS, "description": "What to do."},
            "path": text("For view, create, str_replace, insert, delete: /memories/<scope>/..."),
            "file_text": text("For create: the whole text of the new file."),
            "old_str": text("For str_replace: the text to replace; it must occur exactly once."),
            "new_str": text("For str_replace: the text to put there; without it the old text is deleted."),
            "insert_line": number("For insert: the line after which to insert; 0 = at the top."),
            "insert_text": text("For insert: the lines to insert."),
            "old_path": text("For rename: what to move."),
            "new_path": text("For rename: where to; it must not exist."),
            "view_range": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2, "description": "For view of a file: first and last line, -1 = to the end."},
            "offset": number("For view of a file: the first line to show, from 1."),
            "limit": number("For view of a file: how many lines to show at most."),
        },
        "required": ["command"],
    })
}
