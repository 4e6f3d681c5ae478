//! The contract of the port, on disk and in memory.

mod local {
    use loci_store::local::{Local, Modes};

    loci_testkit::backend_contract!({
        let dir = tempfile::tempdir().unwrap();
        (Local::new(dir.path().join("root"), &["memory"], Modes::Private), dir)
    });
}

mod checkout {
    use loci_store::local::{Local, Modes};

    loci_testkit::backend_contract!({
        let dir = tempfile::tempdir().unwrap();
        (Local::new(dir.path().to_owned(), &[".loci", "memory"], Modes::Umask), dir)
    });
}

mod ram {
    loci_testkit::backend_contract!((loci_store::ram::Ram::default(), ()));
}
