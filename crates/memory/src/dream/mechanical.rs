//! Tidying without a model: every scope by itself, by `domain::tidy`.

use crate::draft::Draft;
use crate::list::Trust;
use crate::{Error, Memory, Result};
use loci_domain::tidy::{self, Hand, Page};
use loci_store::Error as Store;
use std::collections::HashSet;

/// Stages what can be tidied; says how many entries were merged.
pub(super) async fn tidy(memory: &Memory, draft: &mut Draft) -> Result<usize> {
    let files = memory.list(None).await?;
    let foreign: HashSet<&str> =
        files.iter().filter(|file| file.trust == Trust::Untrusted).map(|file| file.path.as_str()).collect();
    let mut merged = 0;
    for scope in draft.scopes() {
        let mut pages = Vec::new();
        for path in draft.paths(scope) {
            let text = match draft.read(scope, &path).await {
                Ok(Some(text)) => text,
                // What cannot be read is not there to be tidied: a link, a large file, no text.
                Ok(None) | Err(Error::NotText(_) | Error::Store(Store::TooLarge { .. } | Store::Link | Store::Odd)) => {
                    continue;
                }
                Err(error) => return Err(error),
            };
            let hand = match draft.is_pinned(scope, &path) {
                true => Hand::Pinned,
                false if foreign.contains(path.virtual_in(scope).as_str()) => Hand::Untrusted,
                false => Hand::Free,
            };
            pages.push(Page { path, text, hand });
        }
        let tidied = tidy::tidy(&pages);
        merged += tidied.merged;
        for (path, text) in tidied.pages {
            match text {
                Some(text) => draft.put(scope, &path, text).await?,
                None => draft.remove(scope, &path).await?,
            }
        }
    }
    Ok(merged)
}
