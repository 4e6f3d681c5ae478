//! `read`: a file's text.

use crate::Result;
use crate::files::{Files, gone, path};

/// Bytes that a model is shown.
const SHOWN: usize = 256 << 10;

pub async fn read(files: &Files, given: &str) -> Result<String> {
    let path = path(given)?;
    let text = files.read(&path).await?.ok_or_else(|| gone(&path))?.content;
    if text.len() <= SHOWN {
        return Ok(text);
    }
    let end = text.floor_char_boundary(SHOWN);
    Ok(format!("{}\n[cut: {} more bytes; grep finds a place in them]", &text[..end], text.len() - end))
}
