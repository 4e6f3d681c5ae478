//! Meaning: cosine of the question with every entry, by static embeddings that ship in the binary.

use super::profile::{self, SIZE};
use super::question::Question;
use super::related;
use super::shelf::Shelf;
use super::stronger::Near;
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
    /// The best entry's cosine.
    pub similarity: f64,
    /// Which entry that is; `None` = the name and description.
    pub entry: Option<usize>,
    /// The weight of the terms that have a related word in it.
    pub kin: f64,
    /// How well its words answer those of the question; 0 when nobody looked so closely.
    pub aligned: f64,
    /// How near a stronger embedder finds it; 0 without one.
    pub stronger: f64,
}

impl Semantic {
    /// Takes over what a stronger embedder says, where that is more.
    pub fn strengthen(&mut self, (nearness, entry): Near) {
        self.stronger = nearness;
        if nearness > self.similarity {
            (self.similarity, self.entry) = (nearness, entry);
        }
    }
}

/// For each shelf, for each document.
pub(super) fn score(shelves: &[Arc<Shelf>], question: &Question, weights: &[f64]) -> Vec<Vec<Semantic>> {
    let length = (dot(&question.vector, &question.vector) as f32).sqrt();
    let over = if length > 0.0 { 1.0 / length } else { 0.0 };
    let of = |shelf: &Arc<Shelf>| {
        let kin = shelf.kin().weigh(shelf.profiles.len(), &question.related, weights);
        let vectors = shelf.profiles.vectors();
        vectors.zip(kin).map(|(vectors, kin)| Semantic { kin, ..best(vectors, question, over) }).collect()
    };
    shelves.iter().map(of).collect()
}

fn best(vectors: &[[u8; SIZE]], question: &Question, over: f32) -> Semantic {
    let mut best = Semantic::default();
    for (at, vector) in vectors.iter().enumerate() {
        let Some((length, vector)) = vector.split_first_chunk::<4>() else { continue };
        let Some(vector) = vector.first_chunk() else { continue };
        let near = dot_packed(&question.vector, vector) as f32 * f32::from_le_bytes(*length) * over;
        if f64::from(near) > best.similarity {
            // The first vector is the document's face.
            best = Semantic { similarity: f64::from(near), entry: at.checked_sub(1), ..best };
        }
    }
    best
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
