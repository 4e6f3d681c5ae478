//! Meaning: cosine of the question with every entry, by static embeddings that ship in the binary.

use super::profile::{self, Profile};
use super::question::Question;
use super::related;
use super::shelf::Shelf;
use crate::Result;
use loci_llm::embedders::static_minilm::{dot, dot_packed};
use loci_store::record::{Record, Vectors};
use loci_store::{Root, Store, catalog};
use std::sync::Arc;

/// Under which name profiles are kept; another embedder, other groups or another way to cut entries need another one.
pub(super) fn embedder() -> String {
    format!("static-minilm-256/profile-1/{}", related::VERSION)
}

/// Documents whose profiles are written down together.
const AT_ONCE: usize = 256;

/// What the meaning of a question says of one document.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Semantic {
    /// The best entry's cosine.
    pub similarity: f64,
    /// Which entry that is; `None` = the name and description.
    pub entry: Option<usize>,
    /// The weight of the terms that have a related word in it.
    pub kin: f64,
}

/// For each shelf, for each document.
pub(super) fn score(shelves: &[Arc<Shelf>], question: &Question, weights: &[f64]) -> Vec<Vec<Semantic>> {
    let length = (dot(&question.vector, &question.vector) as f32).sqrt();
    let over = if length > 0.0 { 1.0 / length } else { 0.0 };
    let of = |shelf: &Arc<Shelf>| {
        let kin = shelf.kin().weigh(shelf.profiles.len(), &question.terms, weights);
        let best = |(packed, kin): (&Vec<u8>, f64)| Semantic { kin, ..best(&Profile::read(packed), question, over) };
        shelf.profiles.iter().zip(kin).map(best).collect()
    };
    shelves.iter().map(of).collect()
}

fn best(profile: &Profile<'_>, question: &Question, over: f32) -> Semantic {
    let mut best = Semantic::default();
    for (at, vector) in profile.vectors.iter().enumerate() {
        let Some((length, vector)) = vector.split_first_chunk::<4>() else { continue };
        let Some(vector) = vector.first_chunk() else { continue };
        let near = dot_packed(&question.vector, vector) as f32 * f32::from_le_bytes(*length) * over;
        if f64::from(near) > best.similarity {
            // The first vector is the document's face.
            best = Semantic { similarity: f64::from(near), entry: at.checked_sub(1), kin: 0.0 };
        }
    }
    best
}

/// Makes the profiles that are missing, and keeps them.
pub(super) async fn complete(record: &dyn Record, store: &Store, root: &Root, shelf: &mut Shelf) -> Result<()> {
    let missing: Vec<usize> = (0..shelf.documents.len()).filter(|at| shelf.profiles[*at].is_empty()).collect();
    for some in missing.chunks(AT_ONCE) {
        let mut made = Vec::new();
        for at in some {
            let searched = &shelf.documents[*at];
            let Some(blob) = store.read(root, &searched.path).await.ok().flatten() else { continue };
            let Some(text) = catalog::text(&blob.bytes) else { continue };
            shelf.profiles[*at] = profile::pack(&searched.path, text);
            made.push(Vectors { number: searched.number, packed: shelf.profiles[*at].clone() });
        }
        record.keep_vectors(&embedder(), &made).await?;
    }
    Ok(())
}
