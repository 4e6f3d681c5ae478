//! One writer per root on another machine: a file in its `.loci/` that only one can make.
//!
//! The file names its owner and until when it counts. The owner renews it; a file that is not renewed for its whole time,
//! while somebody watches, is nobody's any more. So clocks that differ do no harm, and a crash costs the next writer at
//! most [`TIME`].

mod claim;

use super::jail::{contents, node};
use super::link::{self, Link, Session};
use super::trouble::{Trouble, Work, or_missing};
use async_trait::async_trait;
use loci_store::{Error, Held, Lock, Node, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncSeekExt;
use tokio::sync::OwnedMutexGuard;
use ulid::Ulid;

/// How long a lock counts without being renewed.
const TIME: Duration = Duration::from_secs(20);
const RENEWAL: Duration = Duration::from_secs(5);
/// How long a writer waits for another one before it gives up; longer than a dead one's lock counts.
const PATIENCE: Duration = Duration::from_secs(40);
/// How long giving back may take before the lock is left to run out.
const FAREWELL: Duration = Duration::from_secs(3);
/// Longer than any lock of ours.
const LARGEST: u64 = 4096;

const FOLDER: &str = ".loci";
const NAME: &str = "lock";

/// The lock of one root on another machine.
#[derive(Clone)]
pub struct LockFile {
    link: Arc<Link>,
    /// Writers of this process queue here and not over there.
    queue: Arc<tokio::sync::Mutex<()>>,
}

/// A lock file that was seen, and since when it has not changed.
type Watched = Option<(Vec<u8>, Instant)>;

impl LockFile {
    pub(super) fn new(link: Arc<Link>) -> LockFile {
        LockFile { link, queue: Arc::default() }
    }

    /// Makes the file, if nobody has it. Says how long it has been seen unchanged else.
    async fn take(&self, queue: &mut Option<OwnedMutexGuard<()>>, watched: &mut Watched) -> Result<Option<Held>> {
        let token = Ulid::generate().to_string();
        let (claim, before) = (claim::text(&token), watched.take());
        let stale =
            before.clone().filter(|(bytes, since)| claim::is_stale(bytes, since.elapsed())).map(|(bytes, _)| bytes);
        let taken = self
            .link
            .run(move |session, _| {
                let (claim, stale) = (claim.clone(), stale.clone());
                async move {
                    if let Some(stale) = stale {
                        take_away(&session, &stale).await?;
                    }
                    make(&session, &claim).await
                }
            })
            .await?;
        match taken {
            Taken::Ours { made } => {
                let renewal = link::start(keep(Arc::clone(&self.link), token.clone()));
                Ok(Some(Held::new(Guard { link: Arc::clone(&self.link), token, made, renewal, _queue: queue.take() })))
            }
            Taken::Theirs(bytes) => {
                let since = before.filter(|(seen, _)| *seen == bytes).map_or_else(Instant::now, |(_, since)| since);
                *watched = Some((bytes, since));
                Ok(None)
            }
        }
    }
}

#[async_trait]
impl Lock for LockFile {
    async fn hold(&self) -> Result<Held> {
        let queue = tokio::time::timeout(PATIENCE, Arc::clone(&self.queue).lock_owned()).await;
        let mut queue = Some(queue.map_err(|_| Error::Busy)?);
        let (start, mut watched) = (Instant::now(), None);
        let mut pause = Duration::from_millis(10);
        loop {
            if let Some(held) = self.take(&mut queue, &mut watched).await? {
                return Ok(held);
            }
            if start.elapsed() >= PATIENCE {
                return Err(Error::Busy);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 3 / 2).min(Duration::from_millis(250));
        }
    }

    async fn try_hold(&self) -> Result<Option<Held>> {
        let Ok(queue) = Arc::clone(&self.queue).try_lock_owned() else { return Ok(None) };
        let (mut queue, mut watched) = (Some(queue), None);
        match self.take(&mut queue, &mut watched).await? {
            // One that ran out long ago is seen at the first look and taken at the second.
            None => self.take(&mut queue, &mut watched).await,
            held => Ok(held),
        }
    }
}

enum Taken {
    Ours {
        /// Whether the folder was made for it.
        made: bool,
    },
    Theirs(Vec<u8>),
}

fn place(session: &Session) -> (PathBuf, PathBuf) {
    let folder = session.anchor.join(FOLDER);
    let file = folder.join(NAME);
    (folder, file)
}

async fn make(session: &Session, claim: &[u8]) -> Work<Taken> {
    let (folder, file) = place(session);
    let mut fs = session.sftp.fs();
    let made = match or_missing(fs.symlink_metadata(&folder).await)? {
        Some(found) if node(&found)? == Node::Folder => false,
        Some(_) => return Err(Error::InTheWay.into()),
        // When somebody is first, the next step says whether it can be used.
        None => fs.create_dir(&folder).await.is_ok(),
    };
    match session.sftp.options().write(true).create_new(true).open(&file).await.map_err(Trouble::from) {
        Ok(mut lock) => {
            lock.write_all(claim).await?;
            lock.close().await?;
            Ok(Taken::Ours { made })
        }
        // Made and gone again in the meantime counts as taken: it is tried again.
        Err(Trouble::Told(error)) => match read(session, &file).await? {
            // The connection broke off right after we made it.
            Some(bytes) if bytes == claim => Ok(Taken::Ours { made }),
            Some(bytes) => Ok(Taken::Theirs(bytes)),
            None if matches!(error, Error::Io(_) | Error::Missing) && is_writable(session, &folder).await? => {
                Ok(Taken::Theirs(Vec::new()))
            }
            None => Err(error.into()),
        },
        Err(lost) => Err(lost),
    }
}

/// Whether waiting can help: a folder that cannot be written stays so.
async fn is_writable(session: &Session, folder: &Path) -> Work<bool> {
    let trial = folder.join(format!(".loci-{}.tmp", Ulid::generate()));
    match session.sftp.options().write(true).create_new(true).open(&trial).await.map_err(Trouble::from) {
        Ok(file) => {
            file.close().await?;
            session.sftp.fs().remove_file(&trial).await?;
            Ok(true)
        }
        Err(Trouble::Told(_)) => Ok(false),
        Err(lost) => Err(lost),
    }
}

async fn read(session: &Session, file: &Path) -> Work<Option<Vec<u8>>> {
    match or_missing(session.sftp.fs().symlink_metadata(file).await)? {
        Some(found) if node(&found)? == Node::Folder => return Err(Error::InTheWay.into()),
        Some(_) => {}
        None => return Ok(None),
    }
    let Some(mut lock) = or_missing(session.sftp.open(file).await)? else { return Ok(None) };
    let bytes = contents(&mut lock, LARGEST).await?;
    lock.close().await?;
    Ok(Some(bytes))
}

/// Takes a dead lock away, if it is still that one. Two who do so at once both look at what they took.
async fn take_away(session: &Session, stale: &[u8]) -> Work<()> {
    let (folder, file) = place(session);
    let aside = folder.join(format!(".loci-{}.gone", Ulid::generate()));
    let mut fs = session.sftp.fs();
    if or_missing(fs.rename(&file, &aside).await)?.is_none() {
        return Ok(());
    }
    if read(session, &aside).await?.as_deref() != Some(stale) && session.sftp.support_hardlink() {
        // A fresh one: it gets its name back.
        let _ = fs.hard_link(&aside, &file).await;
    }
    or_missing(fs.remove_file(&aside).await).map(drop)
}

/// Keeps a lock alive until it is given back or lost.
async fn keep(link: Arc<Link>, token: String) {
    loop {
        tokio::time::sleep(RENEWAL).await;
        if let Ok(false) = renew(&link, &token).await {
            return;
        }
    }
}

/// Renews a lock; `false` when it was lost. Writes into the file that was read, so it can never touch another's.
async fn renew(link: &Arc<Link>, token: &str) -> Result<bool> {
    let token = token.to_owned();
    link.run(move |session, _| {
        let token = token.clone();
        async move {
            let (_, file) = place(&session);
            let Some(mut lock) = or_missing(session.sftp.options().read(true).write(true).open(&file).await)? else {
                return Ok(false);
            };
            if !claim::is_ours(&contents(&mut lock, LARGEST).await?, &token) {
                return Ok(false);
            }
            lock.rewind().await.map_err(|_| Trouble::Lost)?;
            lock.write_all(&claim::text(&token)).await?;
            lock.close().await?;
            Ok(true)
        }
    })
    .await
}

struct Guard {
    link: Arc<Link>,
    token: String,
    made: bool,
    /// `None` once the lock was given back.
    renewal: Option<tokio::task::JoinHandle<()>>,
    _queue: Option<OwnedMutexGuard<()>>,
}

impl Guard {
    /// What gives the lock back, to be done once; `None` = it was.
    fn farewell(&mut self) -> Option<impl Future<Output = ()> + Send + 'static> {
        self.renewal.take()?.abort();
        let (link, token, made) = (Arc::clone(&self.link), self.token.clone(), self.made);
        Some(async move {
            let _ = link.run(move |session, _| give_back(session, token.clone(), made)).await;
        })
    }
}

