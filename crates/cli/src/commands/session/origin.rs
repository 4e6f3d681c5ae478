//! Where a transcript comes from: its format, its session's name, and the directory that the session took place in.

use crate::fault::Failure;
use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_domain::fault::Fault;
use loci_domain::transcript::Format;
use loci_memory::sessions::{Glance, Opened, glance, open, recognise};
use serde_json::Value;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A transcript, and what its start tells.
pub struct Origin {
    /// Its file, by its own name.
    pub file: PathBuf,
    /// How it is written.
    pub format: Format,
    /// What the session is called.
    pub session: String,
    /// Where it took place, as far as that can be known here.
    pub directory: Option<PathBuf>,
    /// True for a session that another one started: nobody typed in it.
    pub is_part: bool,
    /// Its title, else what was said first.
    pub title: Option<String>,
    /// When something was first said.
    pub started_at: Option<Timestamp>,
    /// Its bytes.
    pub opened: Opened,
}

impl Origin {
    /// Looks at a transcript; without a format it is told by its looks, and what looks like none is Loci's own.
    pub fn of(file: &Path, format: Option<Format>) -> Result<Origin, Failure> {
        let refused = |error: std::io::Error| {
            let name = file.display();
            match error.kind() {
                ErrorKind::NotFound => Failure::new(Fault::Missing, "no_such_file", format!("{name} does not exist")),
                _ => Failure::new(Fault::Invalid, "unreadable", format!("{name} cannot be read: {error}")),
            }
        };
        let own = file.canonicalize().map_err(refused)?;
        let format = match format {
            Some(format) => format,
            None => {
                let mut opened = open(&own, Format::Loci).map_err(refused)?;
                recognise(&mut *opened.source).map_err(refused)?.unwrap_or(Format::Loci)
            }
        };
        let mut opened = open(&own, format).map_err(refused)?;
        let Glance { about, first, at } = glance(format, &mut *opened.source).map_err(refused)?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // These name the file after the session, and copy lines of one session into the next.
        let by_file = matches!(format, Format::Loci | Format::ClaudeCode | Format::QwenCode);
        let session = about.session.filter(|_| !by_file).unwrap_or(stem);
        let directory = about.directory.map(PathBuf::from).filter(|directory| directory.is_absolute());
        let directory = match format {
            Format::GeminiCli => directory.or_else(|| gemini_directory(&own, about.hashed.as_deref())),
            _ => directory,
        };
        let (is_part, title) = (about.parent.is_some(), about.title.or(first));
        Ok(Origin { file: own, format, session, directory, is_part, title, started_at: at, opened })
    }
}

/// The directory of a chat of Gemini CLI: it lies in a folder of its project, which newer versions mark with the path;
/// older ones tell a hash of it, which is compared with the directories that Gemini or this process knows.
fn gemini_directory(chat: &Path, hashed: Option<&str>) -> Option<PathBuf> {
    let project = chat.parent()?.parent()?;
    let path = |text: &str| Some(PathBuf::from(text.trim())).filter(|path| path.is_absolute());
    if let Some(marked) = small(&project.join(".project_root")).and_then(|text| path(&text)) {
        return Some(marked);
    }
    let list = project.parent()?.parent()?.join("projects.json");
    let list: Value = small(&list).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let known = list.get("projects").and_then(Value::as_object).into_iter().flatten();
    let name = project.file_name()?.to_str()?;
    let hash_of = |path: &str| Digest::of(path.as_bytes()).to_string();
    for (root, slug) in known {
        if slug.as_str() == Some(name) || hashed == Some(&hash_of(root)) {
            return path(root);
        }
    }
    let here = std::env::current_dir().ok()?;
    let mut around = here.ancestors();
    around.find(|folder| hashed == folder.to_str().map(hash_of).as_deref()).map(Path::to_owned)
}

/// The text of a small file.
fn small(file: &Path) -> Option<String> {
    const LARGEST: u64 = 1 << 20;
    file.metadata().ok().filter(|about| about.is_file() && about.len() <= LARGEST)?;
    std::fs::read_to_string(file).ok()
}
