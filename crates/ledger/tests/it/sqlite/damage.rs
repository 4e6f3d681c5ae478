//! Damage: seen, set aside, and how much of the journal comes back.

use super::*;
use loci_ledger::{
    Catalog, Clients, Recalls, Repaired, Room, Search, Task, TaskKind, TaskStatus, Tasks, Token, Vectors,
};
use std::io::{Seek, SeekFrom, Write};

const PAGE: usize = 4096;

/// A closed ledger with a journal, and one of each of the rest.
async fn filled(count: usize) -> Home {
    let home = Home::new();
    let ledger = home.open();
    let changes: Vec<_> = (0..count).map(|n| sample::change(&format!("c{n:05}"))).collect();
    sample::make(&ledger, &changes).await;
    let (identity, path) = (sample::home().identity, sample::path("a.md"));
    sample::keep(&ledger, vec![sample::document("a.md")]).await;
    ledger.touch(&identity, &path, sample::at(1)).await.unwrap();
    ledger.pin(&identity, &path, Some(sample::at(1))).await.unwrap();
    ledger.accept(&identity, &sample::image("x").digest, Some(sample::at(1))).await.unwrap();
    ledger.set_note("k", Some("v")).await.unwrap();
    ledger.intend(&[sample::change("pending")], &[]).await.unwrap();
    let number = ledger.numbers(&sample::home().place).await.unwrap()[0];
    ledger.keep_vectors("e", &[Vectors { number, packed: vec![7; 768] }]).await.unwrap();
    ledger.keep_receipt("r", sample::at(1), "body", 9).await.unwrap();
    ledger.show("s", &["global/a.md".to_owned()], sample::at(1)).await.unwrap();
    ledger.keep_segment("s", "block", sample::at(1)).await.unwrap();
    drop(ledger);
    home
}

fn overwrite(home: &Home, at: usize, bytes: &[u8]) {
    let mut file = std::fs::OpenOptions::new().write(true).open(home.db()).unwrap();
    file.seek(SeekFrom::Start(at as u64)).unwrap();
    file.write_all(bytes).unwrap();
}

fn repaired(home: &Home) -> Repaired {
    let before = read(&home.db());
    let repaired = Sqlite::repair(&home.db()).unwrap();
    assert_eq!(read(&repaired.aside), before, "the damaged one stays as it was");
    repaired
}

#[tokio::test]
async fn garbage_is_corrupt_and_can_be_repaired() {
    for garbage in [b"not a database at all".repeat(1_000), vec![0; 3 * PAGE], vec![255; 100]] {
        let home = Home::new();
        std::fs::write(home.db(), &garbage).unwrap();
        assert!(matches!(home.refusal(), Error::Corrupt(_)), "{:?}", &garbage[..8]);
        let repaired = repaired(&home);
        assert_eq!(repaired.changes, 0);
        assert!(repaired.aside.file_name().unwrap().to_str().unwrap().starts_with("loci.db.damaged-2"));
        many(&home.open(), "c", 1).await;
        assert_eq!(home.names().len(), 3, "{:?}", home.names());
    }
}

#[tokio::test]
async fn lost_first_page_costs_nothing() {
    let home = filled(500).await;
    overwrite(&home, 0, &[0xA5; PAGE]);
    assert!(matches!(home.refusal(), Error::Corrupt(_)));
    let kept = repaired(&home);
    assert_eq!((kept.changes, kept.images), (501, 500));
    assert_eq!((kept.usage, kept.pins, kept.accepted, kept.notes), (1, 1, 1, 1));
    let ledger = home.open();
    assert_eq!(logged(&ledger).await, 500);
    assert_eq!(sample::ids(&ledger.pending(&sample::home().place).await.unwrap()), ["pending"]);
    assert_eq!(ledger.note("k").await.unwrap().as_deref(), Some("v"));
    assert_eq!(ledger.roots().await.unwrap(), [sample::home()]);
    // Files come back with the next scan, which the missing rules ask for; their usage and pins wait for them.
    assert_eq!(
        (ledger.count(&sample::home().place).await.unwrap(), ledger.rules(&sample::home().place).await.unwrap()),
        (0, None)
    );
    sample::keep(&ledger, vec![sample::document("a.md")]).await;
    let listed = sample::listed(&ledger, "a.md").await;
    assert_eq!((listed.uses, listed.pinned), (1, true));
    // Vectors are made again; what was shown to whom is not worth a guess.
    assert!(ledger.vectors(&sample::home().place, "e", 0, usize::MAX).await.unwrap().is_empty());
    assert_eq!((ledger.receipt("r").await.unwrap(), ledger.segment("s").await.unwrap()), (None, None));
    assert!(ledger.shown("s").await.unwrap().is_empty());
    assert!(ledger.check().await.unwrap().is_empty());
}

#[tokio::test]
async fn damaged_header_is_corrupt() {
    let home = filled(20).await;
    overwrite(&home, 3, b"????");
    assert!(matches!(home.refusal(), Error::Corrupt(_)));
    assert_eq!(repaired(&home).changes, 21);
}

