//! What the phases may take: ages, numbers, tokens, leases.

use jiff::SignedDuration;
use std::time::Duration;

/// The settings `memories.*`, as they hold right now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Why the phases are switched off for the home; `None` = they are on.
    pub off: Option<String>,
    /// Older sessions are left alone.
    pub max_age: SignedDuration,
    /// Sessions in which something was said more recently have to wait.
    pub min_idle: SignedDuration,
    /// Sessions that one run reads at most.
    pub most: usize,
    /// Tokens of the summary in a context.
    pub summary_tokens: usize,
    /// Tokens of one question of phase 1.
    pub stage1_tokens: usize,
    /// Tokens of the question of phase 2.
    pub phase2_tokens: usize,
    /// Sessions that are read at the same time.
    pub concurrency: usize,
    /// How long a claim of phase 1 holds unless it is renewed.
    pub stage1_lease: Duration,
    /// The first pause after a failure of phase 1; each later one is twice as long.
    pub stage1_retry: Duration,
    /// How long a claim of phase 2 holds unless it is renewed.
    pub phase2_lease: Duration,
    /// How often it is renewed.
    pub phase2_heartbeat: Duration,
    /// The first pause after a failure of phase 2.
    pub phase2_retry: Duration,
    /// How often a job is tried.
    pub tries: u32,
}

/// How a claim is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Terms {
    pub lease: Duration,
    pub beat: Duration,
    pub tries: u32,
}

impl Settings {
    pub(crate) fn stage1(&self) -> Terms {
        Terms { lease: self.stage1_lease, beat: self.stage1_lease / 4, tries: self.tries }
    }

    pub(crate) fn phase2(&self) -> Terms {
        let beat = self.phase2_heartbeat.min(self.phase2_lease / 2);
        Terms { lease: self.phase2_lease, beat, tries: self.tries }
    }
}

/// How long to wait after so many tries.
pub(crate) fn backoff(first: Duration, attempts: u32) -> Duration {
    first.saturating_mul(2_u32.saturating_pow(attempts.saturating_sub(1).min(16)))
}

#[cfg(test)]
impl Settings {
    /// For tests.
    pub(crate) fn sample() -> Settings {
        Settings {
            off: None,
            max_age: SignedDuration::from_hours(24 * 30),
            min_idle: SignedDuration::from_hours(12),
            most: 3,
            summary_tokens: 5_000,
            stage1_tokens: 100_000,
            phase2_tokens: 32_000,
            concurrency: 8,
            stage1_lease: Duration::from_secs(120),
            stage1_retry: Duration::ZERO,
            phase2_lease: Duration::from_secs(180),
            phase2_heartbeat: Duration::from_secs(30),
            phase2_retry: Duration::ZERO,
            tries: 3,
        }
    }
}
