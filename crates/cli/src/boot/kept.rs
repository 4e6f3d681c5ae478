//! What a process opens once: connections to a ledger and to a bucket, a look at another machine.
//!
//! A daemon boots anew for many requests, and its worker for each task. Connections belong to the runtime that made them, so
//! the one with many threads has its own, and so has every thread that is a runtime by itself.

use super::afar::Afar;
use loci_ledger::Postgres;
use loci_remote::s3::S3;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use tokio::runtime::{Handle, RuntimeFlavor};

/// What was opened, by its address.
#[derive(Default)]
pub struct Kept {
    pub ledgers: HashMap<String, Postgres>,
    pub buckets: HashMap<String, S3>,
    pub machines: HashMap<String, Arc<Afar>>,
}

static MANY_THREADS: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

thread_local! {
    static ONE_THREAD: RefCell<Kept> = RefCell::default();
}

impl Kept {
    /// Uses what this runtime has opened.
    pub fn with<T>(use_it: impl FnOnce(&mut Kept) -> T) -> T {
        let alone = Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::CurrentThread);
        if alone {
            return ONE_THREAD.with_borrow_mut(use_it);
        }
        use_it(&mut MANY_THREADS.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
