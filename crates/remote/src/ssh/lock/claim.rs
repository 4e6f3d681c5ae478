//! What stands in a lock file: whose it is and until when it counts. Pure; the file itself is [`super`]'s.

use super::TIME;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How far clocks may differ when an old lock is judged by the time in it.
const SKEW: Duration = Duration::from_secs(60);

#[derive(Serialize, Deserialize)]
struct Claim {
    owner: String,
    token: String,
    until: Timestamp,
}

/// The claim of a token from now on.
pub(super) fn text(token: &str) -> Vec<u8> {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let owner = format!("process {} on {}", std::process::id(), machine.trim());
    // Whole seconds, so that a renewal is as long as what it replaces.
    let until = Timestamp::from_second(Timestamp::now().as_second() + TIME.as_secs() as i64).unwrap_or_default();
    serde_json::to_vec(&Claim { owner, token: token.to_owned(), until }).unwrap_or_default()
}

/// Whether a claim that was seen unchanged for so long is nobody's any more.
pub(super) fn is_stale(bytes: &[u8], unchanged: Duration) -> bool {
    let until = serde_json::from_slice::<Claim>(bytes).ok().map(|claim| claim.until);
    let long_ago = until.is_some_and(|until| {
        Timestamp::now().duration_since(until) > jiff::SignedDuration::try_from(SKEW).unwrap_or_default()
    });
    unchanged > TIME || long_ago
}

/// Whether it is the claim of this token.
pub(super) fn is_ours(bytes: &[u8], token: &str) -> bool {
    serde_json::from_slice::<Claim>(bytes).is_ok_and(|claim| claim.token == token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_runs_out_by_watching_or_long_after_its_time() {
        let fresh = text("t");
        assert!(!is_stale(&fresh, Duration::ZERO));
        assert!(is_stale(&fresh, TIME + Duration::from_secs(1)));
        assert!(!is_stale(b"", Duration::from_secs(1)) && is_stale(b"", TIME * 2));
        let old = br#"{"owner":"x","token":"t","until":"2001-01-01T00:00:00Z"}"#;
        assert!(is_stale(old, Duration::ZERO));
        assert!(is_ours(old, "t") && !is_ours(old, "u"));
    }

    #[test]
    fn a_renewal_is_as_long_as_what_it_replaces() {
        assert_eq!(text("t").len(), text("u").len());
    }
}
