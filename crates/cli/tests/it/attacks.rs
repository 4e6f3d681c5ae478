//! Attacks and faults from outside; `docs/attacks.md` lists them by number, with the tests that show what comes of each.
//!
//! One idea a file. [`doors`] is every way in: what is tried at one of them is tried at all.

mod clocks;
mod copies;
mod crashing;
mod disks;
mod doors;
mod framing;
mod frozen;
mod headers;
mod instants;
mod kills;
mod leaks;
mod links;
mod obedient;
mod older;
mod outages;
mod paths;
mod race;
mod renames;
mod replacing;
mod secret_doors;
mod sizes;
mod soak;
mod tokens;

use std::time::Duration;

/// So many in every run, and more at night (`LOCI_NIGHTLY=1`).
pub fn rounds(usual: usize, at_night: usize) -> usize {
    if std::env::var_os("LOCI_NIGHTLY").is_some_and(|value| value == "1") { at_night } else { usual }
}

/// So long in every run, and longer at night.
pub fn seconds(usual: usize, at_night: usize) -> Duration {
    Duration::from_secs(rounds(usual, at_night) as u64)
}