#[tokio::test]
async fn one_bad_page_costs_its_own_rows_only() {
    let home = filled(2_000).await;
    let bytes = read(&home.db());
    // A page with a row of the middle of the journal: its table's leaf or an index's, so all of them.
    let needle = b"c01000.md";
    let pages: Vec<usize> = (1..bytes.len() / PAGE)
        .filter(|page| bytes[page * PAGE..(page + 1) * PAGE].windows(9).any(|part| part == needle))
        .collect();
    assert!(!pages.is_empty());
    for page in pages {
        overwrite(&home, page * PAGE, &[0xA5; PAGE]);
    }
    let ledger = home.open();
    let ask = loci_ledger::Log { places: vec![sample::home().place], path: None, limit: usize::MAX };
    assert!(matches!(ledger.changes(&ask).await.unwrap_err(), Error::Corrupt(_)));
    assert!(!ledger.check().await.unwrap().is_empty());
    assert!(matches!(Sqlite::repair(&home.db()).unwrap_err(), Error::Busy), "not while somebody has it open");
    drop(ledger);
    let kept = repaired(&home);
    assert!((1_900..2_001).contains(&kept.changes), "{kept:?}");
    assert_eq!(kept.images, 2_000);
    let ledger = home.open();
    for id in ["c00000", "c00500", "c01900", "c01999"] {
        assert_eq!(ledger.change(&sample::id(id)).await.unwrap(), Some(sample::change(id)));
    }
    assert!(ledger.check().await.unwrap().is_empty());
}

#[tokio::test]
async fn truncated_ledger_is_corrupt_and_keeps_the_rest() {
    let home = filled(2_000).await;
    let bytes = read(&home.db());
    std::fs::write(home.db(), &bytes[..bytes.len() / PAGE / 2 * PAGE]).unwrap();
    let refused = match Sqlite::open(&home.db()) {
        Err(error) => error,
        Ok(ledger) => ledger.prune(loci_ledger::Retention { oldest: sample::at(0), bytes: 0 }).await.unwrap_err(),
    };
    assert!(matches!(refused, Error::Corrupt(_)), "{refused}");
    repaired(&home);
    assert!(home.open().check().await.unwrap().is_empty());
}

#[tokio::test]
async fn log_goes_aside_and_is_read_too() {
    let home = Home::new();
    let ledger = home.open();
    many(&ledger, "c", 5).await;
    let files: Vec<_> = ["loci.db", "loci.db-wal"].map(|name| (name, read(&home.0.path().join(name)))).into();
    drop(ledger);
    let crashed = Home::new();
    for (name, bytes) in files {
        std::fs::write(crashed.0.path().join(name), bytes).unwrap();
    }
    let kept = repaired(&crashed);
    assert_eq!(kept.changes, 5);
    assert!(crashed.names().iter().any(|name| name.starts_with("loci.db.damaged-") && name.ends_with("-wal")));
    assert!(!crashed.names().contains(&"loci.db-wal".to_owned()));
    assert_eq!(logged(&crashed.open()).await, 5);
}

#[tokio::test]
async fn damaged_image_is_damage_and_not_other_bytes() {
    let home = filled(3).await;
    let db = rusqlite::Connection::open(home.db()).unwrap();
    db.execute("UPDATE images SET data = 'other' WHERE digest = ?1", [sample::image("c00001").digest.as_bytes()])
        .unwrap();
    db.execute(
        "UPDATE images SET codec = 1, size = 1 << 60 WHERE digest = ?1",
        [sample::image("c00002").digest.as_bytes()],
    )
    .unwrap();
    drop(db);
    let ledger = home.open();
    for word in ["c00001", "c00002"] {
        assert!(matches!(ledger.image(&sample::image(word).digest).await.unwrap_err(), Error::Corrupt(_)));
    }
    assert!(ledger.image(&sample::image("c00000").digest).await.unwrap().is_some());
    drop(ledger);
    assert_eq!(repaired(&home).images, 1);
}

#[test]
fn nothing_to_repair_is_missing() {
    let home = Home::new();
    assert!(matches!(Sqlite::repair(&home.db()).unwrap_err(), Error::Missing(_)));
}

#[tokio::test]
async fn what_the_daemon_was_asked_is_not_lost_with_a_page() {
    let home = filled(50).await;
    let ledger = home.open();
    let token = Token { name: "phone".to_owned(), hash: [7; 32], read_only: true, at: sample::at(1) };
    assert!(ledger.add_token(&token).await.unwrap());
    ledger.register_client("client-a", sample::at(1), 10).await.unwrap();
    let task = Task {
        id: "dream-1".to_owned(),
        lane: "lane".to_owned(),
        kind: TaskKind::Dream,
        client: Some("client-a".to_owned()),
        words: None,
        mode: None,
        scope: None,
        status: TaskStatus::Queued,
        end: None,
        cuts: 0,
        run: None,
        worker: None,
        created_at: sample::at(1),
        updated_at: sample::at(1),
    };
    assert!(ledger.enqueue_task(&task, Room { pending: 1, upkeep: 1, kept: 1 }).await.unwrap());
    drop(ledger);
    overwrite(&home, 0, &[0xA5; PAGE]);
    repaired(&home);
    let ledger = home.open();
    assert_eq!(ledger.tokens().await.unwrap(), [token]);
    assert!(ledger.knows_client("client-a").await.unwrap());
    assert_eq!(ledger.task("lane", "dream-1").await.unwrap(), Some(task));
}
