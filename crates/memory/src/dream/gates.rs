//! When a dream is due: the gates, in their order, each a named skip.

use super::Dream;
use crate::upkeep::within;
use crate::{Memory, Result};
use jiff::{SignedDuration, Timestamp};
use loci_domain::change::Identity;
use serde::{Deserialize, Serialize};

/// Why a dream was not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// It is switched off.
    Disabled,
    /// This session has had one.
    SameSession,
    /// The last one is not long enough ago.
    MinHours,
    /// Somebody looked a moment ago.
    ScanThrottled,
    /// Too little is new.
    MinSessions,
    /// Another process is at it.
    Locked,
    /// This process is at it.
    Running,
}

impl Skip {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Skip::Disabled => "disabled",
            Skip::SameSession => "same_session",
            Skip::MinHours => "min_hours",
            Skip::ScanThrottled => "scan_throttled",
            Skip::MinSessions => "min_sessions",
            Skip::Locked => "locked",
            Skip::Running => "running",
        }
    }

    /// The same for a person.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Skip::Disabled => "Skipped: dreaming is switched off.",
            Skip::SameSession => "Skipped: this session has had its dream.",
            Skip::MinHours => "Skipped: the last dream was not long enough ago.",
            Skip::ScanThrottled => "Skipped: the sessions were counted a moment ago.",
            Skip::MinSessions => "Skipped: too few new sessions since the last dream.",
            Skip::Locked => "Skipped: another process is dreaming.",
            Skip::Running => "Skipped: a dream is running here already.",
        }
    }
}

/// What the gates have to know.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct State {
    last_at: Option<Timestamp>,
    last_session: Option<String>,
    last_scan_at: Option<Timestamp>,
}

const STATE: &str = "dream.state";

impl Memory {
    /// The first gate that is closed.
    pub(super) async fn gate(&self, ask: &Dream, of: &Identity) -> Result<Option<Skip>> {
        let settings = &ask.settings;
        if !settings.enabled {
            return Ok(Some(Skip::Disabled));
        }
        let mut state: State = self.recollect(STATE, of).await?.unwrap_or_default();
        if ask.session.is_some() && ask.session == state.last_session {
            return Ok(Some(Skip::SameSession));
        }
        let now = self.store.now();
        if within(state.last_at, now, SignedDuration::from_hours(whole(settings.min_hours))) {
            return Ok(Some(Skip::MinHours));
        }
        if within(state.last_scan_at, now, SignedDuration::from_mins(whole(settings.scan_minutes))) {
            return Ok(Some(Skip::ScanThrottled));
        }
        state.last_scan_at = Some(now);
        self.note_down(STATE, of, Some(&state)).await?;
        let new = self.new_sessions(of, state.last_at).await?;
        let others = new.iter().filter(|session| Some(*session) != ask.session.as_ref()).count();
        Ok((others < settings.min_sessions).then_some(Skip::MinSessions))
    }

    /// Notes that a run took place.
    pub(super) async fn note_dreamt(&self, of: &Identity, session: Option<&str>) -> Result<()> {
        let mut state: State = self.recollect(STATE, of).await?.unwrap_or_default();
        state.last_at = Some(self.store.now());
        state.last_session = session.map(str::to_owned);
        self.note_down(STATE, of, Some(&state)).await
    }

    /// The sessions that were read or imported since, by name.
    async fn new_sessions(&self, of: &Identity, since: Option<Timestamp>) -> Result<Vec<String>> {
        let record = self.record()?;
        let mut names = record.read_since(of, since).await?;
        let whose = self.whose();
        let kept = record.sessions(&whose.account).await?.into_iter().map(|kept| kept.session);
        let imported = kept.filter(|one| one.whose == whose && since.is_none_or(|since| one.kept_at > since));
        names.extend(imported.map(|session| session.id));
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }
}

fn whole(number: u64) -> i64 {
    // Larger ones would overflow a span of time; a thousand years are enough.
    i64::try_from(number).unwrap_or(i64::MAX).min(24 * 366_000)
}
