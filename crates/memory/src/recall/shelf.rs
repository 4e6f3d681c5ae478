//! The documents of one root as rankers see them, kept between questions.
//!
//! Owns what a long-lived process remembers of the search index, and keeps it fresh: a document's number is never used
//! again, so only numbers above the highest one have to be read.

use crate::Result;
use crate::recall::profile::Kin;
use crate::recall::semantic;
use loci_domain::change::Place;
use loci_domain::scope::Scope;
use loci_store::record::{Record, Searched};
use loci_store::{Root, Store};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// One root's documents, by number.
pub(super) struct Shelf {
    pub scope: Scope,
    pub place: Place,
    generation: u64,
    pub documents: Vec<Searched>,
    /// For each document, what is kept for its meaning, packed.
    pub profiles: Vec<Vec<u8>>,
    numbers: Vec<u64>,
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
        let mut shelf = read(record, root, old.as_deref(), generation).await?;
        semantic::complete(record, store, root, &mut shelf).await?;
        let shelf = Arc::new(shelf);
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
async fn read(record: &dyn Record, root: &Root, old: Option<&Shelf>, generation: u64) -> Result<Shelf> {
    let place = &root.key.place;
    let highest = old.and_then(|old| old.documents.last()).map_or(0, |document| document.number);
    let fresh = record.searched(place, highest).await?;
    let made = record.vectors(place, &semantic::embedder(), highest).await?;
    let mut shelf = Shelf {
        scope: root.scope.unwrap_or(Scope::Global),
        place: place.clone(),
        generation,
        documents: Vec::new(),
        profiles: Vec::new(),
        numbers: Vec::new(),
        words: [0.0; 3],
        kin: OnceLock::new(),
    };
    if let Some(old) = old {
        let left = record.numbers(place).await?;
        for (document, profile) in old.documents.iter().zip(&old.profiles) {
            if left.binary_search(&document.number).is_ok() {
                shelf.documents.push(document.clone());
                shelf.profiles.push(profile.clone());
            }
        }
    }
    let mut made = made.into_iter().peekable();
    for document in fresh {
        while made.next_if(|vectors| vectors.number < document.number).is_some() {}
        let packed = made.next_if(|vectors| vectors.number == document.number);
        shelf.profiles.push(packed.map_or_else(Vec::new, |vectors| vectors.packed));
        shelf.documents.push(document);
    }
    shelf.numbers = shelf.documents.iter().map(|document| document.number).collect();
    for document in &shelf.documents {
        shelf.words.iter_mut().zip(document.words).for_each(|(sum, words)| *sum += f64::from(words));
    }
    Ok(shelf)
}
