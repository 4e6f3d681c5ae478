//! Forms: JSON objects of which every field is known; who filled in another one is told which.
//!
//! Owns the words in which a wrong field is named, and how a change is merged into what is there.
//! Never knows what a form is for: each record reads its own.

use serde_json::{Map, Value};

/// Characters of a name.
const LONGEST_NAME: usize = 200;

/// A field that is not as it must be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {reason}")]
pub struct Bad {
    /// Where it stands, as `config.storage.provider`.
    pub field: String,
    /// What is wrong, and what would be right.
    pub reason: String,
}

impl Bad {
    /// A field and what is wrong with it.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Bad {
        Bad { field: field.into(), reason: reason.into() }
    }
}

/// An object whose fields are known.
#[derive(Debug, Clone)]
pub struct Form<'a> {
    at: String,
    fields: &'a Map<String, Value>,
}

impl<'a> Form<'a> {
    /// The object at a place (`""` = the whole body), if it has no field beside these.
    pub fn of(value: &'a Value, at: &str, known: &[&str]) -> Result<Form<'a>, Bad> {
        let named = if at.is_empty() { "the body" } else { at };
        let fields = value.as_object().ok_or_else(|| Bad::new(named, "must be an object"))?;
        let form = Form { at: at.to_owned(), fields };
        match fields.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(Bad::new(form.path(name), format!("is unknown here; there is {}", known.join(", ")))),
            None => Ok(form),
        }
    }

    /// Where a field stands.
    pub fn path(&self, name: &str) -> String {
        let shown: String = name.chars().take(60).collect();
        if self.at.is_empty() { shown } else { format!("{}.{shown}", self.at) }
    }

    /// A complaint about a field.
    pub fn bad(&self, name: &str, reason: impl Into<String>) -> Bad {
        Bad::new(self.path(name), reason)
    }

    /// The field as it was sent, `null` too.
    pub fn raw(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name)
    }

    /// The field, unless it is absent or `null`.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.raw(name).filter(|value| !value.is_null())
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, Bad> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| self.bad(name, "must be a text")),
        }
    }

    /// A name: a text that is there, says something, fits on a line and is not too long.
    pub fn name(&self, name: &str) -> Result<&'a str, Bad> {
        let text = self.text(name)?.ok_or_else(|| self.bad(name, "is missing; give a text"))?;
        let fits = text.chars().count() <= LONGEST_NAME && !text.chars().any(char::is_control);
        if text.trim().is_empty() || !fits {
            return Err(self.bad(name, format!("must be a line of 1 to {LONGEST_NAME} characters")));
        }
        Ok(text)
    }

    /// Yes or no.
    pub fn switch(&self, name: &str) -> Result<Option<bool>, Bad> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => value.as_bool().map(Some).ok_or_else(|| self.bad(name, "must be true or false")),
        }
    }

    /// A whole number within bounds.
    pub fn number(&self, name: &str, least: u64, most: u64) -> Result<Option<u64>, Bad> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let fits = value.as_u64().filter(|number| (least..=most).contains(number));
        fits.map(Some).ok_or_else(|| self.bad(name, format!("must be a whole number from {least} to {most}")))
    }

    /// An object inside.
    pub fn inside(&self, name: &str, known: &[&str]) -> Result<Option<Form<'a>>, Bad> {
        self.get(name).map(|value| Form::of(value, &self.path(name), known)).transpose()
    }
}

/// What is there with a change merged in, object by object and key by key; `null` takes a field away.
pub fn merged(there: Value, change: &Value) -> Value {
    let (Value::Object(mut fields), Value::Object(changes)) = (there, change) else { return change.clone() };
    for (name, change) in changes {
        if change.is_null() {
            fields.shift_remove(name);
            continue;
        }
        let before = fields.get_mut(name).map(Value::take).filter(Value::is_object);
        fields.insert(name.clone(), merged(before.unwrap_or_else(|| Value::Object(Map::new())), change));
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_field_is_named_where_it_stands() {
        let body = json!({"name": 7, "config": {"storage": {"kind": 1}}});
        let form = Form::of(&body, "", &["name", "config"]).unwrap();
        assert_eq!(form.name("name").unwrap_err().to_string(), "name must be a text");
        let config = form.inside("config", &["storage"]).unwrap().unwrap();
        let error = config.inside("storage", &["provider"]).unwrap_err();
        assert_eq!(error.to_string(), "config.storage.kind is unknown here; there is provider");
        assert_eq!(Form::of(&json!([]), "", &[]).unwrap_err().to_string(), "the body must be an object");
        for name in ["", " ", "a\nb", &"n".repeat(201)] {
            let body = json!({"name": name});
            assert!(Form::of(&body, "", &["name"]).unwrap().name("name").is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_change_is_merged_key_by_key() {
        let there = json!({"name": "a", "config": {"storage": {"provider": "local"}, "harness": {"enabled": true}}});
        let change = json!({"name": null, "config": {"harness": {"enabled": false}}, "list": [{"x": null}]});
        let want = json!({
            "config": {"storage": {"provider": "local"}, "harness": {"enabled": false}}, "list": [{"x": null}]
        });
        assert_eq!(merged(there, &change), want);
    }
}
