//! Upkeep: memory is tidied without anybody asking, when its gates say that it is time.
//!
//! Owns the hour. Whether anything happens is decided by the verb: off, too early, too little new, or somebody is at it.

use crate::daemon::Daemon;
use loci_memory::dream::{Doing, Dream};
use loci_memory::upkeep::Trigger;
use std::time::Duration;
use tokio::sync::watch;

/// Between two tries.
const HOUR: Duration = Duration::from_secs(3600);

/// Tries every hour until `stop`; a dream that is under way then is dropped, and has changed nothing.
pub async fn run(daemon: &Daemon, mut stop: watch::Receiver<bool>) {
    let mut hours = tokio::time::interval(HOUR);
    hours.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    // The first tick is now; a daemon that just started has better things to do.
    hours.tick().await;
    let work = async {
        loop {
            hours.tick().await;
            dream(daemon).await;
        }
    };
    tokio::select! {
        () = work => {}
        _ = stop.wait_for(|stop| *stop) => {}
    }
}

async fn dream(daemon: &Daemon) {
    let Ok(now) = daemon.now() else { return };
    let ask = Dream { trigger: Trigger::Auto, session: None, doing: Doing::Apply, settings: now.dream };
    if let Err(error) = daemon.memory().dream(ask).await {
        tracing::warn!(%error, "the hourly dream failed; nothing was changed");
    }
}
