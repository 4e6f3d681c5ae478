//! Small values for the cases, all told apart by one word.

use jiff::Timestamp;
use loci_domain::change::{Actor, Change, ChangeId, GroupId, Identity, Image, Op, Place};
use loci_domain::digest::Digest;
use loci_domain::document::Kind;
use loci_domain::path::EntryPath;
use loci_domain::row::{Batch, Card, DocumentRow, Listed, Origin, RootKey, SearchText};
use loci_ledger::{Ledger, Log};

/// A moment, by seconds.
pub fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

/// A path.
pub fn path(text: &str) -> EntryPath {
    EntryPath::parse(text).unwrap()
}

/// A root whose place and identity are named after a word.
pub fn root(word: &str) -> RootKey {
    RootKey { place: Place(format!("home:{word}")), identity: Identity(format!("project:{word}")) }
}

/// The root that most cases use.
pub fn home() -> RootKey {
    root("memory")
}

/// An id.
pub fn id(word: &str) -> ChangeId {
    ChangeId(word.to_owned())
}

/// A change of `home`: an agent creates `<id>.md` with the id as its bytes, in a group of its own.
pub fn change(word: &str) -> Change {
    Change {
        id: id(word),
        group: GroupId(format!("group of {word}")),
        at: at(0),
        actor: Actor::Agent,
        op: Op::Create,
        place: home().place,
        path: path(&format!("{word}.md")),
        new_path: None,
        before: None,
        after: Some(Digest::of(word.as_bytes())),
        undoes: None,
    }
}

/// A change in a group.
pub fn grouped(word: &str, group: &str) -> Change {
    Change { group: GroupId(group.to_owned()), ..change(word) }
}

/// A change that takes another back.
pub fn undo(word: &str, undone: &str) -> Change {
    Change { undoes: Some(id(undone)), actor: Actor::User, ..change(word) }
}

/// The image of a word.
pub fn image(word: &str) -> Image {
    Image::of(word.as_bytes().to_vec())
}

/// An empty batch for `home`.
pub fn batch() -> Batch {
    Batch::new(home(), at(0))
}

/// A document of words: its name, description and body are the path's words.
pub fn document(file: &str) -> DocumentRow {
    DocumentRow {
        path: path(file),
        stamp: format!("stamp of {file}"),
        digest: Digest::of(file.as_bytes()),
        bytes: file.len() as u64,
        updated_at: at(7),
        origin: Origin::Made(Actor::Agent),
        card: Some(Card { name: file.to_owned(), description: format!("about {file}"), kind: Kind::Project }),
        line: line(file),
        search: SearchText {
            name: "name".to_owned(),
            description: "some words".to_owned(),
            body: "body text here".to_owned(),
        },
    }
}

/// Its line in the index.
pub fn line(file: &str) -> String {
    format!("- [{file}]({file})")
}

/// A document with these words.
pub fn worded(file: &str, name: &str, description: &str, body: &str) -> DocumentRow {
    let search = SearchText { name: name.to_owned(), description: description.to_owned(), body: body.to_owned() };
    DocumentRow { search, ..document(file) }
}

/// A file that cannot be read as a document.
pub fn unreadable(file: &str) -> DocumentRow {
    DocumentRow { card: None, line: String::new(), search: SearchText::default(), ..document(file) }
}

/// Intends and settles changes of `home`, with their own words as images.
pub async fn make(ledger: &dyn Ledger, changes: &[Change]) {
    let images: Vec<Image> = changes.iter().map(|change| image(&change.id.0)).collect();
    ledger.intend(changes, &images).await.unwrap();
    let settled = changes.iter().map(|change| change.id.clone()).collect();
    ledger.settle(Batch { settled, ..batch() }).await.unwrap();
}

/// Records files of `home` as they are now.
pub async fn keep(ledger: &dyn Ledger, documents: Vec<DocumentRow>) {
    ledger.settle(Batch { documents, ..batch() }).await.unwrap();
}

/// A file of `home` that must be there.
pub async fn listed(ledger: &dyn Ledger, file: &str) -> Listed {
    ledger.listed_file(&home(), &path(file)).await.unwrap().unwrap()
}

/// The log of `home`, as ids.
pub async fn log(ledger: &dyn Ledger) -> Vec<String> {
    let ask = Log { places: vec![home().place], path: None, limit: 100 };
    ids(&ledger.changes(&ask).await.unwrap())
}

/// What a plain undo would take back, as ids.
pub async fn undoable(ledger: &dyn Ledger) -> Vec<String> {
    ids(&ledger.last_undoable(&[home().place]).await.unwrap())
}

/// Changes as ids.
pub fn ids(changes: &[Change]) -> Vec<String> {
    changes.iter().map(|change| change.id.0.clone()).collect()
}
