//! Requests that came while an extraction ran, and had to wait for it.

use super::{Asking, Extract, Skip};
use crate::sessions::open;
use crate::{Memory, Result};
use loci_domain::transcript::Format;
use std::path::Path;

impl Memory {
    /// Reads what waits in this project, on behalf of who is at it.
    pub async fn catch_up(&self, asking: &Asking) -> Result<()> {
        while let Some(request) = self.next_extract().await? {
            let Some(format) = Format::from_word(&request.format) else { continue };
            let mut opened = match open(Path::new(&request.source), format) {
                Ok(opened) => opened,
                Err(error) => {
                    tracing::warn!(%error, "a transcript that waited cannot be read any more");
                    continue;
                }
            };
            let part = self.read_part(&request.session, format, &mut *opened.source).await?;
            let ask = Extract {
                session: request.session,
                part,
                source: request.source,
                format: request.format,
                asking: asking.clone(),
            };
            // Whoever is at it now looks for what waits.
            if matches!(self.extract(ask).await?.skipped_reason, Some(Skip::AlreadyRunning | Skip::Queued)) {
                break;
            }
        }
        Ok(())
    }
}
