//! Heavy backends: object storage and SSH.
//!
//! Owns the implementations of `store::Backend` that need a network and large dependencies, and how a URL names them.
//! Never decides where a scope lives: `cli` opens a backend from settings and hands it to the store.
//! Start at [`open`]; then [`s3`] (what an object store can promise) and [`ssh`] (what another machine can).

mod gather;
pub mod s3;
pub mod ssh;

use loci_domain::fault::Fault;
use loci_store::{Backend, Error, Lock, Result};
use std::sync::Arc;

/// What a person has set for places that are elsewhere.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How other machines are reached.
    pub ssh: ssh::Settings,
    /// The variables that say who asks an object store; see [`s3::environment`].
    pub environment: Vec<(String, String)>,
}

/// A place that was opened.
pub struct Opened {
    /// Its files.
    pub backend: Arc<dyn Backend>,
    /// What serialises its writers; `None` = the place has nothing for it, and the ledger's lease must do.
    pub lock: Option<Arc<dyn Lock>>,
}

/// True for a URL that [`open`] understands, well-formed or not.
pub fn is_remote(url: &str) -> bool {
    url.starts_with(s3::SCHEME) || url.starts_with(ssh::SCHEME)
}

/// Opens `s3://bucket/prefix` or `ssh://[user@]host[:port]/path`. Asks nobody yet: the first call does.
pub fn open(url: &str, settings: &Settings) -> Result<Opened> {
    if url.starts_with(s3::SCHEME) {
        let s3 = s3::S3::open(&s3::Settings::parse(url)?, &settings.environment)?;
        return Ok(Opened { backend: Arc::new(s3), lock: None });
    }
    if url.starts_with(ssh::SCHEME) {
        let ssh = ssh::Ssh::new(ssh::Address::parse(url)?, &settings.ssh)?;
        let lock = ssh.lock();
        return Ok(Opened { backend: Arc::new(ssh), lock: Some(Arc::new(lock)) });
    }
    Err(Error::refused(Fault::Invalid, "a place elsewhere is s3://bucket/prefix or ssh://[user@]host[:port]/path"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_schemes_are_opened() {
        for url in ["ftp://a/b", "/tmp/x", "s3:/b", "SSH://a/b", ""] {
            assert!(!is_remote(url), "{url}");
            assert!(open(url, &Settings::default()).is_err(), "{url}");
        }
        assert!(open("ssh://someone@somewhere/some/where", &Settings::default()).is_ok_and(|it| it.lock.is_some()));
    }
}
