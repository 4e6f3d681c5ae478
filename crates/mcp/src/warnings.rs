//! What a person should know of a call that went well all the same: as log messages of the protocol.
//!
//! Revisions up to 2025-11-25 have them; later ones leave logs to other means, and so do we.
// Subscribing and logs are gone from the newest revision; the older ones have them still.
#![allow(deprecated)]

use crate::guest::keeps_state;
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::RequestContext;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a client wants to hear of warnings; it does until it says otherwise.
#[derive(Default)]
pub(crate) struct Warnings {
    silenced: AtomicBool,
}

impl Warnings {
    /// Takes note of the level that a client asked for.
    pub fn wanted(&self, level: LoggingLevel) {
        use LoggingLevel::{Alert, Critical, Debug, Emergency, Error, Info, Notice, Warning};
        let silenced = match level {
            Debug | Info | Notice | Warning => false,
            Error | Critical | Alert | Emergency => true,
        };
        self.silenced.store(silenced, Ordering::Relaxed);
    }

    /// Tells why a model did not do what it could have done.
    pub async fn tell(&self, context: &RequestContext<RoleServer>, degraded: Option<String>) {
        let Some(reason) = degraded.filter(|_| keeps_state(context) && !self.silenced.load(Ordering::Relaxed)) else {
            return;
        };
        let text = format!("{reason}; done by rules instead");
        let note = LoggingMessageNotificationParam::new(LoggingLevel::Warning, text.into()).with_logger("loci");
        // A client that cannot be told is gone.
        let _ = context.peer.notify_logging_message(note).await;
    }
}
