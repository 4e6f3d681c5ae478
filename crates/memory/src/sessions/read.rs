//! Driving a reader over a transcript, however large it is: no more than a bite of it is in memory.

use super::source::Source;
use jiff::Timestamp;
use loci_domain::transcript::{About, Format, Reader, Role, Scout, Turn};
use std::io::{self, ErrorKind, Read, SeekFrom};

/// Bytes that are read at once.
const BITE: usize = 256 << 10;
/// Bytes in which a transcript is expected to say what it is and where it took place.
const START: usize = 1 << 20;
/// Bytes in which something is expected to be said: a first message may be as long as any.
const SPOKEN: usize = 20 << 20;
/// Bytes at the end of a transcript in which agents repeat its title.
const END: i64 = 64 << 10;
/// Characters of what was said first.
const FIRST: usize = 120;

/// A transcript on its way.
pub struct Reading<'a> {
    source: &'a mut dyn Source,
    reader: Reader,
    bite: Vec<u8>,
    /// Bytes to come: what is written after the first pass is for the next time.
    left: u64,
    over: bool,
}

/// What the start of a transcript says of its session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Glance {
    /// Name, place and title, as far as they stand there.
    pub about: About,
    /// The first words of the person, on one line.
    pub first: Option<String>,
    /// When something was first said.
    pub at: Option<Timestamp>,
}

impl<'a> Reading<'a> {
    /// Starts at the beginning. A format that takes things back is gone through once for that.
    pub fn start(format: Format, source: &'a mut dyn Source) -> io::Result<Reading<'a>> {
        source.rewind()?;
        let (mut bite, mut left, mut reader) = (vec![0; BITE], u64::MAX, Reader::new(format));
        if format.revises() {
            let mut scout = Scout::new(format);
            left = 0;
            loop {
                match bitten(source, &mut bite)? {
                    0 => break,
                    length => {
                        scout.read(&bite[..length]);
                        left += length as u64;
                    }
                }
            }
            source.rewind()?;
            reader = reader.without(scout.finish());
        }
        Ok(Reading { source, reader, bite, left, over: false })
    }

    /// The next turns, which may be none; `None` at the end.
    pub fn more(&mut self) -> io::Result<Option<Vec<Turn>>> {
        if self.over {
            return Ok(None);
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(self.bite.len());
        let length = bitten(self.source, &mut self.bite[..most])?;
        self.left -= length as u64;
        self.over = length == 0;
        Ok(Some(if self.over { self.reader.finish() } else { self.reader.read(&self.bite[..length]) }))
    }

    /// What the transcript says of its session so far.
    pub fn about(&self) -> About {
        self.reader.about()
    }

    /// How many units made no sense so far.
    pub fn skipped(&self) -> u64 {
        self.reader.skipped()
    }
}

/// Looks at the start of a transcript, no further than it takes, and for its title at the end.
pub fn glance(format: Format, source: &mut dyn Source) -> io::Result<Glance> {
    source.rewind()?;
    let (mut reader, mut bite, mut seen) = (Reader::new(format), vec![0; 16 << 10], 0);
    let mut glance = Glance::default();
    while seen < SPOKEN {
        let length = bitten(source, &mut bite)?;
        seen += length;
        let turns = if length == 0 { reader.finish() } else { reader.read(&bite[..length]) };
        for turn in turns {
            glance.at = glance.at.or(turn.at);
            glance.first = glance.first.or_else(|| first_words(&turn));
        }
        glance.about = reader.about();
        let known = glance.about.session.is_some() && glance.about.directory.is_some();
        if length == 0 || glance.first.is_some() && (known || seen >= START) {
            break;
        }
    }
    // Where it cannot be looked at from its end, the start has to do.
    if source.seek(SeekFrom::End(-END)).is_ok() {
        let mut end = Vec::new();
        source.take(END.unsigned_abs()).read_to_end(&mut end)?;
        reader.finish();
        reader.read(&end);
        reader.finish();
        glance.about.title = reader.about().title;
    }
    Ok(glance)
}

/// The format that a transcript is written in, by its start; `None` when it looks like none.
pub fn recognise(source: &mut dyn Source) -> io::Result<Option<Format>> {
    source.rewind()?;
    let mut start = Vec::new();
    source.take(START as u64).read_to_end(&mut start)?;
    Ok(Format::recognise(&start))
}

/// Reads some bytes; 0 only at the end.
fn bitten(source: &mut dyn Source, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(into) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// The first words of a person's turn, on one line; nothing of others, and of one that says nothing.
pub(super) fn first_words(turn: &Turn) -> Option<String> {
    let mut words = turn.content.split_whitespace().peekable();
    words.peek().filter(|_| turn.role == Role::User)?;
    // No more of a long text is joined than is taken.
    let line = words.take(FIRST).collect::<Vec<_>>().join(" ");
    let plain: String = line.chars().filter(|sign| !sign.is_control()).take(FIRST).collect();
    Some(if plain.len() < line.len() { format!("{plain}…") } else { plain })
}
