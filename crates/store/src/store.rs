//! The store: three scopes (or one bare directory), and the one way to each of them.
//!
//! Owns which root a virtual path leads to, whether the mode allows it, and the upkeep of the generated index.
//! Never writes a file except through [`Transaction`] and the index upkeep below.

use crate::backend::{Backend, Blob, Care, Expect};
use crate::evidence::Witness;
use crate::glance::Glance;
use crate::lock::{Held, Lock};
use crate::record::Record;
use crate::transaction::{By, Transaction};
use crate::{Error, Result};
use jiff::Timestamp;
use loci_domain::access::{Mode, Seat, Want, check};
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Image, Op};
use loci_domain::digest::Digest;
use loci_domain::index;
use loci_domain::path::{EntryPath, INDEX, Layout};
use loci_domain::row::{Batch, RootKey};
use loci_domain::scope::Scope;
use loci_domain::secrets::Clean;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tokio::sync::OnceCell;
use ulid::Ulid;

/// What time it is; tests have their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The largest file whose bytes are kept before it is changed or removed.
pub const LARGEST_IMAGE: u64 = 64 << 20;

/// Caps of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `limits.file_bytes`: the largest file, for writing and reading.
    pub file_bytes: u64,
    /// `limits.files_per_scope`: how many files a scope may hold and a walk may see.
    pub files_per_scope: usize,
    /// `limits.index_lines`.
    pub index_lines: usize,
    /// `limits.index_bytes`.
    pub index_bytes: usize,
}

/// One folder of memory.
pub struct Root {
    /// Which scope it is; `None` = the bare directory.
    pub scope: Option<Scope>,
    /// How the ledger names it.
    pub key: RootKey,
    /// Whether it lies in the checkout.
    pub seat: Seat,
    /// Its files.
    pub backend: Arc<dyn Backend>,
    /// Its writers' lock.
    pub lock: Arc<dyn Lock>,
    pub(crate) ready: OnceCell<()>,
    pub(crate) recovered: OnceCell<()>,
    pub(crate) glance: tokio::sync::Mutex<Glance>,
}

impl Root {
    /// A root over a backend.
    pub fn new(scope: Option<Scope>, key: RootKey, seat: Seat, backend: Arc<dyn Backend>, lock: Arc<dyn Lock>) -> Root {
        let (ready, recovered, glance) = Default::default();
        Root { scope, key, seat, backend, lock, ready, recovered, glance }
    }

    /// The virtual path of a file in it.
    pub fn name(&self, path: &EntryPath) -> String {
        match self.scope {
            Some(scope) => path.virtual_in(scope),
            None => format!("{}/{path}", loci_domain::path::TOP),
        }
    }
}

/// The roots of a store.
pub enum Roots {
    /// Three scopes, each there or not with a reason.
    Scoped([std::result::Result<Arc<Root>, String>; 3]),
    /// One bare directory: no scopes, no index, no records.
    Bare(Arc<Root>),
}

struct Inner {
    roots: Roots,
    record: Option<Arc<dyn Record>>,
    settings: Settings,
    clock: Clock,
    witness: OnceLock<Arc<Witness>>,
    frozen: OnceLock<()>,
}

/// Memory as files; cheap to clone.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

impl Store {
    /// A store of scopes whose changes are recorded.
    pub fn scoped(
        roots: [std::result::Result<Root, String>; 3],
        record: Arc<dyn Record>,
        settings: Settings,
        clock: Clock,
    ) -> Store {
        Store(Arc::new(Inner {
            roots: Roots::Scoped(roots.map(|root| root.map(Arc::new))),
            record: Some(record),
            settings,
            clock,
            witness: OnceLock::new(),
            frozen: OnceLock::new(),
        }))
    }

    /// A store of one bare directory: a drop-in for the reference implementations of the memory tool.
    pub fn bare(root: Root, settings: Settings, clock: Clock) -> Store {
        Store(Arc::new(Inner {
            roots: Roots::Bare(Arc::new(root)),
            record: None,
            settings,
            clock,
            witness: OnceLock::new(),
            frozen: OnceLock::new(),
        }))
    }

    /// The same, with the checkout that memories may name things of.
    pub fn with_checkout(self, top: PathBuf) -> Store {
        // A second checkout would be another project: the first one stays.
        let _ = self.0.witness.set(Arc::new(Witness::new(top)));
        self
    }

    /// The same, with every change refused: no journal would keep what stood there before.
    pub fn frozen(self) -> Store {
        let _ = self.0.frozen.set(());
        self
    }

    /// Whether every change is refused.
    pub fn is_frozen(&self) -> bool {
        self.0.frozen.get().is_some()
    }

    pub(crate) fn witness(&self) -> Option<&Arc<Witness>> {
        self.0.witness.get()
    }

    /// How `/memories` is laid out.
    pub fn layout(&self) -> Layout {
        match self.0.roots {
            Roots::Scoped(_) => Layout::Scoped,
            Roots::Bare(_) => Layout::Bare,
        }
    }

    /// The root of a scope, or of the bare directory.
    pub fn root(&self, scope: Option<Scope>) -> Result<&Root> {
        self.shared_root(scope).map(|root| &**root)
    }

