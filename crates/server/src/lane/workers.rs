//! How many workers a daemon has at once: each is a process, with connections of its own.
//!
//! A lane keeps its worker for a while, since the next task may come soon; it gives it up when another lane waits for one.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Workers of one daemon, of all its lanes.
const MOST: usize = 16;
/// How often a lane that waits asks the others again.
const AGAIN: Duration = Duration::from_millis(100);

/// The right to have a worker.
pub type Seat = OwnedSemaphorePermit;

/// The seats of all workers.
pub struct Workers {
    seats: Arc<Semaphore>,
    wanted: Notify,
}

impl Default for Workers {
    fn default() -> Workers {
        Workers { seats: Arc::new(Semaphore::new(MOST)), wanted: Notify::new() }
    }
}

impl Workers {
    /// Waits for a seat; who has an idle worker is asked to give it up. `None` = there are no seats any more.
    pub async fn seat(&self) -> Option<Seat> {
        loop {
            let free = tokio::time::timeout(AGAIN, Arc::clone(&self.seats).acquire_owned());
            if self.seats.available_permits() == 0 {
                self.wanted.notify_waiters();
            }
            if let Ok(seat) = free.await {
                return seat.ok();
            }
        }
    }

    /// Another lane waits for a seat.
    pub async fn wanted(&self) {
        self.wanted.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_idle_worker_makes_room() {
        let workers = Arc::new(Workers::default());
        let mut seats = Vec::new();
        for _ in 0..MOST {
            seats.push(workers.seat().await.unwrap());
        }
        let idle = tokio::spawn({
            let (workers, seat) = (Arc::clone(&workers), seats.pop());
            async move {
                workers.wanted().await;
                drop(seat);
            }
        });
        assert!(workers.seat().await.is_some());
        idle.await.unwrap();
    }
}
