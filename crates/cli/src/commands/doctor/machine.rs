//! What is around memory: who can read its folder, the token, room on the disk, the clock.
//!
//! Never opens the ledger or a setting: it looks where those cannot be opened, too.

use jiff::{Timestamp, civil};
use loci_memory::doctor::{Examined, Mend};
use std::fs::{File, Metadata, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// Below this a change may fail in the middle of the day; below the other, now.
const LITTLE: u64 = 100 << 20;
const NOTHING: u64 = 1 << 20;

/// No clock that is right says less: this version was not there before.
const WRITTEN: civil::Date = civil::date(2026, 1, 1);

/// Who may do something with a file beside its owner.
const OTHERS: u32 = 0o077;

/// Looks at all of it; what is open to others is closed where that is asked for.
pub fn examine(home: &Path, mend: Mend, examined: &mut Examined) {
    clock(Timestamp::now(), examined);
    let Ok(folder) = std::fs::metadata(home) else { return };
    if belongs_to_another(&folder) {
        let text = "belongs to another user; make it yours (chown -R), or name a home of your own by LOCI_HOME";
        examined.fault(home.display().to_string(), text);
    }
    if folder.mode() & OTHERS != 0 && !closed(home, 0o700, mend, examined) {
        let text = format!("others on this machine may look into it; close it: chmod 700 {}", home.display());
        examined.advise(home.display().to_string(), text);
    }
    token(&home.join("token"), mend, examined);
    room(home, examined);
}

/// Whoever has the token has all of memory.
fn token(file: &Path, mend: Mend, examined: &mut Examined) {
    match File::open(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => {
            examined.fault("token", format!("{} cannot be read ({error}); make it yours (chown, chmod 600), or remove it: loci serve makes a new one", file.display()));
        }
        Ok(open) => {
            let mode = open.metadata().map_or(0, |token| token.mode());
            if mode & OTHERS != 0 && !closed(file, 0o600, mend, examined) {
                let text = "others on this machine may read it, and with it all of memory; remove it, restart loci serve for a new one, or at least close it";
                examined.fault("token", format!("{text}: chmod 600 {}", file.display()));
            }
        }
    }
}

fn closed(path: &Path, mode: u32, mend: Mend, examined: &mut Examined) -> bool {
    let closed = mend == Mend::Fix && std::fs::set_permissions(path, Permissions::from_mode(mode)).is_ok();
    if closed {
        examined.mended(path.display().to_string(), "is closed to others");
    }
    closed
}

fn belongs_to_another(folder: &Metadata) -> bool {
    let own = rustix::process::geteuid();
    !own.is_root() && folder.uid() != own.as_raw()
}

fn room(home: &Path, examined: &mut Examined) {
    let Ok(disk) = rustix::fs::statvfs(home) else { return };
    left("bytes", disk.f_bavail.saturating_mul(disk.f_frsize), LITTLE, NOTHING, examined);
    // A file system without a number of its own for files says 0 of 0.
    if disk.f_files > 0 {
        left("files", disk.f_favail, 1_000, 10, examined);
    }
}

fn left(what: &str, left: u64, little: u64, nothing: u64, examined: &mut Examined) {
    if left < nothing {
        examined.fault("disk", format!("has room for {left} {what}: nothing more can be kept; make room"));
    } else if left < little {
        examined.advise("disk", format!("has room for {left} {what} only; make room before it is full"));
    }
}

fn clock(now: Timestamp, examined: &mut Examined) {
    if now.to_zoned(jiff::tz::TimeZone::UTC).date() < WRITTEN {
        // Memory itself is whole.
        examined.advise(
            "clock",
            format!("says {now}, which cannot be: leases and ages will be wrong; set it, or start its time service"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(look: impl FnOnce(&mut Examined)) -> (Vec<String>, Vec<String>) {
        let mut examined = Examined::default();
        look(&mut examined);
        let messages =
            |findings: Vec<loci_memory::doctor::Finding>| findings.into_iter().map(|it| it.message).collect();
        (messages(examined.faults), messages(examined.advice))
    }

    #[test]
    fn a_clock_of_1970_is_told() {
        assert_eq!(found(|examined| clock(Timestamp::UNIX_EPOCH, examined)).1.len(), 1);
        assert_eq!(found(|examined| clock(Timestamp::now(), examined)), (vec![], vec![]));
    }

    #[test]
    fn little_room_is_told_before_there_is_none() {
        let (none, _) = found(|examined| left("bytes", 10, LITTLE, NOTHING, examined));
        assert_eq!(none, ["has room for 10 bytes: nothing more can be kept; make room"]);
        let (faults, advice) = found(|examined| left("bytes", NOTHING, LITTLE, NOTHING, examined));
        assert_eq!((faults.len(), advice.len()), (0, 1));
        assert_eq!(found(|examined| left("bytes", LITTLE, LITTLE, NOTHING, examined)), (vec![], vec![]));
    }
}
