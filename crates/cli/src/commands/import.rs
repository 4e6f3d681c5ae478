//! `loci import`: what other tools remember comes in, untrusted until a person accepts it.

mod archive;
mod folder;

use super::Outcome;
use crate::args::ImportArgs;
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, count, dim, line, yellow};
use loci_domain::fault::Fault;
use loci_domain::secrets::Policy;
use loci_memory::import::{Format, Import, Imported, Run, Source};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::ExitCode;

/// How much is read of a source, whatever it claims to be.
pub struct Bounds {
    /// Bytes of one file; a larger one is refused by itself.
    pub file: u64,
    /// Bytes of all files together, unpacked; more is no memory.
    pub all: u64,
    /// Files and folders.
    pub entries: usize,
}

/// The first bytes of a zstd file.
pub const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

pub async fn run(app: &App, output: Output, args: ImportArgs) -> Outcome {
    let bounds = Bounds { file: app.config.number("limits.file_bytes"), all: 256 << 20, entries: 20_000 };
    let sources = read(&args.source, &bounds)?;
    let format = match &args.format {
        Some(word) => Format::from_word(word)
            .ok_or_else(|| Failure::usage(format!("there is no format {word:?}; use {}", Format::words())))?,
        None => Format::of(&place(&args.source), &sources).map_err(|known| unclear(&known))?,
    };
    let run = if args.dry_run { Run::Dry } else { Run::Real };
    let policy = if args.allow_secret { Policy::Allow } else { Policy::Redact };
    let imported = app.verbs()?.import(Import { sources, format, scope: args.scope, policy, run }).await?;
    output.answer(&imported, || show(&imported, format, run));
    let nothing = imported.created + imported.updated + imported.unchanged == 0;
    Ok(if nothing && !imported.refused.is_empty() { ExitCode::from(5) } else { ExitCode::SUCCESS })
}

fn read(source: &Path, bounds: &Bounds) -> Result<Vec<Source>, Failure> {
    let shown = source.display();
    let meta = std::fs::metadata(source).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::new(Fault::Missing, "no_such_source", format!("{shown} does not exist")),
        _ => Failure::from(anyhow::anyhow!("{shown} cannot be read: {error}")),
    })?;
    if meta.is_dir() {
        return folder::read(source, bounds);
    }
    let mut file = std::fs::File::open(source)?;
    let mut head = Vec::new();
    file.by_ref().take(4).read_to_end(&mut head)?;
    if head == ZSTD {
        return archive::read(source, bounds);
    }
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let lower = name.to_lowercase();
    if [".zst", ".tzst", ".tar", ".gz", ".tgz", ".zip", ".xz", ".bz2"].iter().any(|ending| lower.ends_with(ending)) {
        let text = format!("{shown} is no archive that can be read; only .tar.zst is, as loci export writes it");
        return Err(Failure::new(Fault::Invalid, "invalid_archive", text));
    }
    Ok(vec![Source { path: name, text: folder::text(source, bounds) }])
}

/// Where the source lies, for tools that are known by that.
fn place(source: &Path) -> String {
    source.canonicalize().unwrap_or_else(|_| source.to_owned()).to_string_lossy().into_owned()
}

fn unclear(known: &[Format]) -> Failure {
    let text = match known {
        [] => format!("nothing in it looks like memory; name its format with --format ({})", Format::words()),
        known => {
            let words: Vec<&str> = known.iter().map(|format| format.word()).collect();
            format!("it could be {}; say which with --format", words.join(" or "))
        }
    };
    Failure { code: "unclear_format", ..Failure::usage(text) }
}

/// More than a source may hold.
pub fn too_much(what: &str) -> Failure {
    Failure::new(Fault::Limit, "source_too_large", format!("{what}; nothing was imported"))
}

fn show(imported: &Imported, format: Format, run: Run) {
    let Imported { created, updated, unchanged, refused, paths, .. } = imported;
    let would = if run == Run::Dry { "would be " } else { "" };
    let files = count(created + updated + unchanged, "document", "documents");
    line(&format!(
        "{files} ({}): {created} {would}created, {updated} {would}updated, {unchanged} unchanged",
        format.word()
    ));
    for path in paths {
        line(&format!("  {path}"));
    }
    for one in refused {
        line(&format!("  {} {}  {}", yellow("refused"), one.path, dim(&one.reason)));
    }
    if run == Run::Real && !paths.is_empty() {
        line(&dim("untrusted until you accept it with loci trust; loci undo takes the import back"));
    }
}
