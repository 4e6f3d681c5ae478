//! The documents of one root as rankers see them, kept between questions.
//!
//! Owns what a long-lived process remembers of the search index, and keeps it fresh: a document's number is never used
//! again, so only numbers above the highest one have to be read.

use crate::Result;
use crate::recall::postings::Postings;
use crate::recall::profile::{Profile, Profiles};
use crate::recall::semantic;
use loci_domain::change::Place;
use loci_domain::scope::Scope;
use loci_store::record::{Record, Searched};
use loci_store::{Root, Store};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Documents whose profiles are on their way at the same time: all of ten thousand at once would be held twice, and a
/// process that asks one question uses the same few pages again.
const AT_ONCE: usize = 128;

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
}

impl Shelf {
    fn empty(scope: Scope, place: Place) -> Shelf {
        Shelf {
            scope,
            place,
            generation: 0,
            documents: Vec::new(),
            profiles: Profiles::default(),
            postings: Postings::default(),
            numbers: Vec::new(),
            lengths: Vec::new(),
            words: [0.0; 3],
        }
    }

    /// The same documents, for who changes them while somebody still looks at these.
    fn copied(&self) -> Shelf {
        let (documents, profiles) = (self.documents.clone(), self.profiles.clone());
        Shelf { documents, profiles, ..Shelf::empty(self.scope, self.place.clone()) }
    }

    /// What is left of its documents, and newer ones behind them.
    fn brought_up(mut self, left: &[u64], newer: Newer, generation: u64) -> Shelf {
        let is_left = |document: &Searched| left.binary_search(&document.number).is_ok();
        if !self.documents.iter().all(is_left) {
            let mut profiles = Profiles::default();
            let those_left = self.documents.iter().enumerate().filter(|(_, document)| is_left(document));
            those_left.for_each(|(at, _)| profiles.push(self.profiles.at(at)));
            self.profiles = profiles;
            self.documents.retain(is_left);
        }
        if self.documents.is_empty() {
            // As they came: ten thousand of them are megabytes, which would be held twice.
            (self.documents, self.profiles) = (newer.documents, newer.profiles);
        } else {
            (0..newer.profiles.len()).for_each(|at| self.profiles.push(newer.profiles.at(at)));
            self.documents.extend(newer.documents);
        }
        self.numbers = self.documents.iter().map(|document| document.number).collect();
        self.lengths = self.documents.iter().map(|document| document.words).collect();
        self.words = [0.0; 3];
        for lengths in &self.lengths {
            self.words.iter_mut().zip(lengths).for_each(|(sum, words)| *sum += f64::from(*words));
        }
        Shelf { generation, postings: Postings::default(), ..self }
    }

    /// Where a document stands.
    pub fn position(&self, number: u64) -> Option<usize> {
        self.numbers.binary_search(&number).ok()
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
        loop {
            let generation = record.generation(place).await?;
            let (standing, highest) = match self.lock().get(place) {
                Some(shelf) if shelf.generation == generation => return Ok(Arc::clone(shelf)),
                Some(shelf) => (Some(shelf.generation), shelf.numbers.last().copied().unwrap_or(0)),
                None => (None, 0),
            };
            let newer = Newer::read(record, store, root, highest).await?;
            let left = if standing.is_some() { record.numbers(place).await? } else { Vec::new() };
            let mut shelves = self.lock();
            // Somebody else may have been faster, and theirs may be newer still.
            if shelves.get(place).map(|shelf| shelf.generation) != standing {
                continue;
            }
            // Changed where it is unless somebody looks at it: a copy for every change would be as large again.
            let old = shelves.remove(place);
            let old = old.map(|old| Arc::try_unwrap(old).unwrap_or_else(|old| old.copied()));
            let empty = || Shelf::empty(root.scope.unwrap_or(Scope::Global), place.clone());
            let shelf = Arc::new(old.unwrap_or_else(empty).brought_up(&left, newer, generation));
            shelves.insert(place.clone(), Arc::clone(&shelf));
            return Ok(shelf);
        }
    }

    /// How many documents are on them.
    pub(super) fn documents(&self) -> usize {
        self.lock().values().map(|shelf| shelf.documents.len()).sum()
    }

    /// Keeps them until the process ends, whoever lets go of them: it ends sooner when nobody takes them apart.
    pub(crate) fn leave(&self) {
        std::mem::forget(Arc::clone(&self.0));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Place, Arc<Shelf>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Documents that a shelf does not have yet.
struct Newer {
    documents: Vec<Searched>,
    profiles: Profiles,
}

impl Newer {
    /// Those with a number above this one.
    async fn read(record: &dyn Record, store: &Store, root: &Root, highest: u64) -> Result<Newer> {
        let documents = record.searched(&root.key.place, highest).await?;
        let (mut profiles, mut after) = (Profiles::default(), highest);
        for some in documents.chunks(AT_ONCE) {
            let packed = packed(record, store, root, some, after).await?;
            if profiles.len() == 0 {
                profiles.reserve(packed.iter().map(|packed| Profile::read(packed)), documents.len());
            }
            packed.iter().for_each(|packed| profiles.push(Profile::read(packed)));
            after = some.last().map_or(after, |last| last.number);
        }
        Ok(Newer { documents, profiles })
    }
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
