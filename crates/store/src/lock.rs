//! One writer per root, across processes.
//!
//! Owns the port [`Lock`], the file lock that local roots use, and the lease that roots of several machines use.
//! Never lies inside a checkout: a scope's lock file is in the home, a bare directory is locked by itself.

mod lease;

pub use lease::LeaseLock;

use crate::local::offload;
use crate::{Error, Result};
use async_trait::async_trait;
use loci_domain::change::Place;
use loci_domain::digest::Digest;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a writer waits for another one before it gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// The right to change one root. Dropping it gives it back, [`Held::release`] waits until that is done.
pub struct Held(Box<dyn Guard>);

/// What a lock gives: it ends when it is dropped.
#[async_trait]
pub trait Guard: Send + Sync {
    /// Whether the lock is still the holder's: to be asked right before what cannot be done on a condition.
    async fn still(&self) -> Result<bool> {
        Ok(true)
    }

    /// Gives the lock back, and waits until others may have it.
    async fn release(self: Box<Self>) {}
}

#[async_trait]
impl Guard for () {}

#[async_trait]
impl Guard for File {}

impl Held {
    /// Wraps whatever releases the lock when dropped.
    pub fn new(guard: impl Guard + 'static) -> Held {
        Held(Box::new(guard))
    }

    /// [`Error::Busy`] when somebody else has taken the lock over meanwhile.
    pub async fn check(&self) -> Result<()> {
        if self.0.still().await? { Ok(()) } else { Err(Error::Busy) }
    }

    /// Gives the lock back, and waits until others may have it: a process that ends right after would leave it behind.
    pub async fn release(self) {
        self.0.release().await;
    }
}

/// Serialises the writers of one root.
#[async_trait]
pub trait Lock: Send + Sync {
    /// Waits for the lock; [`Error::Busy`] when somebody keeps it for too long.
    async fn hold(&self) -> Result<Held>;

    /// Takes the lock if nobody has it.
    async fn try_hold(&self) -> Result<Option<Held>>;
}

/// A lock on a file, or on a directory as it is.
#[derive(Debug, Clone)]
pub enum FileLock {
    /// A file that is made for the purpose, with its folders.
    File(PathBuf),
    /// An existing or new directory, in which the lock leaves nothing.
    Directory(PathBuf),
}

impl FileLock {
    /// The lock of a place, in the home: never in a checkout.
    pub fn of_place(home: &Path, place: &Place) -> FileLock {
        let name = format!("{}.lock", &Digest::of(place.0.as_bytes()).to_string()[..16]);
        FileLock::File(home.join("locks").join(name))
    }

    fn open(&self) -> std::io::Result<File> {
        match self {
            FileLock::File(path) => {
                if let Some(folder) = path.parent() {
                    private_dirs(folder)?;
                }
                OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
            }
            FileLock::Directory(path) => {
                private_dirs(path)?;
                File::open(path)
            }
        }
    }

    fn attempt(&self, patience: Duration) -> Result<Option<Held>> {
        let file = match self.open() {
            Ok(file) => file,
            // Nobody can write here, so nobody has to wait.
            Err(error) if error.kind() == std::io::ErrorKind::ReadOnlyFilesystem => return Ok(Some(Held::new(()))),
            Err(error) => return Err(Error::io(error)),
        };
        let start = Instant::now();
        // Polling and not a blocking flock: a stopped holder must not hang everybody for ever.
        let mut pause = Duration::from_micros(200);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Held::new(file))),
                Err(TryLockError::WouldBlock) if start.elapsed() >= patience => return Ok(None),
                Err(TryLockError::WouldBlock) => std::thread::sleep(pause),
                Err(TryLockError::Error(error)) => return Err(Error::io(error)),
            }
            pause = (pause * 3 / 2).min(Duration::from_millis(2));
        }
    }
}

#[async_trait]
impl Lock for FileLock {
    async fn hold(&self) -> Result<Held> {
        let lock = self.clone();
        offload(move || lock.attempt(PATIENCE)).await?.ok_or(Error::Busy)
    }

    async fn try_hold(&self) -> Result<Option<Held>> {
        let lock = self.clone();
        offload(move || lock.attempt(Duration::ZERO)).await
    }
}

/// Does work that must not stop half-way, with the lock that it owns: who asked for it may go away (a client hangs up,
/// a verb is cancelled), but a file that is being written cannot be called back, and until it is done nobody else may write.
pub async fn to_the_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T> {
    tokio::spawn(work).await.map_err(|ended| match ended.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Error::Io("the process ends".to_owned()),
    })
}

/// Makes a folder of the home with its parents, 0700 whatever the umask.
pub fn private_dirs(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        private_dirs(parent)?;
    }
    match std::fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        // Whatever the umask took away.
        Ok(()) => std::fs::set_permissions(folder, PermissionsExt::from_mode(0o700)),
        other => other,
    }
}
