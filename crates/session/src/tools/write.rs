//! `write`: a whole file, over what was there when the call came.

use crate::fence::Fence;
use crate::files::{Files, path};
use crate::{Error, Result};
use loci_store::Expect;

pub async fn write(fence: Fence<'_>, files: &Files, given: &str, content: &str) -> Result<String> {
    let path = path(given)?;
    // Conditional on what is there now: of two that write at once, one is told.
    let expect = match files.read(&path).await {
        Ok(None) => Expect::Absent,
        Ok(Some(text)) => Expect::Is(text.digest),
        // What is no text, or too large to look at, gives way as a whole.
        Err(Error::NotText | Error::TooLarge { .. }) => Expect::Anything,
        Err(other) => return Err(other),
    };
    fence.passed().await?;
    files.write(&path, content.to_owned(), expect).await?;
    Ok(format!("wrote {} ({} bytes)", path, content.len()))
}
