//! What a model sends with a call, read with patience and never with trust.

use super::No;
use loci_llm::provider::Call;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The arguments of one call.
pub(super) struct Arguments<'c> {
    tool: &'c str,
    fields: Cow<'c, Map<String, Value>>,
}

impl<'c> Arguments<'c> {
    /// An object, or a string that holds one: some models send their arguments so.
    pub(super) fn read(call: &'c Call) -> Result<Arguments<'c>, No> {
        let fields = match &call.arguments {
            Value::Object(fields) => Cow::Borrowed(fields),
            Value::Null => Cow::Owned(Map::new()),
            Value::String(text) => match serde_json::from_str(text) {
                Ok(Value::Object(fields)) => Cow::Owned(fields),
                _ => return Err(malformed(&call.name)),
            },
            _ => return Err(malformed(&call.name)),
        };
        Ok(Arguments { tool: &call.name, fields })
    }

    pub(super) fn optional(&self, field: &str) -> Result<Option<&str>, No> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(No::other(format!("{} takes {field} as a string.", self.tool))),
        }
    }

    pub(super) fn text(&self, field: &str) -> Result<&str, No> {
        self.optional(field)?.ok_or_else(|| No::other(format!("{} needs {field}.", self.tool)))
    }

    /// A whole number from 1, also one that a model wrote as `3.0` or `"3"`.
    pub(super) fn count(&self, field: &str) -> Result<Option<usize>, No> {
        let number = match self.fields.get(field) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => text.trim().parse::<f64>().ok(),
            Some(value) => value.as_f64(),
        };
        let whole = number.filter(|number| number.fract() == 0.0 && (1.0..=1e9).contains(number));
        let bad = || No::other(format!("{} takes {field} as a whole number from 1.", self.tool));
        whole.map(|number| Some(number as usize)).ok_or_else(bad)
    }
}

fn malformed(tool: &str) -> No {
    No::other(format!("The arguments of {tool:?} are no JSON object."))
}
