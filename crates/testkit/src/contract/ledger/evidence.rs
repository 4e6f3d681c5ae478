//! Evidence: what documents rest on, kept with usage and pins.

use super::sample::*;
use loci_domain::digest::Digest;
use loci_domain::evidence::{Evidence, Kind, Thing};
use loci_domain::row::Batch;
use loci_ledger::Ledger;

fn thing(kind: Kind, name: &str) -> Thing {
    let file = path(&format!("src/{}.rs", name.len()));
    Thing { kind, name: name.to_owned(), file, digest: Digest::of(name.as_bytes()), stamp: format!("'{name}'?") }
}

fn evidence(file: &str, bytes: &str, names: &[&str]) -> Evidence {
    let things = names.iter().map(|name| thing(Kind::Symbol, name)).collect();
    Evidence { path: path(file), digest: Digest::of(bytes.as_bytes()), project: "project:p".to_owned(), things }
}

async fn keep(ledger: &dyn Ledger, evidence: Evidence) {
    ledger.settle(Batch { evidence: vec![evidence], ..batch() }).await.unwrap();
}

async fn names(ledger: &dyn Ledger, file: &str) -> Option<Vec<String>> {
    let found = ledger.evidence_of(&home().identity, &path(file)).await.unwrap();
    found.map(|found| found.things.into_iter().map(|thing| thing.name).collect())
}

/// Things in their order; all documents by path; one that names nothing has none.
pub async fn evidence_comes_back_whole(ledger: &dyn Ledger) {
    let mut b = evidence("b.md", "b", &[]);
    b.things = vec![
        thing(Kind::Command, "npm run x"),
        thing(Kind::File, "a'; --"),
        thing(Kind::Place, "日本"),
        thing(Kind::Symbol, "S"),
    ];
    keep(ledger, b.clone()).await;
    keep(ledger, evidence("a.md", "a", &["one"])).await;
    keep(ledger, evidence("c.md", "c", &[])).await;
    assert_eq!(ledger.evidence_of(&home().identity, &path("b.md")).await.unwrap(), Some(b.clone()));
    assert_eq!(ledger.evidence(&home().identity).await.unwrap(), [evidence("a.md", "a", &["one"]), b]);
    assert_eq!(names(ledger, "c.md").await, None);
}

/// A second look at the same bytes does not make a change good.
pub async fn evidence_of_the_same_bytes_stays(ledger: &dyn Ledger) {
    keep(ledger, evidence("a.md", "a", &["one"])).await;
    keep(ledger, evidence("a.md", "a", &["two"])).await;
    keep(ledger, evidence("a.md", "a", &[])).await;
    assert_eq!(names(ledger, "a.md").await.unwrap(), ["one"]);
}

/// An edit takes it anew.
pub async fn evidence_of_other_bytes_goes(ledger: &dyn Ledger) {
    keep(ledger, evidence("a.md", "a", &["one", "two"])).await;
    keep(ledger, evidence("a.md", "b", &["three"])).await;
    assert_eq!(names(ledger, "a.md").await.unwrap(), ["three"]);
    keep(ledger, evidence("a.md", "c", &[])).await;
    assert_eq!(names(ledger, "a.md").await, None);
}

/// As usage and pins do; what is absent keeps it.
pub async fn evidence_goes_and_moves_with_its_document(ledger: &dyn Ledger) {
    for file in ["a.md", "b.md", "c.md"] {
        ledger.settle(Batch { documents: vec![document(file)], ..batch() }).await.unwrap();
        keep(ledger, evidence(file, file, &[file])).await;
    }
    ledger.settle(Batch { moved: vec![(path("a.md"), path("d.md"))], ..batch() }).await.unwrap();
    assert_eq!((names(ledger, "a.md").await, names(ledger, "d.md").await.unwrap()), (None, vec!["a.md".to_owned()]));
    ledger.settle(Batch { gone: vec![path("b.md")], absent: vec![path("c.md")], ..batch() }).await.unwrap();
    assert_eq!((names(ledger, "b.md").await, names(ledger, "c.md").await.unwrap()), (None, vec!["c.md".to_owned()]));
    keep(ledger, evidence("b.md", "b.md", &["anew"])).await;
    assert_eq!(names(ledger, "b.md").await.unwrap(), ["anew"]);
}

/// Another identity has its own, and loses it alone.
pub async fn evidence_is_of_the_identity(ledger: &dyn Ledger) {
    keep(ledger, evidence("a.md", "a", &["one"])).await;
    let other = Batch { evidence: vec![evidence("a.md", "a", &["other"])], ..Batch::new(root("other"), at(0)) };
    ledger.settle(other).await.unwrap();
    assert_eq!(names(ledger, "a.md").await.unwrap(), ["one"]);
    ledger.drop_root(&root("other")).await.unwrap();
    assert!(ledger.evidence(&root("other").identity).await.unwrap().is_empty());
    assert_eq!(names(ledger, "a.md").await.unwrap(), ["one"]);
}
