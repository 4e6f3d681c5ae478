//! The contract of the port, on SQLite as the CLI uses it, as a daemon uses it, and in memory.

use loci_ledger::Sqlite;

fn on_disk() -> (Sqlite, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    (Sqlite::open(&home.path().join("loci.db")).unwrap(), home)
}

mod one_thread {
    use super::on_disk;
    loci_testkit::ledger_contract!(#[tokio::test] => on_disk());
}

mod many_threads {
    use super::on_disk;
    loci_testkit::ledger_contract!(#[tokio::test(flavor = "multi_thread", worker_threads = 2)] => on_disk());
}

mod in_memory {
    use loci_ledger::Sqlite;
    loci_testkit::ledger_contract!(#[tokio::test] => (Sqlite::in_memory().unwrap(), ()));
}
