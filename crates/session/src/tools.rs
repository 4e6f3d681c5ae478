//! What a bound workspace offers a model: `read` and `glob` always, with a sandbox also `write edit grep bash`.
//!
//! Owns which tools there are for whom, and that a tool that is not offered does nothing, whoever calls it by name.
//! Start at [`Runtime::offered`] and [`Runtime::call`]; one file a tool.

mod bash;
mod edit;
mod glob;
mod grep;
mod read;
mod write;

use crate::binding::{Bound, Rights, named};
use crate::fence::Fence;
use crate::{Error, Result, Runtime};
use loci_domain::fault::Fault;
use serde_json::{Map, Value, json};

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// JSON schema of its input.
    pub schema: Value,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called {
    /// It is done.
    Done(String),
    /// It is not, and why.
    Refused(String),
}

/// Its name, what it does, what it needs, and its fields.
type Card = (&'static str, &'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const PATH: (&str, &str) = ("path", "Path relative to the workspace, as notes/plan.md");

const READING: [Card; 2] = [
    ("read", "Reads a text file.", &["path"], &[PATH]),
    ("glob", "Lists files whose paths match.", &["pattern"], &[("pattern", "As **/*.md; * stays within a folder")]),
];

const CHANGING: [Card; 3] = [
    (
        "write",
        "Writes a whole text file and makes its folders.",
        &["path", "content"],
        &[PATH, ("content", "The new text")],
    ),
    (
        "edit",
        "Replaces the one place in a file where old_str stands.",
        &["path", "old_str", "new_str"],
        &[PATH, ("old_str", "Exactly one place of the file"), ("new_str", "What takes its place")],
    ),
    (
        "grep",
        "Finds lines that match a regular expression.",
        &["pattern"],
        &[("pattern", "A regular expression"), ("path", "Only in this file or folder")],
    ),
];

const BASH: Card = (
    "bash",
    "Runs a command in the workspace, without network and with limits on time, output and processes.",
    &["command"],
    &[("command", "The command")],
);

impl Runtime {
    /// The tools of an agent with these workspaces.
    pub async fn offered(&self, bound: &[Bound]) -> Vec<Tool> {
        let mut cards: Vec<Card> = Vec::new();
        if !bound.is_empty() {
            cards.extend(READING);
        }
        if bound.iter().any(|bound| bound.rights == Rights::All) {
            cards.extend(CHANGING);
            if self.sandbox().works().await {
                cards.push(BASH);
            }
        }
        cards.into_iter().map(tool).collect()
    }

    /// Calls a tool. What cannot be done is an answer, not an error; an error is our own.
    pub(crate) async fn call(
        &self,
        fence: Fence<'_>,
        bound: &[Bound],
        name: &str,
        input: &Map<String, Value>,
    ) -> Result<Called> {
        match self.called(fence, bound, name, input).await {
            Ok(output) => Ok(Called::Done(output)),
            Err(error) if matches!(error.fault(), Fault::Bug) => Err(error),
            // The turn itself went, under way.
            Err(error @ (Error::LeaseLost | Error::TurnFinished | Error::Missing { what: "turn", .. })) => Err(error),
            Err(error) => Ok(Called::Refused(error.to_string())),
        }
    }

    async fn called(
        &self,
        fence: Fence<'_>,
        bound: &[Bound],
        name: &str,
        input: &Map<String, Value>,
    ) -> Result<String> {
        let workspace = text(input, "workspace")?;
        let place = named(bound, workspace)?;
        let changes = !["read", "glob"].contains(&name);
        if changes && place.rights == Rights::Read && ["write", "edit", "grep", "bash"].contains(&name) {
            let text =
                format!("{name} is not offered in the workspace {:?}: it is read-only for this agent", place.name);
            return Err(Error::File(text));
        }
        match name {
            "read" => read::read(&place.files, required(input, "path")?).await,
            "glob" => glob::glob(&place.files, required(input, "pattern")?).await,
            "write" => write::write(fence, &place.files, required(input, "path")?, required(input, "content")?).await,
            "edit" => {
                let (old, new) = (required(input, "old_str")?, required(input, "new_str")?);
                edit::edit(fence, &place.files, required(input, "path")?, old, new).await
            }
            "grep" => grep::grep(&place.files, required(input, "pattern")?, text(input, "path")?).await,
            "bash" => bash::bash(self, fence, &place.files, required(input, "command")?).await,
            other => {
                Err(Error::File(format!("there is no tool {:?} here", other.chars().take(60).collect::<String>())))
            }
        }
    }
}

fn tool((name, description, needs, fields): Card) -> Tool {
    let mut properties: Map<String, Value> = fields
        .iter()
        .map(|(name, about)| ((*name).to_owned(), json!({"type": "string", "description": about})))
        .collect();
    let about = "Which workspace, by its name; without one the default";
    properties.insert("workspace".to_owned(), json!({"type": "string", "description": about}));
    Tool { name, description, schema: json!({"type": "object", "properties": properties, "required": needs}) }
}

fn text<'a>(input: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>> {
    match input.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Error::File(format!("{name} must be a text"))),
    }
}

fn required<'a>(input: &'a Map<String, Value>, name: &str) -> Result<&'a str> {
    text(input, name)?.ok_or_else(|| Error::File(format!("{name} is missing; give a text")))
}
