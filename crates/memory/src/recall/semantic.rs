//! Meaning: cosine of the question with every entry, by static embeddings that ship in the binary.

use super::question::Question;
use super::shelf::Shelf;
use crate::Result;
use loci_domain::{document, entry};
use loci_llm::embedders::static_minilm::{StaticMinilm, similarity};
use loci_store::record::{Record, Vectors};
use loci_store::{Root, Store, catalog};
use std::sync::Arc;

/// Under which name the vectors are kept; another embedder or another way to cut entries needs another one.
pub(super) const EMBEDDER: &str = "static-minilm-256/entries-1";
/// Entries of one document that get a vector of their own.
const MOST_ENTRIES: usize = 64;
/// Documents whose vectors are written down together.
const AT_ONCE: usize = 256;
const SIZE: usize = 256;

/// What the meaning of a question says of one document.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Semantic {
    /// The best entry's cosine.
    pub similarity: f64,
    /// Which entry that is; `None` = the name and description.
    pub entry: Option<usize>,
}

/// For each shelf, for each document.
pub(super) fn score(shelves: &[Arc<Shelf>], question: &Question) -> Vec<Vec<Semantic>> {
    shelves.iter().map(|shelf| shelf.vectors.iter().map(|vectors| best(vectors, question)).collect()).collect()
}

fn best(vectors: &[i8], question: &Question) -> Semantic {
    let mut best = Semantic::default();
    let (vectors, _) = vectors.as_chunks::<SIZE>();
    for (at, vector) in vectors.iter().enumerate() {
        let similarity = f64::from(similarity(&question.vector, vector));
        if similarity > best.similarity {
            // The first vector is the document's face.
            best = Semantic { similarity, entry: at.checked_sub(1) };
        }
    }
    best
}

/// Makes the vectors that are missing, and keeps them.
pub(super) async fn complete(record: &dyn Record, store: &Store, root: &Root, shelf: &mut Shelf) -> Result<()> {
    let missing: Vec<usize> = (0..shelf.documents.len()).filter(|at| shelf.vectors[*at].is_empty()).collect();
    for some in missing.chunks(AT_ONCE) {
        let mut made = Vec::new();
        for at in some {
            let searched = &shelf.documents[*at];
            let Some(blob) = store.read(root, &searched.path).await.ok().flatten() else { continue };
            let Some(text) = catalog::text(&blob.bytes) else { continue };
            shelf.vectors[*at] = vectors(&searched.path, text);
            made.push(Vectors { number: searched.number, packed: pack(&shelf.vectors[*at]) });
        }
        record.keep_vectors(EMBEDDER, &made).await?;
    }
    Ok(())
}

/// One vector of the face, then one an entry, each with the name before it: an entry alone often lacks its subject.
fn vectors(path: &loci_domain::path::EntryPath, text: &str) -> Vec<i8> {
    let embedder = StaticMinilm::default();
    let document = document::read(path, text);
    let card = &document.card;
    let mut vectors = embedder.quantised(&format!("{}. {}", card.name, card.description)).to_vec();
    for entry in entry::entries(text, document.body.clone()).iter().take(MOST_ENTRIES) {
        vectors.extend(embedder.quantised(&format!("{}. {}", card.name, entry.text(text))));
    }
    vectors
}

fn pack(vectors: &[i8]) -> Vec<u8> {
    vectors.iter().map(|part| part.cast_unsigned()).collect()
}

pub(super) fn unpack(packed: &[u8]) -> Vec<i8> {
    packed.iter().map(|part| part.cast_signed()).collect()
}
