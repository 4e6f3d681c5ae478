//! The product: one verb per file.
//!
//! Owns what Loci *does* with memory, as functions that return their outcome: surfaces translate and call, they never decide.
//! Never knows SQL, HTTP, argv or the environment.
//! Start at [`Memory`]; each verb is a method here and a file of its name.

pub mod asked;
pub mod consolidate;
pub mod context;
pub mod distil;
pub mod doctor;
pub mod draft;
pub mod dream;
pub mod edit;
pub mod error;
pub mod eval;
pub mod export;
pub mod extract;
pub mod forget;
pub mod handbook;
pub mod import;
pub mod list;
pub mod log;
pub mod now;
pub mod pin;
pub mod prompts;
pub mod recall;
pub mod remember;
pub mod restore;
pub mod search;
pub mod sessions;
pub mod show;
pub mod spend;
pub mod summarise;
pub mod tool;
pub mod toolbox;
pub mod trust;
pub mod undo;
pub mod upkeep;

pub use error::{Error, Result};

use loci_domain::change::{Actor, GroupId};
use loci_domain::path::{EntryPath, Layout, Spot, TOP, Virtual};
use loci_domain::scope::Scope;
use loci_domain::secrets::Policy;
use loci_llm::Models;
use loci_store::record::{LOCAL, Record};
use loci_store::{By, Count, Node, Root, Store};
use std::pin::Pin;
use std::sync::Arc;

/// A large verb on its way. Boxed here, because an async function is compiled wherever it is polled: each surface would
/// hold its own copy of the product, and built for size instead of speed.
pub type Verb<'a, T> = Pending<'a, Result<T>>;

/// The same for what cannot fail.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Memory, ready to use; cheap to clone.
#[derive(Clone)]
pub struct Memory {
    store: Store,
    shelves: recall::Shelves,
    talks: recall::sessions::Talks,
    stronger: Option<recall::Stronger>,
    models: Models,
    prompts: prompts::Prompts,
    group: Option<GroupId>,
    handbook: Option<handbook::Shelf>,
    account: Arc<str>,
}

impl Memory {
    /// Memory over a store of scopes, without a model.
    pub fn new(store: Store) -> Memory {
        Memory {
            store,
            shelves: recall::Shelves::default(),
            talks: Default::default(),
            stronger: None,
            models: Models::default(),
            prompts: prompts::Prompts::default(),
            group: None,
            handbook: None,
            account: LOCAL.into(),
        }
    }

    /// Memory of an account over a store of its scopes, with the same models and prompts.
    pub fn over(&self, store: Store, account: &str) -> Memory {
        Memory {
            models: self.models.clone(),
            prompts: self.prompts.clone(),
            stronger: self.stronger.clone(),
            account: account.into(),
            ..Memory::new(store)
        }
    }

    /// The same with models to ask.
    pub fn with_models(self, models: Models) -> Memory {
        Memory { models, ..self }
    }

    /// The same with a person's own prompts.
    pub fn with_prompts(self, prompts: prompts::Prompts) -> Memory {
        Memory { prompts, ..self }
    }

    /// The same with an embedder beside the built-in one.
    pub fn with_embedder(self, stronger: recall::Stronger) -> Memory {
        Memory { stronger: Some(stronger), ..self }
    }

    /// The embedder beside the built-in one, if there is one.
    pub fn embedder(&self) -> Option<&str> {
        self.stronger.as_ref().map(recall::Stronger::name)
    }

    /// The same with all changes of verbs in one group that is known beforehand: [`Memory::withdraw`] takes them back.
    pub fn grouped(self, group: GroupId) -> Memory {
        Memory { group: Some(group), ..self }
    }

    /// On what terms a verb changes files.
    fn by(&self, actor: Actor, policy: Policy) -> By {
        let by = By::new(actor, policy, Count::Nothing);
        By { group: self.group.clone().unwrap_or(by.group), ..by }
    }

    /// The prompts that it uses.
    pub fn prompts(&self) -> &prompts::Prompts {
        &self.prompts
    }

    /// The models that it asks.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// Whether the pipeline would ask a model; what it does without one costs nothing.
    pub fn asks_models(&self) -> bool {
        self.models.has(loci_llm::Role::Default)
    }

    /// The store behind it.
    pub fn store(&self) -> &Store {
        &self.store
    }

    fn record(&self) -> Result<&dyn Record> {
        self.store.record().ok_or(Error::Bare)
    }

    /// The roots that are there, of one scope or of all; a scope that was asked for must be there.
    fn roots(&self, scope: Option<Scope>) -> Result<Vec<&Root>> {
        match scope {
            Some(scope) => Ok(vec![self.store.root(Some(scope))?]),
            None => Ok(self.store.roots()),
        }
    }

    /// What a person's path names: a virtual path, or the same without `/memories/`.
    fn spot(&self, given: &str) -> Result<Virtual> {
        let full = if given.starts_with('/') { given.to_owned() } else { format!("{TOP}/{given}") };
        Ok(Virtual::parse(&full, Layout::Scoped).map_err(loci_store::Error::from)?)
    }

    /// What is in a root where a person's path leads to.
    fn locate(&self, given: &str) -> Result<(&Root, EntryPath)> {
        let path = self.spot(given)?;
        match path.spot {
            Spot::Inside(scope, inner) => Ok((self.store.root(scope)?, inner)),
            Spot::Root(_) | Spot::Top => Err(Error::NotAFile(path.given)),
        }
    }

    /// The error for a path at which no document is: a folder is one, whose documents can be named.
    async fn no_document(&self, root: &Root, path: &EntryPath) -> Error {
        match root.backend.stat(Some(path)).await {
            Ok(Some(meta)) if meta.node == Node::Folder => Error::Folder(root.name(path)),
            _ => Error::Missing(root.name(path)),
        }
    }

    /// Looks for outside edits before something is shown. A disk that is full keeps nobody from reading:
    /// then what the ledger knew last is shown.
    async fn look(&self, root: &Root) -> Result<()> {
        match self.store.glance(root).await {
            Err(error) if error.is_no_space() => {
                tracing::warn!(%error, "outside edits are not noted");
                Ok(())
            }
            seen => Ok(seen?),
        }
    }

    /// What models cost on the last so many UTC days, today first.
    pub async fn spend(&self, days: u32) -> Result<Vec<spend::Day>> {
        spend::spend(self, days).await
    }

    /// Rebuilds the indexes of all scopes that are there.
    pub async fn index(&self) -> Result<()> {
        for root in self.store.roots() {
            self.store.reindex(root).await?;
        }
        Ok(())
    }
}