#[async_trait]
impl loci_store::Guard for Guard {
    async fn still(&self) -> Result<bool> {
        // Renewed and not only looked at: then there is a whole lock's time for what comes next.
        renew(&self.link, &self.token).await
    }

    async fn release(mut self: Box<Self>) {
        // Started and not only awaited: it is done to the end, whatever becomes of who waits for it.
        if let Some(giving) = self.farewell().and_then(link::start) {
            let _ = tokio::time::timeout(FAREWELL, giving).await;
        }
    }
}

impl Drop for Guard {
    /// For who did not come to [`loci_store::Guard::release`]. Waits for it, shortly: the process may end right after, and
    /// a lock that stays costs the next writer [`TIME`].
    fn drop(&mut self) {
        let Some(farewell) = self.farewell() else { return };
        let (tell, told) = std::sync::mpsc::channel();
        link::start(async move {
            farewell.await;
            let _ = tell.send(());
        });
        let _ = told.recv_timeout(FAREWELL);
    }
}

async fn give_back(session: Arc<Session>, token: String, made: bool) -> Work<()> {
    let (folder, file) = place(&session);
    let mut fs = session.sftp.fs();
    match read(&session, &file).await? {
        Some(bytes) if claim::is_ours(&bytes, &token) => or_missing(fs.remove_file(&file).await)?,
        _ => return Ok(()),
    };
    if made {
        // Goes only when nothing else is in it.
        let _ = fs.remove_dir(&folder).await;
    }
    Ok(())
}
