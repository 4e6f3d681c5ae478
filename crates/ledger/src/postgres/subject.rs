//! Subjects: what only one writer at a time may work at.
//!
//! SQLite has one writer; here writers of different subjects run side by side, and those of one subject in a row. A
//! subject is an advisory lock that is let go with the transaction, so nothing is left behind by who dies.

use loci_domain::change::{Identity, Place};

/// One subject or several; locks are taken in the order of their numbers, so that two writers never wait for each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject(Vec<(i64, Way)>);

/// How a subject is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Alone,
    Together,
}

impl Subject {
    /// None at all: the rows themselves keep writers apart.
    pub(super) fn none() -> Subject {
        Subject(Vec::new())
    }

    /// A place: its files, its journal, its numbers.
    pub(super) fn root(place: &Place) -> Subject {
        Subject::of("root", &[&place.0])
    }

    /// Whose memory it is: use, pins, acceptance and evidence of its files.
    pub(super) fn identity(identity: &Identity) -> Subject {
        Subject::of("identity", &[&identity.0])
    }

    /// All images. Who refers to some has them together with others; who removes what nobody refers to has them alone.
    pub(super) fn images() -> Subject {
        Subject::of("images", &[])
    }

    /// A lane of tasks.
    pub(super) fn lane(lane: &str) -> Subject {
        Subject::of("lane", &[lane])
    }

    /// A conversation of an account.
    pub(super) fn conversation(account: &str, key: &str) -> Subject {
        Subject::of("conversation", &[account, key])
    }

    /// A whole table, or what a word stands for.
    pub(super) fn table(name: &str) -> Subject {
        Subject::of("table", &[name])
    }

    /// Anything else: a word for what it is, and its key.
    pub(super) fn of(word: &str, key: &[&str]) -> Subject {
        // FNV-1a. Two subjects that share a number only wait for each other without need.
        let mix = |code: u64, byte: u8| (code ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let parts = std::iter::once(word).chain(key.iter().copied());
        let bytes = parts.flat_map(|part| part.bytes().chain(std::iter::once(0xff)));
        Subject(vec![(bytes.fold(0xcbf2_9ce4_8422_2325, mix).cast_signed(), Way::Alone)])
    }

    /// The same subject beside others who only want that nobody has it alone.
    pub(super) fn together(mut self) -> Subject {
        self.0.iter_mut().for_each(|(_, way)| *way = Way::Together);
        self
    }

    /// This one and that one.
    pub(super) fn and(mut self, other: Subject) -> Subject {
        self.0.extend(other.0);
        self.0.sort_unstable();
        self.0.dedup_by_key(|(lock, _)| *lock);
        self
    }

    /// The statements that take the locks.
    pub(super) fn locks(&self) -> String {
        let taking = |(lock, way): &(i64, Way)| match way {
            Way::Alone => format!("; SELECT pg_advisory_xact_lock({lock})"),
            Way::Together => format!("; SELECT pg_advisory_xact_lock_shared({lock})"),
        };
        self.0.iter().map(taking).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_subjects_are_taken_in_one_order() {
        let (a, b) = (Subject::lane("a"), Subject::conversation("a", "b"));
        assert_eq!(a.clone().and(b.clone()).locks(), b.and(a.clone()).locks());
        assert_eq!(a.clone().and(a.clone()), a);
        assert_eq!(a.clone().together().and(a.clone()), a);
        assert_ne!(Subject::of("x", &["ab", "c"]), Subject::of("x", &["a", "bc"]));
        assert_eq!(Subject::none().locks(), "");
    }
}
