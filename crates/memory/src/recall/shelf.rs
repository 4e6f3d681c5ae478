//! The documents of one root as rankers see them, kept between questions.
//!
//! Owns what a long-lived process remembers of the search index, and keeps it fresh: a document's number is never used
//! again, so only numbers above the highest one have to be read.

use crate::Result;
use crate::recall::postings::Postings;
use crate::recall::profile::{Kin, Profile, Profiles};
use crate::recall::semantic;
use loci_domain::change::Place;
use loci_domain::scope::Scope;
use loci_store::record::{Record, Searched};
use loci_store::{Root, Store};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Documents whose profiles are on their way at the same time: all of ten thousand at once would be held twice.
const AT_ONCE: usize = 1_024;

/// One root's documents, by number.
pub(super) struct Shelf {
    pub scope: Scope,
    pub place: Place,
    generation: u64,
    pub documents: Vec<Searched>,
    /// For each document, what is kept for its meaning.
    pub profiles: Profiles,
    /// Which documents have a word, as far as it was asked for.
    pub postings: Postings,
    numbers: Vec<u64>,
    /// For each document, the tokens of its name, description and body: apart, since scoring looks at nothing else.
    pub lengths: Vec<[u32; 3]>,
    /// Tokens in all names, descriptions and bodies.
    pub words: [f64; 3],
    kin: OnceLock<Kin>,
}

impl Shelf {
    /// Where a document stands.
    pub fn position(&self, number: u64) -> Option<usize> {
        self.numbers.binary_search(&number).ok()
    }

    /// Its documents by groups of related words.
    pub fn kin(&self) -> &Kin {
        self.kin.get_or_init(|| Kin::new(&self.profiles))
    }

    /// How a model names it.
    pub fn virtual_path(&self, document: usize) -> String {
        self.documents[document].path.virtual_in(self.scope)
    }
}

/// The shelves of a process.
#[derive(Clone, Default)]
pub struct Shelves(Arc<Mutex<HashMap<Place, Arc<Shelf>>>>);

impl Shelves {
    /// The shelf of a root as its catalogue is now; vectors that are missing are made and kept.
    pub(super) async fn fresh(&self, record: &dyn Record, store: &Store, root: &Root) -> Result<Arc<Shelf>> {
        let place = &root.key.place;
        let old = self.lock().get(place).cloned();
        let generation = record.generation(place).await?;
        if let Some(shelf) = old.as_ref().filter(|shelf| shelf.generation == generation) {
            return Ok(Arc::clone(shelf));
        }
        let shelf = Arc::new(read(record, store, root, old.as_deref(), generation).await?);
        self.lock().insert(place.clone(), Arc::clone(&shelf));
        Ok(shelf)
    }

    /// How many documents are on them.
    pub(super) fn documents(&self) -> usize {
        self.lock().values().map(|shelf| shelf.documents.len()).sum()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Place, Arc<Shelf>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The documents that are left of the old shelf, and the new ones.
async fn read(record: &dyn Record, store: &Store, root: &Root, old: Option<&Shelf>, generation: u64) -> Result<Shelf> {
    let place = &root.key.place;
    let highest = old.and_then(|old| old.documents.last()).map_or(0, |document| document.number);
    let fresh = record.searched(place, highest).await?;
    let mut shelf = Shelf {
        scope: root.scope.unwrap_or(Scope::Global),
        place: place.clone(),
        generation,
        documents: Vec::new(),
        profiles: Profiles::default(),
        postings: Postings::default(),
        numbers: Vec::new(),
        lengths: Vec::new(),
        words: [0.0; 3],
        kin: OnceLock::new(),
    };
    if let Some(old) = old {
        let left = record.numbers(place).await?;
        for (at, document) in old.documents.iter().enumerate() {
            if left.binary_search(&document.number).is_ok() {
                shelf.documents.push(document.clone());
                shelf.profiles.push(old.profiles.at(at));
            }
        }
    }
    let mut after = highest;
    for some in fresh.chunks(AT_ONCE) {
        let packed = packed(record, store, root, some, after).await?;
        if after == highest {
            shelf.profiles.reserve(packed.iter().map(|packed| Profile::read(packed)), fresh.len());
        }
        packed.iter().for_each(|packed| shelf.profiles.push(Profile::read(packed)));
        after = some.last().map_or(after, |last| last.number);
    }
    match shelf.documents.is_empty() {
        // As they came: ten thousand of them are megabytes, which would be held twice.
        true => shelf.documents = fresh,
        false => shelf.documents.extend(fresh),
    }
    shelf.numbers = shelf.documents.iter().map(|document| document.number).collect();
    shelf.lengths = shelf.documents.iter().map(|document| document.words).collect();
    for lengths in &shelf.lengths {
        shelf.words.iter_mut().zip(lengths).for_each(|(sum, words)| *sum += f64::from(*words));
    }
    Ok(shelf)
}

/// The packed profiles of documents that follow each other, the first of them after this number; those that are missing
/// are made and kept.
async fn packed(
    record: &dyn Record,
    store: &Store,
    root: &Root,
    documents: &[Searched],
    after: u64,
) -> Result<Vec<Vec<u8>>> {
    let made = record.vectors(&root.key.place, &semantic::embedder(), after, documents.len()).await?;
    let mut made = made.into_iter().peekable();
    let mut packed = Vec::with_capacity(documents.len());
    for document in documents {
        while made.next_if(|vectors| vectors.number < document.number).is_some() {}
        packed
            .push(made.next_if(|vectors| vectors.number == document.number).map_or_else(Vec::new, |made| made.packed));
    }
    semantic::complete(record, store, root, documents, &mut packed).await?;
    Ok(packed)
}
