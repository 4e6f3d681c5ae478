//! What was done to accounts and their records, in the journal: who, what and when. Never what a record says.
//!
//! Owns the place in the journal that each account has for it. No undo reaches it: what was made or removed here are no files.

use crate::{Result, Runtime};
use jiff::Timestamp;
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Identity, Op, Place};
use loci_domain::path::EntryPath;
use loci_domain::row::{Batch, RootKey};
use loci_ledger::Log;
use loci_store::store::fresh_id;

impl Runtime {
    /// Puts on record what was done to a thing of an account. It is done already: a journal that cannot be written is told
    /// to the operator, and not to who asked.
    pub(crate) async fn audit(&self, account: &str, op: Op, kind: &str, id: &str) {
        tracing::info!(target: "session.record", account, kind, id, %op);
        let Ok(path) = EntryPath::parse(&format!("{kind}/{id}")) else { return };
        let root = root(account);
        let mut batch = Batch::new(root.clone(), Timestamp::now());
        batch.noticed.push(Change {
            id: ChangeId(fresh_id()),
            group: GroupId(fresh_id()),
            at: batch.at,
            actor: Actor::User,
            op,
            place: root.place,
            path,
            new_path: None,
            before: None,
            after: None,
            undoes: None,
        });
        if let Err(error) = self.ledger().settle(batch).await {
            tracing::error!(%error, account, kind, id, "a change of a record is not in the journal");
        }
    }

    /// What was done to the records of an account, newest first.
    pub async fn audited(&self, account: &str, limit: usize) -> Result<Vec<Change>> {
        let places = vec![root(account).place];
        Ok(self.ledger().changes(&Log { places, path: None, limit }).await?)
    }
}

fn root(account: &str) -> RootKey {
    let name = format!("records:{account}");
    RootKey { place: Place(name.clone()), identity: Identity(name) }
}
