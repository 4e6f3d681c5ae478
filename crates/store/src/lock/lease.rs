//! One writer per root across machines: a lease in the ledger that they share.
//!
//! Owns taking, keeping and giving back. The lease is renewed for as long as it is held; one that was lost (its holder was
//! frozen for longer than it lasts) is noticed by [`Guard::still`], which is asked right before what has no condition of its own.

use super::{Guard, Held, Lock};
use crate::owner::Owner;
use crate::record::{Lease, Record, Taken};
use crate::store::fresh_id;
use crate::{Error, Result};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// How long a lease counts without being renewed.
const LASTS: Duration = Duration::from_secs(15);
const RENEWAL: Duration = Duration::from_secs(5);
/// How long a writer waits for another one before it gives up; longer than a dead one's lease counts.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks; they are requests over a network.
const PAUSES: [Duration; 2] = [Duration::from_millis(4), Duration::from_millis(60)];

/// The lock of one root in the ledger.
#[derive(Clone)]
pub struct LeaseLock {
    record: Arc<dyn Record>,
    name: String,
}

impl LeaseLock {
    /// The lock of this name.
    pub fn new(record: Arc<dyn Record>, name: String) -> LeaseLock {
        LeaseLock { record, name }
    }

    async fn take(&self) -> Result<Option<Held>> {
        // Every holder has a name of its own: two writers of one process are two writers.
        let owner = format!("{} hold={}", Owner::this(), fresh_id());
        let mut dead = None;
        loop {
            match self.record.take_lease(&self.name, &owner, LASTS, dead).await? {
                Taken::Mine(lease) => return Ok(Some(Held::new(Leased::new(Arc::clone(&self.record), lease)))),
                Taken::Theirs(lease) => {
                    let gone = Owner::parse(&lease.owner).is_some_and(|owner| owner.is_dead());
                    if !gone || dead == Some(lease.token) {
                        return Ok(None);
                    }
                    dead = Some(lease.token);
                }
            }
        }
    }
}

#[async_trait]
impl Lock for LeaseLock {
    async fn hold(&self) -> Result<Held> {
        let (start, [mut pause, longest]) = (Instant::now(), PAUSES);
        loop {
            if let Some(held) = self.take().await? {
                return Ok(held);
            }
            if start.elapsed() >= PATIENCE {
                return Err(Error::Busy);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 3 / 2).min(longest);
        }
    }

    async fn try_hold(&self) -> Result<Option<Held>> {
        self.take().await
    }
}

/// A lease that is kept.
struct Leased {
    record: Arc<dyn Record>,
    /// `None` once it was given back.
    lease: Option<Lease>,
    renewal: JoinHandle<()>,
}

impl Leased {
    fn new(record: Arc<dyn Record>, lease: Lease) -> Leased {
        let renewal = tokio::spawn(renew(Arc::clone(&record), lease.clone()));
        Leased { record, lease: Some(lease), renewal }
    }
}

#[async_trait]
impl Guard for Leased {
    async fn still(&self) -> Result<bool> {
        match &self.lease {
            // Renewed and not only looked at: then there is a whole lease's time for what comes next.
            Some(lease) => Ok(self.record.renew_lease(lease, LASTS).await?.is_some()),
            None => Ok(false),
        }
    }

    async fn release(mut self: Box<Self>) {
        self.renewal.abort();
        if let Some(lease) = self.lease.take() {
            give_back(&*self.record, &lease).await;
        }
    }
}

impl Drop for Leased {
    fn drop(&mut self) {
        self.renewal.abort();
        if let (Some(lease), Ok(runtime)) = (self.lease.take(), tokio::runtime::Handle::try_current()) {
            let record = Arc::clone(&self.record);
            runtime.spawn(async move { give_back(&*record, &lease).await });
        }
    }
}

async fn renew(record: Arc<dyn Record>, lease: Lease) {
    loop {
        tokio::time::sleep(RENEWAL).await;
        match record.renew_lease(&lease, LASTS).await {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => tracing::warn!(%error, name = lease.name, "a lease could not be renewed; it is tried again"),
        }
    }
}

async fn give_back(record: &dyn Record, lease: &Lease) {
    if let Err(error) = record.release_lease(lease).await {
        tracing::warn!(%error, name = lease.name, "a lease runs out by itself");
    }
}
