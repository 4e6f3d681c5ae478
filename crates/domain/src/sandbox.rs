//! A sandbox record: where commands of an agent run.

use crate::form::{Bad, Form};
use serde_json::Value;

/// What a sandbox's id starts with.
pub const PREFIX: &str = "sb_";

/// A sandbox. There is one kind, `local`: bubblewrap on the daemon's machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// What a person calls it.
    pub name: String,
}

impl Sandbox {
    /// Reads a record; a field that it cannot have is named.
    pub fn read(body: &Value) -> Result<Sandbox, Bad> {
        let form = Form::of(body, "", &["name", "kind"])?;
        let name = form.name("name")?.to_owned();
        match form.text("kind")? {
            Some("local") => Ok(Sandbox { name }),
            Some(_) => Err(form.bad("kind", "must be local")),
            None => Err(form.bad("kind", "is missing; give local")),
        }
    }
}
