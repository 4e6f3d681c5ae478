//! Meaning: cosine of the question with every part of a document, by static embeddings that ship in the binary.

use super::profile::{self, SIZE};
use super::question::Question;
use super::related;
use super::shelf::Shelf;
use crate::Result;
use loci_llm::embedders::static_minilm::{dot, dot_packed};
use loci_store::record::{Record, Searched, Vectors};
use loci_store::{Root, Store, catalog};
use std::sync::Arc;

/// Under which name profiles are kept; another embedder, other related words or another way to cut entries need another
/// one.
pub(super) fn embedder() -> String {
    format!("static-minilm-256/profile-2/{}", related::VERSION)
}

/// Documents whose profiles are written down together: few, so that a hook whose time is over has not worked in vain.
const AT_ONCE: usize = 32;

/// What the meaning of a question says of one document.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Semantic {
    /// The best part's cosine.
    pub similarity: f64,
    /// The weight of the terms that have a related word in it.
    pub kin: f64,
    /// How well its words answer those of the question; 0 when nobody looked so closely.
    pub aligned: f64,
    /// How near a stronger embedder finds it; 0 without one.
    pub stronger: f64,
}

impl Semantic {
    /// Takes over what a stronger embedder says, where that is more.
    pub fn strengthen(&mut self, nearness: f64) {
        self.stronger = nearness;
        self.similarity = self.similarity.max(nearness);
    }
}

/// For each shelf, for each document.
pub(super) fn score(shelves: &[Arc<Shelf>], question: &Question, weights: &[f64]) -> Vec<Vec<Semantic>> {
    let length = (dot(&question.vector, &question.vector) as f32).sqrt();
    let over = if length > 0.0 { 1.0 / length } else { 0.0 };
    let of = |shelf: &Arc<Shelf>| {
        let kin = shelf.profiles.kin(question, weights);
        let vectors = shelf.profiles.vectors();
        let semantic =
            |(vectors, kin)| Semantic { similarity: best(vectors, question, over), kin, ..Semantic::default() };
        vectors.zip(kin).map(semantic).collect()
    };
    shelves.iter().map(of).collect()
}

fn best(vectors: &[[u8; SIZE]], question: &Question, over: f32) -> f64 {
    let near = |vector: &[u8; SIZE]| {
        let (length, vector) = vector.split_first_chunk::<4>()?;
        Some(dot_packed(&question.vector, vector.first_chunk()?) as f32 * f32::from_le_bytes(*length) * over)
    };
    f64::from(vectors.iter().filter_map(near).fold(0.0, f32::max))
}

/// Makes the profiles that are missing among those of these documents, and keeps them.
pub(super) async fn complete(
    record: &dyn Record,
    store: &Store,
    root: &Root,
    documents: &[Searched],
    packed: &mut [Vec<u8>],
) -> Result<()> {
    let missing: Vec<usize> = (0..documents.len()).filter(|at| packed[*at].is_empty()).collect();
    for some in missing.chunks(AT_ONCE) {
        let mut made = Vec::new();
        for at in some {
            let searched = &documents[*at];
            let Some(blob) = store.read(root, &searched.path).await.ok().flatten() else { continue };
            let Some(text) = catalog::text(&blob.bytes) else { continue };
            packed[*at] = profile::pack(&searched.path, text);
            made.push(Vectors { number: searched.number, packed: packed[*at].clone() });
        }
        record.keep_vectors(&embedder(), &made).await?;
    }
    Ok(())
}
