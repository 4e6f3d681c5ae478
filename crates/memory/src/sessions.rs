//! Sessions: past conversations, imported to be found again.
//!
//! Owns import (streaming, redacted, repeatable), listing, showing and removing; [`Memory::recall_sessions`] finds.
//! Never learns from them: that is the pipeline's business, and it reads what is kept here.
//! Start at [`Memory::import_session`]; what a transcript says is read by `domain::transcript`.

mod append;
mod import;
mod opencode;
mod read;
mod source;

pub use import::{Imported, Transcript};
pub use read::{Glance, Reading, glance, recognise};
pub use source::{Opened, Source, open};

use crate::recall::sessions::{fresh::said, named_in_receipts};
use crate::{Error, Memory, Result};
use jiff::Timestamp;
use loci_domain::scope::Scope;
use loci_domain::transcript::{Called, Role, Turn};
use loci_store::record::{Kept, Message, Record, Whose};
use serde::Serialize;
use serde_json::Value;

/// Messages that are read or written together.
pub(crate) const AT_ONCE: usize = 256;

/// A session as people and scripts see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Its name.
    pub id: String,
    /// The project's identity; none for a session of no project.
    pub project: Option<String>,
    /// What it is about; empty when nobody knows.
    pub title: String,
    /// In which format it came.
    pub format: String,
    /// How many messages it has.
    pub messages: u64,
    /// When something was last said in it.
    pub at: Timestamp,
    /// When it was last imported.
    pub imported_at: Timestamp,
}

/// A session with what was said.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// Its name.
    pub id: String,
    /// The project's identity; none for a session of no project.
    pub project: Option<String>,
    /// What it is about; empty when nobody knows.
    pub title: String,
    /// When something was last said in it.
    pub at: Timestamp,
    /// What was said, in order.
    pub messages: Vec<Line>,
}

/// One message of a session that is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// Its name in the session.
    pub id: String,
    /// Who speaks.
    pub role: &'static str,
    /// The words.
    pub content: String,
    /// When.
    pub at: Option<Timestamp>,
    /// The tools that it calls.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub tool_calls: Value,
}

impl Memory {
    /// All sessions, the one in which something was said last first.
    pub async fn sessions(&self) -> Result<Vec<Row>> {
        let kept = self.record()?.sessions(&self.account).await?;
        Ok(kept.into_iter().map(row).collect())
    }

    /// A session with all its messages; the one of this project when several have the name.
    pub async fn show_session(&self, id: &str) -> Result<Shown> {
        let kept = self.find_session(id).await?;
        let messages = self.record()?.messages(kept.number, 0, usize::MAX).await?;
        let Row { id, project, title, at, .. } = row(kept);
        Ok(Shown { id, project, title, at, messages: messages.into_iter().map(line).collect() })
    }

    /// Removes a session for good; the one of this project when several have the name.
    pub async fn drop_session(&self, id: &str) -> Result<Row> {
        let kept = self.find_session(id).await?;
        // First the receipts: while the session is there, the command can be given again.
        self.record()?.drop_receipts_of(&named_in_receipts(id)).await?;
        self.record()?.drop_session(kept.number).await?;
        Ok(row(kept))
    }

    /// Whose sessions are made here: this project's, or no project's where there is none.
    pub(crate) fn whose(&self) -> Whose {
        let project = self.store.root(Some(Scope::Project)).map(|root| root.key.identity.0.clone());
        Whose { account: self.account.to_string(), project: project.unwrap_or_default() }
    }

    /// How the ledger names a running session: with whose memory it sees, since two projects may use one name.
    pub(crate) fn conversation(&self, session: &str) -> String {
        let roots = self.roots(None).unwrap_or_default();
        let mut name: String = roots.iter().map(|root| format!("{}\n", root.key.identity.0)).collect();
        name.push_str(session);
        name
    }

    async fn find_session(&self, id: &str) -> Result<Kept> {
        let record = self.record()?;
        if let Some(kept) = record.session(&self.whose(), id).await? {
            return Ok(kept);
        }
        let others = record.sessions(&self.account).await?;
        others.into_iter().find(|kept| kept.session.id == id).ok_or_else(|| Error::NoSuchSession(id.to_owned()))
    }
}

/// Cuts and embeds a session anew, after the rules for that changed.
pub(crate) async fn remake(record: &dyn Record, kept: &Kept, maker: &str) -> Result<()> {
    let messages = record.messages(kept.number, 0, usize::MAX).await?;
    let made: Vec<_> = messages.into_iter().map(said).collect();
    Ok(record.say(&kept.session, 0, maker, &made).await?)
}

/// A message on record as a turn.
pub(crate) fn turn(message: Message) -> Turn {
    let calls: Vec<Value> = serde_json::from_str(&message.calls).unwrap_or_default();
    let called = |mut call: Value| {
        let name = call["name"].as_str().unwrap_or_default().to_owned();
        Called { name, arguments: call["arguments"].take() }
    };
    let calls = calls.into_iter().map(called).collect();
    Turn { id: message.id, role: message.role, content: message.content, at: message.at, calls }
}

fn row(kept: Kept) -> Row {
    let project = Some(kept.session.whose.project).filter(|project| !project.is_empty());
    Row {
        id: kept.session.id,
        project,
        title: kept.session.title,
        format: kept.session.format,
        messages: kept.messages,
        at: kept.session.at,
        imported_at: kept.session.kept_at,
    }
}

fn line(message: Message) -> Line {
    Line {
        id: message.id,
        role: Role::word(message.role),
        content: message.content,
        at: message.at,
        tool_calls: serde_json::from_str(&message.calls).unwrap_or_default(),
    }
}
