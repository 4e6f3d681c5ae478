//! A ledger that is damaged, empty, gone, or newer than the binary.

use crate::support::{G, assert_healthy, home};
use loci_testkit::home::{Home, documents};
use std::path::PathBuf;

fn filled() -> Home {
    let home = home();
    for number in 0..30 {
        home.create(&format!("{G}{number:02}.md"), &format!("text {number}\n"));
    }
    home.ok(&["pin", "global/07.md"]);
    home
}

fn db(home: &Home) -> PathBuf {
    home.home().join("loci.db")
}

/// The whole ledger in one file, as after a checkpoint: its log is brought in and gone.
fn whole(home: &Home) -> Vec<u8> {
    let ledger = rusqlite::Connection::open(db(home)).unwrap();
    ledger.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(ledger);
    for name in ["loci.db-wal", "loci.db-shm"] {
        let _ = std::fs::remove_file(home.home().join(name));
    }
    std::fs::read(db(home)).unwrap()
}

/// Files beside the ledger that hold exactly these bytes.
fn kept_aside(home: &Home, bytes: &[u8]) -> Vec<String> {
    let files = loci_testkit::home::tree(home.home());
    files.into_iter().filter(|(name, now)| name != "loci.db" && now == bytes).map(|(name, _)| name).collect()
}

fn assert_all_there(home: &Home) {
    assert_eq!(home.list().len(), 30);
    assert_eq!(documents(&home.global()).len(), 30);
    home.create(&format!("{G}new.md"), "new\n");
    assert_eq!(home.list().len(), 31);
    assert_healthy(home);
}

#[test]
fn garbage_for_a_ledger_is_set_aside_and_all_files_are_listed() {
    let home = filled();
    let garbage: Vec<u8> = (0..200_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    whole(&home);
    std::fs::write(db(&home), &garbage).unwrap();
    let first = home.run(&["list"]);
    assert!(first.ok().contains("07.md"));
    assert!(first.stderr.contains("damaged"), "no warning: {}", first.stderr);
    assert_eq!(kept_aside(&home, &garbage).len(), 1, "the damaged one is kept");
    assert_all_there(&home);
}

#[test]
fn a_damaged_header_is_repaired() {
    let home = filled();
    let mut bytes = whole(&home);
    bytes[..100].fill(0x5a);
    std::fs::write(db(&home), &bytes).unwrap();
    home.ok(&["list"]);
    assert_eq!(kept_aside(&home, &bytes).len(), 1, "the damaged one is kept");
    assert_all_there(&home);
}

#[test]
fn a_damaged_page_in_the_middle_never_hides_a_file() {
    for page in [2, 4, 7, 11, 16, 22] {
        let home = filled();
        let mut bytes = whole(&home);
        let start = (page * 4096).min(bytes.len() - 4096);
        bytes[start..start + 4096].fill(0xa5);
        std::fs::write(db(&home), &bytes).unwrap();
        let listed = home.run(&["list"]);
        if listed.exit != Some(0) {
            assert!(listed.stderr.contains("loci doctor --fix"), "page {page}: no way out is named: {}", listed.stderr);
        }
        let doctor = home.run(&["doctor", "--fix"]);
        assert_eq!(doctor.exit, Some(0), "page {page}: {}{}", doctor.stdout, doctor.stderr);
        assert_eq!(home.list().len(), 30, "page {page}");
        assert_eq!(documents(&home.global()).len(), 30, "page {page}");
        assert_healthy(&home);
    }
}

#[test]
fn a_ledger_cut_in_half_is_repaired() {
    let home = filled();
    let bytes = whole(&home);
    std::fs::write(db(&home), &bytes[..bytes.len() / 2]).unwrap();
    home.ok(&["list"]);
    assert_all_there(&home);
}

#[test]
fn an_emptied_ledger_starts_anew_from_the_files() {
    let home = filled();
    whole(&home);
    std::fs::write(db(&home), b"").unwrap();
    assert_all_there(&home);
}

#[test]
fn a_deleted_ledger_starts_anew_from_the_files() {
    let home = filled();
    for name in ["loci.db", "loci.db-wal", "loci.db-shm"] {
        let _ = std::fs::remove_file(home.home().join(name));
    }
    assert_all_there(&home);
}

#[test]
fn a_ledger_deleted_under_a_running_tool_loses_no_file() {
    let home = filled();
    let mut tool = home.tool(&[]);
    let call = |number: usize| loci_testkit::home::create(&format!("{G}late-{number}.md"), "late\n");
    assert_eq!(tool.call(&call(0)).unwrap()["success"], true);
    std::fs::remove_file(db(&home)).unwrap();
    let _ = std::fs::remove_file(home.home().join("loci.db-wal"));
    let mut acked = vec![0];
    acked.extend((1..5).filter(|number| tool.call(&call(*number)).is_some_and(|answer| answer["success"] == true)));
    drop(tool);
    let listed = home.list();
    for number in acked {
        assert!(listed.contains_key(&format!("{G}late-{number}.md")), "{number} was acknowledged");
    }
    assert_eq!(listed.len(), documents(&home.global()).len());
    assert_healthy(&home);
}

#[test]
fn a_newer_ledger_is_refused_and_untouched() {
    let home = filled();
    let mut bytes = whole(&home);
    // `user_version` is a big-endian number at offset 60 of an SQLite file.
    bytes[60..64].copy_from_slice(&9_999_u32.to_be_bytes());
    std::fs::write(db(&home), &bytes).unwrap();
    for args in [&["list"][..], &["status"], &["doctor", "--fix"], &["rm", "global/00.md"], &["undo"]] {
        let failure = home.fails(args, 6);
        assert!(failure["error"].as_str().unwrap().contains("schema 9999"), "{failure}");
        assert_eq!(std::fs::read(db(&home)).unwrap(), bytes, "{args:?} touched the newer ledger");
    }
    let tool = home.run(&["tool"]);
    assert_eq!(tool.exit, Some(6), "{}", tool.stderr);
    assert_eq!(documents(&home.global()).len(), 30);
    assert_eq!(std::fs::read(db(&home)).unwrap(), bytes);
}
