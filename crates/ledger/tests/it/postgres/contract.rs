//! The contract of the port.

use super::fresh;

loci_testkit::ledger_contract!(#[tokio::test(flavor = "multi_thread", worker_threads = 2)] => fresh().await);
