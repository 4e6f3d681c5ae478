//! An export of Loci: documents as they are, and a manifest beside them.

use super::{Piece, Source};
use loci_domain::scope::Scope;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of the manifest.
pub const MANIFEST: &str = ".loci-export.json";

/// What an export says of itself. It says nothing of time or place, so that equal memory makes equal exports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this layout.
    pub loci: u32,
    /// The one scope whose files lie at the top; `None` = a folder a scope.
    pub scope: Option<String>,
    /// Every file and its SHA-256.
    pub files: BTreeMap<String, String>,
}

impl Manifest {
    /// Reads a manifest of a layout that is known.
    pub fn parse(text: &str) -> Option<Manifest> {
        serde_json::from_str(text).ok().filter(|manifest: &Manifest| manifest.loci == 1)
    }
}

pub(super) fn knows(sources: &[Source]) -> bool {
    manifest(sources).is_some()
}

fn manifest(sources: &[Source]) -> Option<Manifest> {
    super::text_of(sources, MANIFEST).and_then(Manifest::parse)
}

pub(super) fn pieces(sources: &[Source]) -> Vec<Piece> {
    let one = manifest(sources).and_then(|manifest| manifest.scope).and_then(|word| word.parse::<Scope>().ok());
    let piece = |source: &Source| {
        let (scope, to) = match one {
            Some(scope) => (Some(scope), source.path.clone()),
            None => match source.path.split_once('/') {
                Some((folder, inner)) => (folder.parse().ok(), inner.to_owned()),
                None => (None, source.path.clone()),
            },
        };
        Piece { scope, ..Piece::new(source, to, source.text.clone()) }
    };
    sources.iter().filter(|source| source.path != MANIFEST).map(piece).collect()
}