    /// The same, for work that may outlive who asked for it.
    pub(crate) fn shared_root(&self, scope: Option<Scope>) -> Result<&Arc<Root>> {
        match (&self.0.roots, scope) {
            (Roots::Bare(root), _) => Ok(root),
            (Roots::Scoped(roots), Some(scope)) => {
                roots[scope as usize].as_ref().map_err(|reason| Error::Unavailable { scope, reason: reason.clone() })
            }
            (Roots::Scoped(_), None) => Err(Error::Io("a scope is needed".to_owned())),
        }
    }

    /// The roots that are there, in the order of the scopes.
    pub fn roots(&self) -> Vec<&Root> {
        match &self.0.roots {
            Roots::Bare(root) => vec![root],
            Roots::Scoped(roots) => roots.iter().filter_map(|root| root.as_deref().ok()).collect(),
        }
    }

    /// The caps.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// What time it is.
    pub fn now(&self) -> Timestamp {
        (self.0.clock)()
    }

    /// Where changes are recorded; a bare directory has none.
    pub fn record(&self) -> Option<&dyn Record> {
        self.0.record.as_deref()
    }

    /// Says whether `mode` allows `want` in a root.
    pub fn allow(&self, root: &Root, mode: Mode, want: Want) -> Result<()> {
        Ok(check(mode, root.scope, root.seat, want)?)
    }

    /// A file's bytes, as they are now.
    pub async fn read(&self, root: &Root, path: &EntryPath) -> Result<Option<Blob>> {
        self.recovered(root).await?;
        root.backend.read(path, self.0.settings.file_bytes).await
    }

    /// Starts a change: waits for the root's lock and brings the catalogue up to date once a process.
    pub async fn begin(&self, root: &Root, by: By) -> Result<Transaction> {
        if self.is_frozen() {
            return Err(Error::ReadOnlyHome);
        }
        self.ready(root).await?;
        let held = self.hold(root).await?;
        if let Some(record) = self.record() {
            // Under the lock nobody is at work, so what is pending was cut off with its process.
            self.settle_cut_off(root, record).await?;
        }
        Ok(Transaction::new(self.clone(), Arc::clone(self.shared_root(root.scope)?), by, held))
    }

    /// Waits for a root's lock; where nobody changes anything, nobody has to wait.
    pub(crate) async fn hold(&self, root: &Root) -> Result<Held> {
        if self.is_frozen() { Ok(Held::new(())) } else { root.lock.hold().await }
    }

    /// Writes the index of a root anew, if it would differ. Called while the root's lock is held.
    pub(crate) async fn refresh_index(&self, root: &Root) -> Result<()> {
        let Some(record) = self.record().filter(|_| !self.is_frozen()) else { return Ok(()) };
        let Some((text, now)) = self.stale_index(root, record).await? else { return Ok(()) };
        let path = EntryPath::parse(INDEX)?;
        if let Some(now) = now.filter(|now| !index::is_generated(&now.bytes)) {
            self.keep_foreign_index(root, record, path.clone(), now).await?;
        }
        if text.is_empty() {
            return root.backend.remove(&path).await;
        }
        root.backend.write_if(&path, &Clean::kept(text.into_bytes()), Expect::Anything, Care::Derived).await.map(drop)
    }

    /// Whether the index of a root does not say what the catalogue says.
    pub async fn has_stale_index(&self, root: &Root) -> Result<bool> {
        match self.record() {
            Some(record) => Ok(self.stale_index(root, record).await?.is_some()),
            None => Ok(false),
        }
    }

    /// The index as it should be and as it is, if these differ.
    pub(crate) async fn stale_index(&self, root: &Root, record: &dyn Record) -> Result<Option<(String, Option<Blob>)>> {
        let settings = &self.0.settings;
        let head = record.index_head(&root.key.place, settings.index_lines).await?;
        let limits = index::Limits { lines: settings.index_lines, bytes: settings.index_bytes };
        let text = index::render(&head.lines, head.total, limits);
        let now = root.backend.read(&EntryPath::parse(INDEX)?, LARGEST_IMAGE).await?;
        let right = now.as_ref().map_or(text.is_empty(), |now| now.bytes == text.as_bytes());
        Ok((!right).then_some((text, now)))
    }

    /// A person's own `MEMORY.md` must give way to the generated one, but its words are kept in the journal.
    async fn keep_foreign_index(&self, root: &Root, record: &dyn Record, path: EntryPath, now: Blob) -> Result<()> {
        let image = Image::of(now.bytes);
        let mut batch = Batch::new(root.key.clone(), self.now());
        batch.noticed.push(self.noticed(root, GroupId(fresh_id()), Op::Modify, path, None, Some(image.digest)));
        batch.images.push(image);
        Ok(record.settle(batch).await?)
    }

    /// A change that somebody made outside Loci.
    pub(crate) fn noticed(
        &self,
        root: &Root,
        group: GroupId,
        op: Op,
        path: EntryPath,
        before: Option<Digest>,
        after: Option<Digest>,
    ) -> Change {
        Change {
            id: ChangeId(fresh_id()),
            group,
            at: self.now(),
            actor: Actor::Editor,
            op,
            place: root.key.place.clone(),
            path,
            new_path: None,
            before,
            after,
            undoes: None,
        }
    }
}

/// A new name for a change or a group; later ones sort later.
pub fn fresh_id() -> String {
    Ulid::generate().to_string().to_lowercase()
}
