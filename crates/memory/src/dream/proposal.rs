//! Proposals: what a run would have changed, kept until a person says yes or no.

use super::{Dreamt, Staged, Status};
use crate::draft::{self, Draft, Edit, Hand};
use crate::{Error, Memory, Result};
use jiff::Timestamp;
use loci_domain::change::{Actor, Identity};
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use loci_domain::secrets::{self, Policy};
use loci_store::record::Proposal;
use loci_store::store::fresh_id;
use loci_store::{By, Count};
use serde::{Deserialize, Serialize};

/// The proposals that wait.
#[derive(Debug, Clone, Serialize)]
pub struct Review {
    /// Oldest first.
    pub proposals: Vec<Proposed>,
}

/// One proposal, for a person to look at.
#[derive(Debug, Clone, Serialize)]
pub struct Proposed {
    /// Its name.
    pub id: String,
    /// When it was made.
    pub at: Timestamp,
    /// What it is about.
    pub summary: String,
    /// The files that it would change.
    pub paths: Vec<String>,
    /// What it would change, as a unified diff.
    pub diff: String,
}

/// An edit as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    scope: String,
    path: String,
    before: Option<String>,
    after: Option<String>,
}

impl Memory {
    /// Keeps what a run would do instead of doing it.
    pub(super) async fn propose(&self, of: &Identity, staged: &Staged) -> Result<Dreamt> {
        let edits = staged.draft.edits();
        let percent = (staged.loss * 100.0).round();
        let summary = format!("A dream would lose {percent} % of the entries, so it waits for your word.");
        let body: Vec<Kept> = edits.iter().map(kept).collect();
        let body = serde_json::to_string(&body).unwrap_or_default();
        // The same run would propose the same again and again; one that a person has seen stays as it is.
        let waiting = self.record()?.proposals(of).await?;
        let id = match waiting.iter().find(|proposal| proposal.body == body) {
            Some(known) => known.id.clone(),
            None => {
                let proposal = Proposal { id: fresh_id(), at: self.store.now(), summary: summary.clone(), body };
                self.record()?.propose(of, &proposal).await?;
                proposal.id
            }
        };
        let dreamt = Dreamt { proposal: Some(id), diff: staged.draft.diff(), ..Dreamt::new(Status::Proposed, summary) };
        Ok(dreamt.touching(&edits, 0))
    }

    /// The proposals that wait for a person.
    pub async fn proposals(&self) -> Result<Review> {
        let of = self.upkeep_of()?;
        let waiting = self.record()?.proposals(&of).await?;
        let proposals = waiting.into_iter().map(|proposal| {
            let edits = edits(&proposal.body);
            Proposed {
                id: proposal.id,
                at: proposal.at,
                summary: proposal.summary,
                paths: edits.iter().map(Edit::name).collect(),
                diff: edits.iter().map(draft::diff).collect(),
            }
        });
        Ok(Review { proposals: proposals.collect() })
    }

    /// Does what a proposal says, if its files still are what it saw; [`Error::Changed`] names the first that is not.
    pub async fn apply_proposal(&self, id: &str) -> Result<Dreamt> {
        let of = self.upkeep_of()?;
        let proposal = self.proposal(&of, id).await?;
        let edits = edits(&proposal.body);
        let mut draft = Draft::open(self, Hand::Machine).await?;
        for edit in &edits {
            if draft.read(edit.scope, &edit.path).await? != edit.before {
                return Err(Error::Changed { path: edit.name() });
            }
            match &edit.after {
                Some(text) => draft.put(edit.scope, &edit.path, text.clone()).await?,
                None => draft.remove(edit.scope, &edit.path).await?,
            }
        }
        let diff = draft.diff();
        let by = By::new(Actor::Dream, Policy::Redact, Count::Nothing);
        self.note_running(&of, Some(&by.group)).await?;
        let committed = draft.commit_by(by).await;
        self.note_running(&of, None).await?;
        committed?;
        self.record()?.drop_proposal(&of, &proposal.id).await?;
        let dreamt = Dreamt::new(Status::Updated, "The proposal was applied; `loci undo` takes it back.");
        Ok(Dreamt { diff, ..dreamt }.touching(&edits, 0))
    }

    /// Drops a proposal.
    pub async fn discard_proposal(&self, id: &str) -> Result<Dreamt> {
        let of = self.upkeep_of()?;
        let proposal = self.proposal(&of, id).await?;
        self.record()?.drop_proposal(&of, &proposal.id).await?;
        Ok(Dreamt::new(Status::Noop, "The proposal was discarded; memory stays as it is."))
    }

    async fn proposal(&self, of: &Identity, id: &str) -> Result<Proposal> {
        let waiting = self.record()?.proposals(of).await?;
        waiting.into_iter().find(|proposal| proposal.id == id).ok_or_else(|| Error::NoSuchProposal(id.to_owned()))
    }
}

/// What a model wrote is redacted before it is kept anywhere.
fn kept(edit: &Edit) -> Kept {
    Kept {
        scope: edit.scope.word().to_owned(),
        path: edit.path.as_str().to_owned(),
        before: edit.before.clone(),
        after: edit.after.as_ref().map(|text| secrets::redact(text).into_owned()),
    }
}

fn edits(body: &str) -> Vec<Edit> {
    let kept: Vec<Kept> = serde_json::from_str(body).unwrap_or_default();
    let edit = |kept: Kept| {
        let (scope, path) = (Scope::from_segment(&kept.scope)?, EntryPath::parse(&kept.path).ok()?);
        Some(Edit { scope, path, before: kept.before, after: kept.after })
    };
    kept.into_iter().filter_map(edit).collect()
}
