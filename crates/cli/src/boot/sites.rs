//! Where the files of memory lie: in the home, or in a bucket that nodes share.

use super::kept::Kept;
use super::ledger::Engine;
use crate::config::Config;
use crate::fault::Failure;
use loci_domain::change::Place;
use loci_domain::path::EntryPath;
use loci_remote::s3::{self, S3};
use loci_store::lock::{LeaseLock, private_dirs};
use loci_store::record::Record;
use loci_store::site::Disk;
use loci_store::store::fresh_id;
use loci_store::{Ground, Site};
use std::fmt;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A site, and the bucket that it is in, if it is in one.
pub(super) struct Opened {
    pub site: Arc<dyn Site>,
    pub bucket: Option<S3>,
}

/// The site of a process by its settings.
pub(super) fn site(home: &Path, config: &Config, engine: &Engine) -> Result<Opened, Failure> {
    let disk = |disk: Disk| Ok(Opened { site: Arc::new(disk), bucket: None });
    match (config.text("files.url").filter(|url| !url.is_empty()), engine) {
        (Some(url), _) => {
            is_files(url)?;
            let bucket = Bucket::open(url, engine)?;
            Ok(Opened { bucket: Some(bucket.s3.clone()), site: Arc::new(bucket) })
        }
        (None, Engine::File(_)) => disk(Disk::new(home.to_owned())),
        // Other homes may use the same ledger.
        (None, Engine::Shared(_)) => disk(Disk::among(home.to_owned(), &own_id(home)?)),
    }
}

/// Whether an address is one that the files of memory can have.
pub fn is_files(url: &str) -> Result<(), Failure> {
    if !url.starts_with(s3::SCHEME) {
        return Err(Failure::usage("files.url is s3://bucket/prefix, or nothing"));
    }
    s3::Settings::parse(url).map(drop).map_err(|error| Failure::usage(format!("files.url: {error}")))
}

/// A prefix of a bucket.
#[derive(Clone)]
pub struct Bucket {
    s3: S3,
    record: Arc<dyn Record>,
    /// Without a slash at its end.
    url: String,
}

impl Bucket {
    fn open(url: &str, engine: &Engine) -> Result<Bucket, Failure> {
        let settings = s3::Settings::parse(url)?;
        let url = format!("{}{}/{}", s3::SCHEME, settings.bucket, settings.prefix);
        let url = url.trim_end_matches('/').to_owned();
        let s3 = match Kept::with(|kept| kept.buckets.get(&url).cloned()) {
            Some(known) => known,
            None => {
                let opened = S3::open(&settings, &s3::environment())?;
                Kept::with(|kept| kept.buckets.insert(url.clone(), opened.clone()));
                opened
            }
        };
        Ok(Bucket { s3, record: engine.rows(), url })
    }
}

impl Site for Bucket {
    fn ground(&self, inside: &[&str]) -> Ground {
        let place = Place(format!("{}/{}", self.url, inside.join("/")));
        let backend: S3 = match EntryPath::parse(&inside.join("/")) {
            Ok(path) => self.s3.within(&path),
            Err(_) => unreachable!("folders of a home have names that paths may have"),
        };
        let lock = LeaseLock::new(Arc::clone(&self.record), format!("root:{}", place.0));
        Ground { place, backend: Arc::new(backend), lock: Arc::new(lock) }
    }

    fn address(&self) -> PathBuf {
        PathBuf::from(&self.url)
    }
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bucket").field(&self.url).finish()
    }
}

/// What tells a home apart from the others on one ledger; made once.
fn own_id(home: &Path) -> std::io::Result<String> {
    private_dirs(home)?;
    let file = home.join("home-id");
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file) {
        Ok(mut made) => {
            let id = fresh_id();
            made.write_all(id.as_bytes()).and_then(|()| made.sync_all())?;
            Ok(id)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let id = std::fs::read_to_string(&file)?.trim().to_owned();
            // Somebody else has just made it and not written it yet.
            if id.is_empty() { Err(std::io::Error::from(ErrorKind::WouldBlock)) } else { Ok(id) }
        }
        Err(error) => Err(error),
    }
}
