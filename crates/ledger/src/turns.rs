//! Turns, as far as they are the same in every engine: when an event is taken, and in which order a model sees lines.

use crate::span::micros;
use crate::{Line, Turn, TurnStatus, Visible};
use std::time::Duration;

/// Whether the turn that has claimed an event, and last changed at `updated`, keeps others from it at `now`; once it is
/// completed, for so long as `claimed`.
pub(crate) fn is_taken(claimed: Duration, claim: &Turn, updated: i64, now: i64) -> bool {
    match claim.status {
        TurnStatus::Running => claim.until.as_microsecond() > now,
        TurnStatus::Completed => updated.saturating_add(micros(claimed)) > now,
        TurnStatus::Failed | TurnStatus::Lost => false,
    }
}

/// The last place that a summary stands for, for its column; before all others without one.
pub(crate) fn covered(summary: Option<&Line>) -> i64 {
    summary.and_then(|summary| summary.covers).map_or(-1, |(_, to)| i64::try_from(to).unwrap_or(i64::MAX))
}

/// Puts together what a model may be shown; of each line in `rest`, whether the turn's own event brought it.
///
/// An event that is tried again may have come before others; it is what the turn is about, so it stands last.
pub(crate) fn visible(summary: Option<Line>, persisted: Vec<Line>, rest: Vec<(Line, bool)>) -> Visible {
    let (own, mut rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(_, own)| *own);
    let count = own.len();
    rest.extend(own);
    Visible { summary, persisted, rest: rest.into_iter().map(|(line, _)| line).collect(), own: count }
}
