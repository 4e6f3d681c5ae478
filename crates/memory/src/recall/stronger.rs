//! A stronger embedder beside the built-in one, for who has set one up.
//!
//! Owns the vectors that it made, when it is asked, and how its cosines are brought to one scale.
//! Never keeps an answer waiting: all that it does for one question has a limit, and after a failure it is left alone for a
//! while. What it did not manage is ranked by words and the built-in embedder, as if it were not there.
//! Start at [`Stronger::nearness`].

use super::profile::texts;
use super::shelf::Shelf;
use crate::Memory;
use loci_domain::change::Place;
use loci_domain::document;
use loci_llm::Embedder;
use loci_store::catalog;
use loci_store::record::Vectors;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long it is left alone after a failure.
const PAUSE: Duration = Duration::from_secs(30);
/// Where the typical document is nearer to the same than that, none stands out.
const NARROW: f64 = 0.05;
/// Documents that are embedded together, so that a limit that cuts off the rest has kept the most.
const AT_ONCE: usize = 16;

/// The embedder and what it made so far; clones share it.
#[derive(Clone)]
pub struct Stronger {
    embedder: Arc<dyn Embedder>,
    limit: Duration,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    failed: Option<Instant>,
    places: HashMap<Place, Known>,
}

/// Vectors of the documents of a place, by number.
#[derive(Default)]
struct Known {
    read: bool,
    vectors: HashMap<u64, Arc<[Small]>>,
}

/// A vector in a byte a number, and one over its length.
struct Small {
    over: f32,
    numbers: Box<[i8]>,
}

