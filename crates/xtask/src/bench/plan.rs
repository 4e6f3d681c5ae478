//! How much is measured, and what becomes of it: the flags of `cargo xtask bench`.

use super::parts::PARTS;
use anyhow::{Context, Result, bail, ensure};

/// What the flags ask for.
#[derive(Debug, PartialEq, Eq)]
pub enum Work {
    Measure(Plan),
    /// Several daemons under load, which is a run of its own.
    Nodes,
}

/// How much is measured.
#[derive(Debug, PartialEq, Eq)]
pub struct Plan {
    /// Documents in the store; the first is what growth is measured from.
    pub sizes: &'static [usize],
    /// Documents that other servers are given.
    pub peer_sizes: &'static [usize],
    /// Whole processes that are started for one number.
    pub starts: usize,
    /// Durable creates for one number.
    pub creates: usize,
    /// Calls that only read, for one number.
    pub reads: usize,
    /// Times that a writer is killed.
    pub kills: usize,
    /// Messages of sessions that recall looks through.
    pub messages: usize,
    /// Seconds of requests over HTTP.
    pub asking: u64,
    /// Seconds of tasks over HTTP.
    pub tasking: u64,
    pub publishing: Publishing,
    extent: Extent,
    /// One part of it; `None` = all.
    only: Option<&'static str>,
    beside: Peers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publishing {
    Nothing,
    /// `docs/benchmarks.md` and its pictures.
    Page,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Full,
    Quick,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Peers {
    Asked,
    LeftOut,
}

impl Plan {
    /// What is published.
    fn full() -> Plan {
        Plan {
            sizes: &[100, 1_000, 10_000],
            peer_sizes: &[1_000, 10_000],
            starts: 60,
            creates: 300,
            reads: 300,
            kills: 50,
            messages: 100_000,
            asking: 10,
            tasking: 20,
            publishing: Publishing::Nothing,
            extent: Extent::Full,
            only: None,
            beside: Peers::Asked,
        }
    }

    /// What is good enough to see a mistake.
    fn quick() -> Plan {
        Plan {
            sizes: &[100, 1_000],
            peer_sizes: &[1_000],
            starts: 20,
            creates: 100,
            reads: 100,
            kills: 10,
            messages: 10_000,
            asking: 3,
            tasking: 6,
            extent: Extent::Quick,
            ..Plan::full()
        }
    }

    /// Whether a part is measured.
    pub fn wants(&self, part: &str) -> bool {
        self.only.is_none_or(|only| only == part) && (part != "peers" || self.beside == Peers::Asked)
    }

    /// Whether it is all that is published.
    pub fn is_whole(&self) -> bool {
        self.extent == Extent::Full && self.only.is_none() && self.beside == Peers::Asked
    }
}

/// Reads the flags.
pub fn read(flags: &[&str]) -> Result<Work> {
    if flags == ["--nodes"] {
        return Ok(Work::Nodes);
    }
    let mut plan = if flags.contains(&"--quick") { Plan::quick() } else { Plan::full() };
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match *flag {
            "--quick" => {}
            "--no-peers" => plan.beside = Peers::LeftOut,
            "--publish" => plan.publishing = Publishing::Page,
            "--only" => {
                let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
                let wanted = flags.next().and_then(|name| names.iter().find(|known| *known == name));
                plan.only = Some(wanted.with_context(|| format!("--only takes one of {}", names.join(", ")))?);
            }
            other => bail!("bench takes --quick, --no-peers, --only PART and --publish, or --nodes alone; got {other}"),
        }
    }
    ensure!(
        plan.publishing == Publishing::Nothing || plan.is_whole(),
        "only a whole run is published: leave out --quick, --no-peers and --only"
    );
    Ok(Work::Measure(plan))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(flags: &[&str]) -> Plan {
        match read(flags).unwrap() {
            Work::Measure(plan) => plan,
            Work::Nodes => panic!("{flags:?} measure nothing"),
        }
    }

    #[test]
    fn flags_are_read() {
        assert_eq!(plan(&[]), Plan::full());
        assert_eq!(plan(&["--quick"]), Plan::quick());
        assert_eq!(read(&["--nodes"]).unwrap(), Work::Nodes);
        assert!(plan(&["--publish"]).is_whole());
        assert!(!plan(&["--quick", "--no-peers"]).wants("peers"));
        let one = plan(&["--only", "kill"]);
        assert!(one.wants("kill") && !one.wants("tasks"));
        for wrong in [&["--only"][..], &["--only", "x"], &["--peers"], &["--nodes", "--quick"]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn only_a_whole_run_is_published() {
        for less in [&["--quick"][..], &["--no-peers"], &["--only", "kill"]] {
            assert!(read(&[less, &["--publish"]].concat()).is_err(), "{less:?}");
        }
    }
}
