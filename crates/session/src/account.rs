//! Accounts beside `local`: made with a key that is shown once, and removed with all that they have.

use crate::storage::{offload, remove_folder};
use crate::{Error, Result, Runtime};
use jiff::Timestamp;
use loci_domain::change::Op;
use loci_domain::form::Bad;
use loci_ledger::{Account, Holding, LOCAL};
use loci_store::store::fresh_id;
use std::path::PathBuf;

impl Runtime {
    /// Adds an account whose key has this hash.
    pub async fn add_account(&self, name: &str, hash: [u8; 32]) -> Result<Account> {
        let plain = |sign: char| sign.is_ascii_alphanumeric() || "._-".contains(sign);
        if !(1..=64).contains(&name.len()) || !name.chars().all(plain) {
            return Err(Bad::new("name", "must be 1 to 64 of A-Z a-z 0-9 . _ -").into());
        }
        let account = Account { id: format!("acct_{}", fresh_id()), name: name.to_owned(), hash, at: Timestamp::now() };
        if name == LOCAL || !self.ledger().add_account(&account).await? {
            return Err(Error::Taken(format!("the name {name}")));
        }
        self.audit(LOCAL, Op::Create, "account", &account.id).await;
        Ok(account)
    }

    /// All accounts but `local`, by name.
    pub async fn accounts(&self) -> Result<Vec<Account>> {
        Ok(self.ledger().accounts().await?)
    }

    /// Removes an account by id or name: files and conversations first, then the account with its key; what is left when this
    /// is cut off is taken by the next try.
    pub async fn remove_account(&self, named: &str) -> Result<Account> {
        let accounts = self.ledger().accounts().await?;
        let found = accounts.into_iter().find(|account| account.id == named || account.name == named);
        let account = found.ok_or_else(|| Error::Missing { what: "account", id: named.chars().take(80).collect() })?;
        for workspace in self.ledger().holdings(Holding::Workspace, &account.id).await? {
            self.remove_workspace(&account.id, &workspace.id).await?;
        }
        for kind in [Holding::Agent, Holding::Sandbox] {
            for held in self.ledger().holdings(kind, &account.id).await? {
                self.remove(kind, &account.id, &held.id).await?;
            }
        }
        loop {
            let some = self.ledger().conversations(&account.id, 100).await?;
            for conversation in &some {
                self.ledger().drop_conversation(&account.id, &conversation.key).await?;
            }
            if some.is_empty() {
                break;
            }
        }
        for kept in self.ledger().sessions(&account.id).await? {
            self.ledger().drop_session(kept.number).await?;
        }
        let folder = self.account_folder(&account.id);
        offload(move || remove_folder(&folder)).await?;
        self.ledger().remove_account(&account.id).await?;
        self.audit(LOCAL, Op::Delete, "account", &account.id).await;
        Ok(account)
    }

    /// Where everything of an account lies; the home itself for `local`.
    pub(crate) fn account_folder(&self, account: &str) -> PathBuf {
        match account {
            LOCAL => self.home().to_owned(),
            other => self.home().join("accounts").join(other),
        }
    }
}
