//! Opening the ledger: of a home, whatever state it is in, or the one that nodes share.

use super::kept::Kept;
use super::{Damage, home};
use crate::config::Config;
use crate::fault::Failure;
use loci_domain::fault::Fault;
use loci_ledger::{Ledger, Postgres, Sqlite};
use loci_store::lock::private_dirs;
use loci_store::record::Error as RecordError;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::broadcast;

/// The ledger by what it is, for who needs more than rows.
#[derive(Debug, Clone)]
pub enum Engine {
    /// A file of the home.
    File(Sqlite),
    /// A database that nodes share.
    Shared(Postgres),
}

impl Engine {
    /// Its rows.
    pub fn rows(&self) -> Arc<dyn Ledger> {
        match self {
            Engine::File(sqlite) => Arc::new(sqlite.clone()),
            Engine::Shared(postgres) => Arc::new(postgres.clone()),
        }
    }

    /// What is wrong inside, one line each.
    pub async fn check(&self) -> Result<Vec<String>, Failure> {
        Ok(match self {
            Engine::File(sqlite) => sqlite.check().await?,
            Engine::Shared(postgres) => postgres.check().await?,
        })
    }

    /// See [`Sqlite::leave_log`].
    pub fn leave_log(&self) {
        if let Engine::File(sqlite) = self {
            sqlite.leave_log();
        }
    }

    /// What other nodes did; a file has nobody who could tell.
    pub fn bells(&self) -> Option<broadcast::Receiver<String>> {
        match self {
            Engine::File(_) => None,
            Engine::Shared(postgres) => Some(postgres.bells()),
        }
    }

    /// Another handle, for a thread with a runtime of its own.
    pub async fn again(home: &Path, config: &Config) -> Result<Engine, Failure> {
        Ok(match shared(config)? {
            Some(url) => Engine::Shared(Postgres::open(url).await?),
            None => Engine::File(Sqlite::open(&home.join("loci.db"))?),
        })
    }
}

/// The address of the ledger that nodes share, if there is one.
fn shared(config: &Config) -> Result<Option<&str>, Failure> {
    match config.text("ledger.url") {
        None | Some("") => Ok(None),
        Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => Ok(Some(url)),
        // What was given is not repeated: it may hold a password.
        Some(_) => Err(Failure::usage("ledger.url is postgres://user:password@host/database, or nothing")),
    }
}

/// Opens the ledger; a damaged one is set aside, and what can be read of it is kept.
/// True beside it: it lives in memory for this one command.
pub(super) async fn open_ledger(
    home: &Path,
    config: &Config,
    damage: Damage,
    warnings: &mut Vec<String>,
) -> Result<(Engine, bool), Failure> {
    if let Some(url) = shared(config)? {
        if let Some(known) = Kept::with(|kept| kept.ledgers.get(url).cloned()) {
            return Ok((Engine::Shared(known), false));
        }
        let opened = Postgres::open(url).await?;
        Kept::with(|kept| kept.ledgers.insert(url.to_owned(), opened.clone()));
        return Ok((Engine::Shared(opened), false));
    }
    let (sqlite, read_only) = open_file(home, damage, warnings)?;
    Ok((Engine::File(sqlite), read_only))
}

fn open_file(home: &Path, damage: Damage, warnings: &mut Vec<String>) -> Result<(Sqlite, bool), Failure> {
    let file = home.join("loci.db");
    if let Err(error) = private_dirs(home) {
        return match error.kind() {
            std::io::ErrorKind::ReadOnlyFilesystem => in_memory(warnings),
            _ => {
                let text =
                    format!("{} cannot be made ({error}); set LOCI_HOME to a directory of your own", home.display());
                Err(Failure::new(Fault::Offline, "no_home", text))
            }
        };
    }
    match Sqlite::open(&file) {
        Ok(ledger) => Ok((ledger, false)),
        Err(RecordError::Corrupt(_)) if damage == Damage::Mended => {
            let repaired = Sqlite::repair(&file)?;
            let aside = repaired.aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
            warnings.push(format!(
                "the ledger was damaged and is rebuilt from the files; the old one is kept as {aside} ({} changes of the journal were saved)",
                repaired.changes
            ));
            Ok((Sqlite::open(&file)?, false))
        }
        Err(RecordError::ReadOnly) => in_memory(warnings),
        Err(error) => Err(error.into()),
    }
}

/// Looks at every page of the ledger and repairs it if one is damaged; answers what was done.
pub async fn mend_ledger() -> Result<Option<String>, Failure> {
    let file = home()?.join("loci.db");
    let damaged = match Sqlite::open(&file) {
        Ok(ledger) => !ledger.check().await?.is_empty(),
        Err(_) => return Ok(None),
    };
    if !damaged {
        return Ok(None);
    }
    let aside = Sqlite::repair(&file)?.aside;
    let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Some(format!("was damaged and is rebuilt from the files; the old one is kept as {name}")))
}

/// A home that cannot be written can still be read: the ledger then lives in memory for this one command.
fn in_memory(warnings: &mut Vec<String>) -> Result<(Sqlite, bool), Failure> {
    warnings.push("the home is read-only: usage, pins and the journal are not available".to_owned());
    Ok((Sqlite::in_memory()?, true))
}
