//! All that was said in a project, as the ranker sees it, kept between questions.
//!
//! A chunk never changes under its number, so after a change only new chunks are read.

use super::fresh::MAKER;
use crate::Result;
use crate::sessions::remake;
use loci_llm::embedders::static_minilm::dot;
use loci_store::record::{Chunk, Kept, Record, Whose};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

const SIZE: usize = 256;
/// Messages whose vectors are kept, 256 bytes each; of more, the newest sessions' are, and words find the rest.
const MOST_VECTORS: usize = 200_000;

/// The messages of a project, session after session, each in its order.
pub(super) struct Talk {
    generation: u64,
    chunks: Vec<Arc<Loaded>>,
    /// Where each chunk begins among all messages.
    starts: Vec<usize>,
    by_number: HashMap<u64, usize>,
    sessions: HashMap<u64, Kept>,
    /// For each message, in which session it is, counted from 0.
    pub session_of: Vec<u32>,
    /// For each message, how many tokens it has.
    pub words: Vec<u16>,
    /// For each message, whether it ends in a question.
    pub asks: Vec<bool>,
    /// How many sessions there are.
    pub session_count: usize,
}

struct Loaded {
    chunk: Chunk,
    /// The length of each vector.
    lengths: Vec<f32>,
}

/// Where a message is.
pub(super) struct Place<'a> {
    pub session: &'a Kept,
    pub position: u64,
}

impl Talk {
    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Where a chunk's first message stands; `None` for one that is not here.
    pub fn start(&self, chunk: u64) -> Option<usize> {
        self.by_number.get(&chunk).map(|at| self.starts[*at])
    }

    pub fn place(&self, message: usize) -> Place<'_> {
        let at = self.starts.partition_point(|start| *start <= message) - 1;
        let chunk = &self.chunks[at].chunk;
        Place { session: &self.sessions[&chunk.session], position: chunk.first + (message - self.starts[at]) as u64 }
    }

    /// The cosine of every message with a vector; 0 where one has none.
    pub fn similarities(&self, vector: &[i8; SIZE]) -> Vec<f32> {
        let length = (dot(vector, vector) as f32).sqrt();
        let mut found = Vec::with_capacity(self.len());
        for loaded in &self.chunks {
            let vectors = loaded.chunk.vectors.as_chunks::<SIZE>().0;
            for at in 0..loaded.chunk.measures.len() {
                let similarity = vectors.get(at).zip(loaded.lengths.get(at)).map_or(0.0, |(other, own)| {
                    let both = length * own;
                    if both > 0.0 { dot(vector, &other.map(u8::cast_signed)) as f32 / both } else { 0.0 }
                });
                found.push(similarity);
            }
        }
        found
    }
}

/// What a process keeps of sessions.
#[derive(Clone, Default)]
pub struct Talks(Arc<Mutex<HashMap<Whose, Arc<Talk>>>>);

impl Talks {
    /// All that was said in a project, as it is on record now.
    pub(super) async fn fresh(&self, record: &dyn Record, whose: &Whose) -> Result<Arc<Talk>> {
        let old = self.lock().get(whose).cloned();
        let mut generation = record.talk(whose).await?;
        if let Some(talk) = old.as_ref().filter(|talk| talk.generation == generation) {
            return Ok(Arc::clone(talk));
        }
        let mut talk = read(record, whose, old.as_deref(), generation).await?;
        if talk.remake(record).await? {
            generation = record.talk(whose).await?;
            talk = read(record, whose, None, generation).await?;
        }
        let talk = Arc::new(talk);
        self.lock().insert(whose.clone(), Arc::clone(&talk));
        Ok(talk)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Whose, Arc<Talk>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Talk {
    /// Makes sessions anew that were cut or embedded by other rules; true when there were any.
    async fn remake(&self, record: &dyn Record) -> Result<bool> {
        let mut old: Vec<u64> =
            self.chunks.iter().filter(|one| one.chunk.maker != MAKER).map(|one| one.chunk.session).collect();
        old.dedup();
        for session in &old {
            remake(record, &self.sessions[session], MAKER).await?;
        }
        Ok(!old.is_empty())
    }
}

async fn read(record: &dyn Record, whose: &Whose, old: Option<&Talk>, generation: u64) -> Result<Talk> {
    let mut known: HashMap<u64, Arc<Loaded>> =
        old.into_iter().flat_map(|old| &old.chunks).map(|one| (one.chunk.number, Arc::clone(one))).collect();
    let highest = known.keys().max().copied().unwrap_or(0);
    let numbers = record.chunk_numbers(whose).await?;
    for chunk in record.chunks(whose, highest).await? {
        known.insert(chunk.number, Arc::new(load(chunk)));
    }
    let sessions = record.sessions(&whose.account).await?;
    let sessions = sessions.into_iter().filter(|kept| kept.session.whose == *whose).map(|kept| (kept.number, kept));
    let mut talk = Talk {
        generation,
        chunks: Vec::new(),
        starts: Vec::new(),
        by_number: HashMap::new(),
        sessions: sessions.collect(),
        session_of: Vec::new(),
        words: Vec::new(),
        asks: Vec::new(),
        session_count: 0,
    };
    let mut last = None;
    for number in numbers {
        // One that came or went between the calls is seen by the next question.
        let Some(loaded) = known.remove(&number) else { continue };
        if !talk.sessions.contains_key(&loaded.chunk.session) {
            continue;
        }
        if last != Some(loaded.chunk.session) {
            last = Some(loaded.chunk.session);
            talk.session_count += 1;
        }
        let session = u32::try_from(talk.session_count - 1).unwrap_or(u32::MAX);
        talk.by_number.insert(number, talk.chunks.len());
        talk.starts.push(talk.words.len());
        for (words, asks) in &loaded.chunk.measures {
            talk.session_of.push(session);
            talk.words.push(*words);
            talk.asks.push(*asks);
        }
        talk.chunks.push(loaded);
    }
    talk.bound();
    Ok(talk)
}

impl Talk {
    /// Lets the oldest vectors go when there are too many.
    fn bound(&mut self) {
        let mut room = MOST_VECTORS;
        for loaded in self.chunks.iter_mut().rev() {
            let count = loaded.lengths.len();
            if count > room {
                *loaded = Arc::new(Loaded {
                    chunk: Chunk { vectors: Vec::new(), ..loaded.chunk.clone() },
                    lengths: Vec::new(),
                });
            }
            room = room.saturating_sub(count);
        }
    }
}

fn load(chunk: Chunk) -> Loaded {
    let vectors = chunk.vectors.as_chunks::<SIZE>().0;
    let length = |vector: &[u8; SIZE]| {
        let vector = vector.map(u8::cast_signed);
        (dot(&vector, &vector) as f32).sqrt()
    };
    Loaded { lengths: vectors.iter().map(length).collect(), chunk }
}
