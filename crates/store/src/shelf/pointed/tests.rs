use super::*;
use crate::ram::Ram;
use std::sync::atomic::{AtomicUsize, Ordering};

fn pair() -> (Pointed, PointedBook, Ram) {
    let ram = Ram::default();
    (Pointed::new(Arc::new(ram.clone())), PointedBook::new(Arc::new(ram.clone())), ram)
}

fn files(text: &str) -> Vec<(EntryPath, Clean)> {
    let file = |path: &str| (name(path).unwrap(), Clean::kept(text.as_bytes().to_vec()));
    vec![file("MEMORY.md"), file("skills/a/SKILL.md"), file(".made-of")]
}

async fn read(book: &PointedBook, path: &str) -> Option<String> {
    let blob = book.read(&name(path).unwrap(), 1 << 20).await.unwrap()?;
    Some(String::from_utf8(blob.bytes).unwrap())
}

#[tokio::test]
async fn a_generation_takes_the_place_of_the_one_before() {
    let (shelf, book, ram) = pair();
    assert_eq!(read(&book, "MEMORY.md").await, None);
    assert!(book.stat(None).await.unwrap().is_none());
    for text in ["one", "two"] {
        shelf.sweep().await.unwrap();
        let staged = shelf.stage(files(text)).await.unwrap();
        assert_ne!(read(&book, "MEMORY.md").await.as_deref(), Some(text), "not in place yet");
        shelf.swap(staged).await.unwrap();
        assert_eq!(read(&book, "skills/a/SKILL.md").await.as_deref(), Some(text));
    }
    let seen = book.list(None, Show::Visible, 100).await.unwrap();
    let paths: Vec<&str> = seen.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["MEMORY.md", "skills/a/SKILL.md"]);
    let all = ram.list(None, Show::All, 100).await.unwrap().files;
    assert_eq!(all.len(), 4, "the generation before is gone: {all:?}");
    shelf.clear().await.unwrap();
    assert_eq!(read(&book, "MEMORY.md").await, None);
    assert!(book.list(None, Show::All, 100).await.unwrap().files.is_empty());
}

#[tokio::test]
async fn a_pointer_is_moved_by_the_last_to_sweep() {
    let (frozen, book, ram) = pair();
    frozen.sweep().await.unwrap();
    let late = frozen.stage(files("late")).await.unwrap();
    let other = Pointed::new(Arc::new(ram));
    other.sweep().await.unwrap();
    assert!(matches!(frozen.swap(late).await, Err(Error::Missing)));
    let staged = other.stage(files("right")).await.unwrap();
    other.swap(staged).await.unwrap();
    assert_eq!(read(&book, "MEMORY.md").await.as_deref(), Some("right"));
    // Without a sweep of its own nobody may put anything in place.
    let staged = Pointed::new(Arc::clone(&book.backend)).stage(files("blind")).await.unwrap();
    assert!(matches!(Pointed::new(Arc::clone(&book.backend)).swap(staged).await, Err(Error::Missing)));
    assert_eq!(read(&book, "MEMORY.md").await.as_deref(), Some("right"));
}

#[tokio::test]
async fn what_was_staged_and_discarded_is_gone() {
    let (shelf, book, ram) = pair();
    shelf.sweep().await.unwrap();
    let staged = shelf.stage(files("unwanted")).await.unwrap();
    shelf.discard(staged).await.unwrap();
    assert_eq!(ram.list(None, Show::All, 100).await.unwrap().files.len(), 1, "the pointer alone");
    assert_eq!(read(&book, "MEMORY.md").await, None);
}

/// Is frozen right after it wrote the pointer for the n-th time: until it goes on, another one does all of its work.
struct FrozenAfter(AtomicUsize, Ram);

#[async_trait]
impl Backend for FrozenAfter {
    async fn stat(&self, path: Option<&EntryPath>) -> Result<Option<Meta>> {
        self.1.stat(path).await
    }

    async fn read(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>> {
        self.1.read(path, limit).await
    }

    async fn write_if(&self, path: &EntryPath, bytes: &Clean, expect: Expect, care: Care) -> Result<Meta> {
        let written = self.1.write_if(path, bytes, expect, care).await?;
        if path.as_str() == POINTER && self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            let other = Pointed::new(Arc::new(self.1.clone()));
            other.sweep().await?;
            let staged = other.stage(files("right")).await?;
            other.swap(staged).await?;
        }
        Ok(written)
    }

    async fn remove(&self, path: &EntryPath) -> Result<()> {
        self.1.remove(path).await
    }

    async fn rename(&self, from: &EntryPath, to: &EntryPath) -> Result<()> {
        self.1.rename(from, to).await
    }

    async fn list(&self, under: Option<&EntryPath>, show: Show, limit: usize) -> Result<Listing> {
        self.1.list(under, show, limit).await
    }

    async fn sweep(&self, folder: Option<&EntryPath>) -> Result<()> {
        self.1.sweep(folder).await
    }
}

#[tokio::test]
async fn who_froze_after_the_pointer_takes_nothing_away_that_came_later() {
    for frozen_after in [1, 2] {
        let (shelf, book, ram) = pair();
        shelf.sweep().await.unwrap();
        let staged = shelf.stage(files("before")).await.unwrap();
        shelf.swap(staged).await.unwrap();
        let frozen = Pointed::new(Arc::new(FrozenAfter(AtomicUsize::new(frozen_after), ram)));
        frozen.sweep().await.unwrap();
        let late = frozen.stage(files("late")).await.unwrap();
        let swapped = frozen.swap(late).await;
        assert_eq!(swapped.is_ok(), frozen_after == 2, "{swapped:?}");
        assert_eq!(read(&book, "MEMORY.md").await.as_deref(), Some("right"), "frozen after {frozen_after}");
    }
}
