//! Accounts beside `local`: made with a key that is shown once, and removed with all that they have.

use crate::records::now;
use crate::{Error, Hall, Result, Runtime};
use loci_domain::change::Op;
use loci_domain::form::Bad;
use loci_domain::scope::Scope;
use loci_ledger::{Account, Holding, LOCAL};
use loci_store::store::fresh_id;

impl Runtime {
    /// Adds an account whose key has this hash.
    pub async fn add_account(&self, name: &str, hash: [u8; 32]) -> Result<Account> {
        let plain = |sign: char| sign.is_ascii_alphanumeric() || "._-".contains(sign);
        if !(1..=64).contains(&name.len()) || !name.chars().all(plain) {
            return Err(Bad::new("name", "must be 1 to 64 of A-Z a-z 0-9 . _ -").into());
        }
        let account = Account { id: format!("acct_{}", fresh_id()), name: name.to_owned(), hash, at: now() };
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

    /// An account by id or name.
    pub async fn account(&self, named: &str) -> Result<Account> {
        let accounts = self.ledger().accounts().await?;
        let found = accounts.into_iter().find(|account| account.id == named || account.name == named);
        found.ok_or_else(|| Error::Missing { what: "account", id: named.chars().take(80).collect() })
    }

    /// Removes an account by id or name: files, memory and conversations first, then the account with its key; what is left
    /// when this is cut off is taken by the next try.
    pub async fn remove_account(&self, named: &str) -> Result<Account> {
        let account = self.account(named).await?;
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
        self.remove_memory(&account.id).await?;
        self.ledger().remove_account(&account.id).await?;
        self.audit(LOCAL, Op::Delete, "account", &account.id).await;
        Ok(account)
    }

    /// The memory of an account, with what the ledger knows of it.
    async fn remove_memory(&self, account: &str) -> Result<()> {
        let memory = self.halls().open(&Hall::of(account, None));
        let root = memory.store().root(Some(Scope::Global))?;
        // Who writes right now has written before it goes.
        let _held = root.lock.hold().await?;
        self.storages().clear_account(account).await?;
        Ok(self.ledger().drop_root(&root.key).await?)
    }
}
