//! Bells: another daemon on the same ledger did something that this one waits for.
//!
//! Owns who is woken by what. A bell can be missed, so everybody who is woken here also looks now and then without one.

use crate::daemon::Daemon;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

/// Wakes by what is heard until `stop`.
pub async fn run(daemon: &Daemon, mut bells: broadcast::Receiver<String>, mut stop: watch::Receiver<bool>) {
    loop {
        let heard = tokio::select! {
            heard = bells.recv() => heard,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        match heard {
            Ok(topic) => wake(daemon, &topic).await,
            Err(RecvError::Lagged(_)) => wake(daemon, "all").await,
            Err(RecvError::Closed) => break,
        }
    }
}

async fn wake(daemon: &Daemon, topic: &str) {
    let (word, rest) = topic.split_once(':').unwrap_or((topic, ""));
    match word {
        "told" => daemon.herald().ring(),
        "lane" if !rest.is_empty() => daemon.lanes().ring(rest).await,
        "lane" | "all" => {
            daemon.herald().ring();
            daemon.lanes().ring_all().await;
        }
        _ => {}
    }
}
