//! Remember: a person's statement becomes memory, once.
//!
//! Owns the choice of type, scope and file, and that a statement which is there already is updated, not repeated.
//! Never sends a secret to a model, and never leaves half a run behind: everything goes through a [`Draft`].
//! Start at [`Memory::remember`]; `remember/agent.rs` is the way with a model, `remember/plain.rs` the way without.

mod agent;
mod kind;
mod plain;

pub use kind::guess;
pub use plain::{Noted, note};

use crate::draft::{Draft, Edit};
use crate::{Error, Memory, Result, Verb};
use loci_domain::change::Identity;
use loci_domain::document::Kind;
use loci_domain::scope::Scope;
use loci_domain::secrets::{self, Policy, Refused};
use loci_domain::{entry, fact, frontmatter};
use loci_llm::Role;
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The longest statement, in bytes after trimming.
pub const LONGEST: usize = 64 * 1024;

/// How often a run without a model starts again when somebody changed a file meanwhile.
pub(crate) const TRIES: usize = 5;

/// What may be seen of prior memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextMode {
    /// All of it: what is there already is updated.
    Workspace,
    /// Nothing: no prior memory is shown, and nothing is deduplicated.
    Clean,
}

/// Something to remember.
#[derive(Debug, Clone)]
pub struct Remember {
    /// The statement.
    pub content: String,
    /// What may be seen of prior memory.
    pub context: ContextMode,
    /// Only this scope.
    pub scope: Option<Scope>,
    /// What kind of fact it is, when the person says so.
    pub kind: Option<Kind>,
    /// What happens to secrets in it: refused, taken out, or kept by a person's word.
    pub secrets: Policy,
    /// Turns that an agent has.
    pub turns: usize,
    /// Time that an agent has.
    pub time: Duration,
}

/// What was remembered.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Remembered {
    /// One sentence.
    pub summary: String,
    /// Virtual paths; none when it was known already, word by word.
    pub files_touched: Vec<String>,
    /// In path order.
    pub touched_scopes: Vec<Scope>,
    /// What changed, as a unified diff.
    #[serde(skip)]
    pub diff: String,
    /// Why no model did it, where one is configured.
    #[serde(skip)]
    pub degraded: Option<String>,
}

impl Memory {
    /// Remembers. A model that is not there, not well or spent leaves it to the rules; one that works and writes nothing
    /// is a failure. A run that fails or is dropped has changed nothing.
    pub fn remember(&self, ask: Remember) -> Verb<'_, Remembered> {
        Box::pin(async move {
            let start = Instant::now();
            let remembered = self.remember_now(ask).await;
            let status = if remembered.is_ok() { "completed" } else { "failed" };
            let files = remembered.as_ref().map_or(0, |remembered| remembered.files_touched.len());
            let duration_ms = start.elapsed().as_millis() as u64;
            tracing::info!(target: "memory.remember", trigger = "manual", status, files, duration_ms);
            remembered
        })
    }

    async fn remember_now(&self, ask: Remember) -> Result<Remembered> {
        let ask = checked(ask)?;
        if let Some(scope) = ask.scope {
            self.store.root(Some(scope))?;
        }
        let mut degraded = None;
        // What a person allows to be kept is still nobody else's to read.
        let sendable = ask.secrets != Policy::Allow || secrets::scan(&ask.content).is_empty();
        if sendable && self.models.has(Role::Default) {
            match agent::remember(self, &ask).await? {
                Ok(remembered) => return Ok(remembered),
                Err(unwell) => degraded = Some(unwell),
            }
        }
        let mut tries = TRIES;
        loop {
            tries -= 1;
            match plain::remember(self, &ask).await {
                // Somebody was quicker; what is there now decides anew.
                Err(Error::Changed { .. } | Error::Store(loci_store::Error::Exists)) if tries > 0 => {}
                done => return Ok(Remembered { degraded, ..done? }),
            }
        }
    }

    /// The exact prompt that a model would be given.
    pub async fn remember_prompt(&self, ask: Remember) -> Result<String> {
        let ask = checked(ask)?;
        let draft = Draft::open(self, crate::draft::Hand::Machine).await?;
        Ok(format!("{}\n\n{}", agent::SYSTEM, agent::prompt(self, &draft, &ask)?))
    }

    /// Whose memory can be reached.
    pub(crate) fn identities(&self) -> Vec<Identity> {
        self.store.roots().into_iter().map(|root| root.key.identity.clone()).collect()
    }

    /// A person says it, so it may be learnt again.
    pub(crate) async fn lift_tombstones(&self, content: &str) -> Result<()> {
        let record = self.record()?;
        let key = record.fact_key().await?;
        let mut marks = fact::marks(&key, content, content);
        for entry in entry::entries(content, frontmatter::split(content).body) {
            marks.extend(fact::marks(&key, &entry.summary, entry.text(content)));
        }
        Ok(record.exhume(&self.identities(), &marks).await.map(drop)?)
    }
}

/// The statement trimmed, within its limits, and without what the policy does not allow.
fn checked(mut ask: Remember) -> Result<Remember> {
    let content = ask.content.trim();
    if content.is_empty() {
        return Err(Error::Content("there is nothing to remember".to_owned()));
    }
    if content.len() > LONGEST {
        let text = format!("the text has {} bytes; remember takes at most {LONGEST}", content.len());
        return Err(Error::Content(text));
    }
    if content.contains('\0') {
        return Err(Error::Content("the text has a NUL byte".to_owned()));
    }
    // A lane takes secrets out before it keeps a statement; what is left of one that was nothing else is no statement.
    if content.contains("[REDACTED:") && !says_something(content) {
        return Err(Error::RememberNothing);
    }
    let found = secrets::scan(content);
    ask.content = match (ask.secrets, found.first()) {
        (Policy::Refuse, Some(found)) => {
            return Err(loci_store::Error::from(Refused { rule: found.rule, line: Some(found.line) }).into());
        }
        (Policy::Redact, Some(found)) => {
            let redacted = secrets::redact(content).into_owned();
            if !says_something(&redacted) {
                return Err(loci_store::Error::from(Refused { rule: found.rule, line: Some(found.line) }).into());
            }
            redacted
        }
        (Policy::Refuse | Policy::Redact | Policy::Allow, _) => content.to_owned(),
    };
    Ok(ask)
}

/// False for text of which only marks of secrets are left.
fn says_something(redacted: &str) -> bool {
    let mut rest = redacted;
    while let Some((before, after)) = rest.split_once("[REDACTED:") {
        if before.contains(char::is_alphanumeric) {
            return true;
        }
        rest = after.split_once(']').map_or("", |(_, after)| after);
    }
    rest.contains(char::is_alphanumeric)
}

/// The answer about edits that are now true.
fn told(edits: &[Edit], diff: String) -> Remembered {
    let scopes: BTreeSet<Scope> = edits.iter().map(|edit| edit.scope).collect();
    let verb = |edit: &Edit| if edit.before.is_some() { "Updated" } else { "Saved" };
    let summary = match edits {
        [] => "Nothing changed.".to_owned(),
        [one] => format!("{} {}.", verb(one), one.name()),
        many => format!("{} and {} more.", format_args!("{} {}", verb(&many[0]), many[0].name()), many.len() - 1),
    };
    Remembered {
        summary,
        files_touched: edits.iter().map(Edit::name).collect(),
        touched_scopes: scopes.into_iter().collect(),
        diff,
        degraded: None,
    }
}
