//! Who holds a lease: this process, told apart from every other one that ever was.
//!
//! Owns how a process names itself, and how another process on the same machine can tell that it is dead.
//! Never guesses: what cannot be looked up (another machine, another container, another system) counts as alive, and
//! its lease runs out in time.

use std::fmt;
use std::sync::OnceLock;

/// A process, by where and since when it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The machine since its last start, and the process ids that it counts by; empty where neither can be told.
    machine: String,
    process: u32,
    /// When the process started, by its machine's clock ticks.
    started: u64,
}

impl Owner {
    /// This process.
    pub fn this() -> &'static Owner {
        static THIS: OnceLock<Owner> = OnceLock::new();
        THIS.get_or_init(|| {
            let process = std::process::id();
            Owner { machine: machine(), process, started: started(process).unwrap_or_default() }
        })
    }

    /// Reads an owner back from a lease; `None` = somebody else's words.
    pub fn parse(words: &str) -> Option<Owner> {
        let mut parts = words.split(' ').map(|part| part.split_once('=').map_or("", |(_, value)| value));
        let (process, started, machine) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?);
        Some(Owner { machine: machine.to_owned(), process, started })
    }

    /// True when the process is known to have ended: same machine, same start of it, and no such process any more.
    pub fn is_dead(&self) -> bool {
        let this = Owner::this();
        if self.machine.is_empty() || self.started == 0 {
            return false;
        }
        match (self.boot(), this.boot()) {
            (Some(theirs), Some(ours)) if theirs.0 == ours.0 => {
                theirs.1 == ours.1 && started(self.process) != Some(self.started)
            }
            // A machine has one start at a time, but two machines may share a home: only the lease can tell them apart.
            _ => false,
        }
    }

    fn boot(&self) -> Option<(&str, &str)> {
        self.machine.split_once('/')
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pid={} started={} machine={}", self.process, self.started, self.machine)
    }
}

/// The machine's start and the namespace of its process ids.
fn machine() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let names = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    match boot.trim() {
        "" => String::new(),
        boot => format!("{boot}/{}", names.display()),
    }
}

/// When a process started, in ticks since the machine did; `None` = it is not there, or cannot be looked up.
fn started(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program is in parentheses and may hold anything; field 22 is counted behind it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    // A zombie holds nothing any more.
    if state == "Z" || state == "X" { None } else { fields.nth(18)?.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_alive_and_known_again() {
        let this = Owner::this();
        assert_eq!(Owner::parse(&this.to_string()).as_ref(), Some(this));
        assert!(!this.is_dead());
        assert_eq!(Owner::parse("somebody"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_ended_is_dead_and_one_elsewhere_is_not() {
        let this = Owner::this();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = Owner { process: child.id(), started: started(child.id()).unwrap_or(1), ..this.clone() };
        child.wait().unwrap();
        assert!(gone.is_dead());
        // The same number, used again by a later process.
        assert!(Owner { started: this.started + 1, ..this.clone() }.is_dead());
        for elsewhere in ["", "other/pid:[1]", "no-slash"] {
            assert!(!Owner { machine: elsewhere.to_owned(), ..gone.clone() }.is_dead(), "{elsewhere}");
        }
    }
}
