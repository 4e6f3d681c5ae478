//! An agent record: what it is told, which workspaces it works in, and how its conversations are kept short.
//!
//! Owns what such a record may say. Whether the records that it names exist is asked elsewhere.

use crate::form::{Bad, Form};
use serde_json::Value;

/// What an agent's id starts with.
pub const PREFIX: &str = "ag_";
/// The longest context, in characters, that compaction may be set to.
pub const LONGEST_CONTEXT: u64 = 500_000;
/// Workspaces of one agent.
const MOST: usize = 64;

/// An agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// What it is told first.
    pub system: Option<String>,
    /// The sandbox of every workspace that names none.
    pub sandbox: Option<String>,
    /// Its workspaces; the first is the default one.
    pub workspaces: Vec<Binding>,
    /// The role of its model: `default`, `fast` or `smol`.
    pub model: String,
    /// Whether older clutter is left out of what the model sees.
    pub pruning: bool,
    /// Whether older messages are summarised, and past how many characters; `Some(None)` = past the usual limit.
    pub compaction: Option<Option<u64>>,
}

/// A workspace under the name that the model sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// The workspace's id.
    pub workspace: String,
    /// Where its commands run.
    pub seat: Seat,
}

/// Where the commands of a bound workspace run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seat {
    /// In the agent's sandbox, if it has one.
    Inherited,
    /// In a sandbox of its own.
    Own(String),
    /// Nowhere: the workspace is only read.
    ReadOnly,
}

impl Agent {
    /// Reads a record; a field that it cannot have is named.
    pub fn read(body: &Value) -> Result<Agent, Bad> {
        let form = Form::of(body, "", &["system", "sandbox", "workspaces", "model", "session"])?;
        let model = form.text("model")?.unwrap_or("default");
        if !["default", "fast", "smol"].contains(&model) {
            return Err(form.bad("model", "must be default, fast or smol"));
        }
        let session = form.inside("session", &["pruning", "compaction"])?;
        let pruning = session.as_ref().map(|session| session.inside("pruning", &["enabled"])).transpose()?.flatten();
        let pruning = pruning.map(|pruning| pruning.switch("enabled")).transpose()?.flatten();
        Ok(Agent {
            system: form.text("system")?.map(str::to_owned),
            sandbox: form.text("sandbox")?.map(str::to_owned),
            workspaces: bindings(&form)?,
            model: model.to_owned(),
            pruning: pruning.unwrap_or(true),
            compaction: session.map(|session| compaction(&session)).transpose()?.flatten(),
        })
    }

    /// The sandbox that a bound workspace has in the end; none = it is only read.
    pub fn sandbox_of<'a>(&'a self, binding: &'a Binding) -> Option<&'a str> {
        match &binding.seat {
            Seat::Inherited => self.sandbox.as_deref(),
            Seat::Own(id) => Some(id),
            Seat::ReadOnly => None,
        }
    }
}

fn compaction(session: &Form<'_>) -> Result<Option<Option<u64>>, Bad> {
    let Some(form) = session.inside("compaction", &["enabled", "maxContextLength"])? else { return Ok(None) };
    let length = form.number("maxContextLength", 1, LONGEST_CONTEXT)?;
    Ok(form.switch("enabled")?.unwrap_or(false).then_some(length))
}

fn bindings(form: &Form<'_>) -> Result<Vec<Binding>, Bad> {
    let given = match form.get("workspaces") {
        None => return Ok(Vec::new()),
        Some(given) => given.as_array().ok_or_else(|| form.bad("workspaces", "must be a list"))?,
    };
    if given.len() > MOST {
        return Err(form.bad("workspaces", format!("must be at most {MOST}")));
    }
    let mut bindings: Vec<Binding> = Vec::new();
    for (place, one) in given.iter().enumerate() {
        let form = Form::of(one, &format!("workspaces[{place}]"), &["name", "workspaceId", "sandbox"])?;
        let name = form.name("name")?.to_owned();
        if bindings.iter().any(|other| other.name == name) {
            return Err(form.bad("name", format!("{name:?} is there twice; each workspace needs a name of its own")));
        }
        let seat = match form.raw("sandbox") {
            None => Seat::Inherited,
            Some(Value::Null) => Seat::ReadOnly,
            Some(Value::String(id)) => Seat::Own(id.clone()),
            Some(_) => return Err(form.bad("sandbox", "must be the id of a sandbox, or null for read-only")),
        };
        bindings.push(Binding { name, workspace: form.name("workspaceId")?.to_owned(), seat });
    }
    Ok(bindings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn absent_an_id_and_null_are_three_things() {
        let agent = Agent::read(&json!({
            "sandbox": "sb_a",
            "workspaces": [
                {"name": "a", "workspaceId": "ws_1"},
                {"name": "b", "workspaceId": "ws_1", "sandbox": "sb_b"},
                {"name": "c", "workspaceId": "ws_1", "sandbox": null}
            ]
        }))
        .unwrap();
        let seats: Vec<_> = agent.workspaces.iter().map(|binding| agent.sandbox_of(binding)).collect();
        assert_eq!(seats, [Some("sb_a"), Some("sb_b"), None]);
        assert!(agent.pruning && agent.compaction.is_none());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let one = json!({"name": "n", "workspaceId": "ws_1"});
        let check = |body: Value, want: &str| assert_eq!(Agent::read(&body).unwrap_err().field, want, "{body}");
        check(json!({"workspaces": [one, one]}), "workspaces[1].name");
        check(json!({"workspaces": [{"workspaceId": "ws_1"}]}), "workspaces[0].name");
        check(json!({"workspaces": "n"}), "workspaces");
        check(json!({"workspaces": [one], "model": "large"}), "model");
        check(json!({"session": {"prunning": {}}}), "session.prunning");
        for length in [json!(0), json!(500_001), json!(1.5), json!("9")] {
            let body = json!({"session": {"compaction": {"enabled": true, "maxContextLength": length}}});
            check(body, "session.compaction.maxContextLength");
        }
        let on = json!({"session": {"compaction": {"enabled": true}}});
        assert_eq!(Agent::read(&on).unwrap().compaction, Some(None));
    }
}
