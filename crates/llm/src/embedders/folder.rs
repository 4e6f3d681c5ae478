//! A local model in the layout of model2vec: `tokenizer.json` and `model.safetensors` in one folder.
//!
//! Owns when the files are read: opening reads the header of the table, the first text reads the tokenizer, and each
//! token reads its own row from the file, so that a table of any size takes no memory.
//! Never fetches anything, and does not read `config.json`: vectors are always normalised, whatever it says.
//! Start at [`Folder::open`]; `tokenizer.rs` and `table.rs` read the two files.

mod table;
mod tokenizer;

use super::MOST_TOKENS;
use crate::embed::{Embedder, Error, Result, normalise};
use async_trait::async_trait;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;
use table::Table;
use tokenizer::Tokenizer;

const TOKENIZER: &str = "tokenizer.json";
const MODEL: &str = "model.safetensors";

/// An embedder over the files of a folder.
#[derive(Debug)]
pub struct Folder {
    name: String,
    table: Table,
    tokenizer: PathBuf,
    read: OnceLock<Tokenizer>,
}

impl Folder {
    /// Opens a model; its tokenizer is read, and possibly refused, with the first text.
    pub fn open(folder: &Path) -> Result<Folder> {
        let (model, tokenizer) = (folder.join(MODEL), folder.join(TOKENIZER));
        let table = Table::open(&model)?;
        let called = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let state = state(&model)? ^ state(&tokenizer)?.rotate_left(1);
        let name = format!("folder/{called}/{}/{state:016x}", table.dimensions());
        Ok(Folder { name, table, tokenizer, read: OnceLock::new() })
    }

    fn tokenizer(&self) -> Result<&Tokenizer> {
        if let Some(tokenizer) = self.read.get() {
            return Ok(tokenizer);
        }
        let tokenizer = Tokenizer::read(&self.tokenizer)?;
        // Two that come first at once read the same file; either result will do.
        Ok(self.read.get_or_init(|| tokenizer))
    }

    fn vector(&self, text: &str) -> Result<Vec<f32>> {
        let mut tokens = Vec::new();
        self.tokenizer()?.wordpiece().tokens(text, MOST_TOKENS, |id| tokens.push(id));
        let mut vector = vec![0.0; self.table.dimensions()];
        for id in tokens {
            self.table.add(id as usize, &mut vector)?;
        }
        normalise(&mut vector);
        Ok(vector)
    }
}

#[async_trait]
impl Embedder for Folder {
    fn name(&self) -> &str {
        &self.name
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        texts.iter().map(|text| self.vector(text)).collect()
    }
}

/// A number that changes with the file: its size and time in one hash. The content would cost a read of all of it.
fn state(path: &Path) -> Result<u64> {
    let seen = path.metadata().map_err(|error| failure(path, error))?;
    let time = seen.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let bytes = seen.len().to_le_bytes().into_iter().chain(time.as_nanos().to_le_bytes());
    Ok(bytes.fold(crate::wordpiece::pack::seed(0), crate::wordpiece::pack::step))
}

fn failure(path: &Path, error: io::Error) -> Error {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::NotFound => Error::Missing { path },
        _ => Error::Unreadable { path, source: error },
    }
}

fn damaged(path: &Path, what: impl Into<String>) -> Error {
    Error::Damaged { path: path.to_owned(), what: what.into() }
}

fn unsupported(path: &Path, what: impl Into<String>) -> Error {
    Error::Unsupported { path: path.to_owned(), what: what.into() }
}
