//! `loci export`: documents as a folder or an archive that any tool can read, and Loci can take in again.

mod archive;
mod folder;

use super::Outcome;
use crate::args::ExportArgs;
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, count, dim, line, yellow};
use loci_domain::fault::Fault;
use serde::Serialize;
use std::process::ExitCode;

/// Endings by which somebody means an archive that is not written here.
const OTHER_ARCHIVES: [&str; 7] = [".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".zst"];

/// What an export did.
#[derive(Debug, Default, Serialize)]
pub struct Written {
    pub created: usize,
    pub updated: usize,
    pub unchanged: usize,
    /// Files of an earlier export whose documents are gone.
    pub removed: usize,
    pub refused: Vec<Kept>,
}

/// A file that stays as it is, and why.
#[derive(Debug, Serialize)]
pub struct Kept {
    pub path: String,
    pub reason: String,
}

/// Whether what lies there already may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    Careful,
    Forced,
}

pub async fn run(app: &App, output: Output, args: ExportArgs) -> Outcome {
    let name = args.target.to_string_lossy().to_lowercase();
    let is_archive = name.ends_with(".tar.zst") || name.ends_with(".tzst");
    if let Some(other) = OTHER_ARCHIVES.iter().find(|ending| !is_archive && name.ends_with(*ending)) {
        let text = format!("an archive is written as .tar.zst, not {other}; a name without such an ending is a folder");
        return Err(Failure::usage(text));
    }
    let exported = app.memory.export(args.scope).await?;
    let manner = if args.force { Manner::Forced } else { Manner::Careful };
    let mut written = if is_archive {
        archive::write(&args.target, &exported, manner)?
    } else {
        folder::write(&args.target, &exported, manner)?
    };
    let unread = exported.refused.iter().map(|of| Kept { path: of.path.clone(), reason: of.reason.clone() });
    written.refused.extend(unread);
    output.answer(&written, || {
        let Written { created, updated, unchanged, removed, refused } = &written;
        let files = count(exported.manifest.files.len(), "document", "documents");
        let gone = if *removed > 0 { format!(", {removed} removed") } else { String::new() };
        line(&format!("{files}: {created} created, {updated} updated, {unchanged} unchanged{gone}"));
        for kept in refused {
            line(&format!("  {} {}  {}", yellow("refused"), kept.path, dim(&kept.reason)));
        }
    });
    Ok(if written.refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(4) })
}

/// Something else lies where the export should go.
fn occupied(what: &str) -> Failure {
    Failure::new(Fault::Conflict, "conflict", format!("{what}; choose another place, or say --force"))
}