impl Stronger {
    /// One that may take `limit` for a question, documents that are new to it included.
    pub fn new(embedder: Arc<dyn Embedder>, limit: Duration) -> Stronger {
        Stronger { embedder, limit, state: Arc::default() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.embedder.name()
    }

    /// For each shelf, how near its documents are to the question, from 0 for the typical document to 1; `None` when the
    /// embedder is not well.
    pub(super) async fn nearness(
        &self,
        memory: &Memory,
        question: &str,
        shelves: &[Arc<Shelf>],
    ) -> Option<Vec<Vec<f64>>> {
        if self.state().failed.is_some_and(|at| at.elapsed() < PAUSE) {
            return None;
        }
        let end = tokio::time::Instant::now() + self.limit;
        let asked = tokio::time::timeout_at(end, self.embedder.embed(&[question.to_owned()])).await;
        let vector = match asked {
            Ok(Ok(made)) => made.into_iter().next()?,
            Ok(Err(error)) => return self.fail(&error.to_string()),
            Err(_) => return self.fail("it took too long"),
        };
        // What is made before the time is up is kept; the next question goes on from there.
        match tokio::time::timeout_at(end, self.complete(memory, shelves)).await {
            Ok(Err(trouble)) => return self.fail(&trouble),
            Err(_) => tracing::info!("not all documents are embedded yet"),
            Ok(Ok(())) => {}
        }
        let (question, state) = (Small::of(&vector), self.state());
        let cosines: Vec<Vec<f64>> = shelves
            .iter()
            .map(|shelf| {
                let known = state.places.get(&shelf.place);
                let of = |number: u64| known.and_then(|known| known.vectors.get(&number));
                shelf.documents.iter().map(|one| of(one.number).map_or(0.0, |own| question.nearness(own))).collect()
            })
            .collect();
        Some(scaled(cosines))
    }

    /// Reads what was kept, and makes what is missing.
    async fn complete(&self, memory: &Memory, shelves: &[Arc<Shelf>]) -> Result<(), String> {
        let record = memory.record().map_err(|error| error.to_string())?;
        for shelf in shelves {
            let root = memory.store.root(Some(shelf.scope)).map_err(|error| error.to_string())?;
            if self.state().places.get(&shelf.place).is_none_or(|known| !known.read) {
                let kept = record.vectors(&shelf.place, self.name(), 0, usize::MAX).await;
                let kept = kept.map_err(|error| error.to_string())?;
                let mut state = self.state();
                let known = state.places.entry(shelf.place.clone()).or_default();
                known.read = true;
                known.vectors.extend(kept.iter().map(|kept| (kept.number, unpack(&kept.packed))));
            }
            let missing: Vec<usize> = {
                let mut state = self.state();
                let known = state.places.entry(shelf.place.clone()).or_default();
                known.vectors.retain(|number, _| shelf.position(*number).is_some());
                (0..shelf.documents.len())
                    .filter(|at| !known.vectors.contains_key(&shelf.documents[*at].number))
                    .collect()
            };
            for some in missing.chunks(AT_ONCE) {
                let (mut wanted, mut counts) = (Vec::new(), Vec::new());
                for at in some {
                    let searched = &shelf.documents[*at];
                    let Some(blob) = memory.store.read(root, &searched.path).await.ok().flatten() else { continue };
                    let Some(text) = catalog::text(&blob.bytes) else { continue };
                    let own = texts(&document::read(&searched.path, text), text);
                    counts.push((searched.number, own.len()));
                    wanted.extend(own);
                }
                let mut made = self.embedder.embed(&wanted).await.map_err(|error| error.to_string())?.into_iter();
                let packed = |(number, count): &(u64, usize)| {
                    let own: Vec<Small> = made.by_ref().take(*count).map(|vector| Small::of(&vector)).collect();
                    Vectors { number: *number, packed: pack(&own) }
                };
                let made: Vec<Vectors> = counts.iter().map(packed).collect();
                record.keep_vectors(self.name(), &made).await.map_err(|error| error.to_string())?;
                let mut state = self.state();
                let known = state.places.entry(shelf.place.clone()).or_default();
                known.vectors.extend(made.iter().map(|made| (made.number, unpack(&made.packed))));
            }
        }
        Ok(())
    }

    fn fail<T>(&self, why: &str) -> Option<T> {
        tracing::warn!(embedder = self.name(), why, "recall goes on with the built-in embedder");
        self.state().failed = Some(Instant::now());
        None
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Cosines of one model lie between 0 and 0.6, of another between 0.7 and 0.9. What counts is how far a document is from
/// the typical one on the way to being the same.
fn scaled(mut cosines: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut all: Vec<f64> = cosines.iter().flatten().copied().filter(|cosine| *cosine > 0.0).collect();
    all.sort_by(f64::total_cmp);
    // A store of a handful says nothing about what is typical; half of the way is a guess that is rather too strict.
    let typical = if all.len() < 8 { 0.5 } else { all[all.len() / 2] };
    for near in cosines.iter_mut().flatten() {
        *near = ((*near - typical) / (1.0 - typical).max(NARROW)).max(0.0);
    }
    cosines
}

impl Small {
    fn of(vector: &[f32]) -> Small {
        let furthest = vector.iter().fold(0.0_f32, |furthest, x| furthest.max(x.abs()));
        let by = if furthest > 0.0 { 127.0 / furthest } else { 0.0 };
        Small::from(vector.iter().map(|x| (x * by).round() as i8).collect::<Box<[i8]>>())
    }

    fn from(numbers: Box<[i8]>) -> Small {
        let length = (dot(&numbers, &numbers) as f32).sqrt();
        Small { over: if length > 0.0 { 1.0 / length } else { 0.0 }, numbers }
    }

    /// The cosine with the nearest of them; 0 when none is near.
    fn nearness(&self, others: &[Small]) -> f64 {
        let others = others.iter().filter(|other| other.numbers.len() == self.numbers.len());
        let near = |other: &Small| f64::from(dot(&self.numbers, &other.numbers) as f32 * self.over * other.over);
        others.map(near).fold(0.0, f64::max)
    }
}

fn dot(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

/// How many numbers a vector has, then the vectors.
fn pack(vectors: &[Small]) -> Vec<u8> {
    let dimensions = vectors.first().map_or(0, |vector| vector.numbers.len());
    let mut packed = u32::try_from(dimensions).unwrap_or(0).to_le_bytes().to_vec();
    packed.extend(vectors.iter().flat_map(|vector| vector.numbers.iter().map(|x| x.cast_unsigned())));
    packed
}

fn unpack(packed: &[u8]) -> Arc<[Small]> {
    let Some((count, rest)) = packed.split_first_chunk::<4>() else { return Arc::default() };
    let dimensions = (u32::from_le_bytes(*count) as usize).max(1);
    rest.chunks_exact(dimensions).map(|own| Small::from(own.iter().map(|x| x.cast_signed()).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_read() {
        let vectors = [Small::of(&[0.6, -0.8, 0.0]), Small::of(&[0.0, 0.0, 0.0])];
        let read = unpack(&pack(&vectors));
        assert_eq!(read.len(), 2);
        assert!((vectors[0].nearness(&read) - 1.0).abs() < 1e-5);
        assert_eq!(read[1].nearness(&vectors), 0.0);
        assert!(unpack(&[]).is_empty() && unpack(&[3, 0]).is_empty() && unpack(&[3, 0, 0, 0, 1]).is_empty());
    }

    #[test]
    fn the_typical_document_is_not_near_whatever_the_model() {
        for (low, high) in [(0.05, 0.6), (0.7, 0.95)] {
            let mut cosines = vec![vec![low; 20]];
            cosines[0][7] = high;
            let scaled = scaled(cosines);
            assert!(scaled[0][7] > 0.5 && scaled[0].iter().filter(|near| **near > 0.01).count() == 1);
        }
    }
}
