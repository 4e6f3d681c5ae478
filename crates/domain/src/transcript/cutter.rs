//! Finding units in a stream of bytes: lines, or the parts of a document of JSON.
//!
//! A document is cut where it is long: each element of its `messages` is a unit, and so is what stands before them and
//! behind them, as an object without them. No more is held than one unit, of which no more than [`LONGEST`] is kept.
//! Whether the text of a unit makes sense is not decided here.

/// Bytes of a unit; what is longer is no message that anybody wrote.
pub(super) const LONGEST: usize = 16 << 20;
/// The field of a document whose elements are units.
const CUT: &[u8] = b"messages";

/// How a format is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Each line is a unit.
    Lines,
    /// One document after the other; lines, once a line was one.
    Documents,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// The bytes of a unit, not checked for anything.
    Unit(Vec<u8>),
    /// A unit that is too long to be one.
    TooLong,
}

/// Cuts a stream.
#[derive(Debug)]
pub(super) struct Cutter {
    cut: Cut,
    unit: Vec<u8>,
    too_long: bool,
    /// Open brackets and braces.
    depth: u32,
    string: Option<Escape>,
    /// The last string of an object at the top, as far as it could be the field that is cut.
    field: Vec<u8>,
    /// The last byte that is no blank.
    last: u8,
    /// Between the elements of the field that is cut.
    inside: bool,
    /// Something was cut out of this document.
    parted: bool,
    /// Still on the line on which a document started.
    first_line: bool,
}

/// Whether the next sign of a string stands for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    No,
    Yes,
}

impl Cutter {
    pub(super) fn new(cut: Cut) -> Cutter {
        Cutter {
            cut,
            unit: Vec::new(),
            too_long: false,
            depth: 0,
            string: None,
            field: Vec::new(),
            last: b' ',
            inside: false,
            parted: false,
            first_line: true,
        }
    }

    /// The units that end in these bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<Found> {
        let mut found = Vec::new();
        let mut rest = bytes;
        while let Some(byte) = rest.first() {
            if self.cut == Cut::Lines {
                rest = self.line(rest, &mut found);
            } else {
                self.step(*byte, &mut found);
                rest = &rest[1..];
            }
        }
        found
    }

    /// What is left when nothing more comes.
    pub(super) fn finish(&mut self) -> Vec<Found> {
        let mut found = Vec::new();
        // Between elements nothing is left: a document that was cut off there lost nothing that it had.
        if !self.unit.is_empty() || self.too_long {
            self.end(&mut found);
        }
        *self = Cutter::new(self.cut);
        found
    }

    /// Takes a line, or as much of it as there is; what is left.
    fn line<'a>(&mut self, bytes: &'a [u8], found: &mut Vec<Found>) -> &'a [u8] {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        self.keep(&bytes[..end.unwrap_or(bytes.len())]);
        match end {
            Some(end) => {
                self.end(found);
                &bytes[end + 1..]
            }
            None => &[],
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.too_long || self.unit.len() + bytes.len() > LONGEST {
            self.too_long = true;
            self.unit = Vec::new();
        } else {
            self.unit.extend_from_slice(bytes);
        }
    }

    fn end(&mut self, found: &mut Vec<Found>) {
        let unit = std::mem::take(&mut self.unit);
        found.push(if std::mem::take(&mut self.too_long) { Found::TooLong } else { Found::Unit(unit) });
    }

    /// Takes one byte of a document.
    fn step(&mut self, byte: u8, found: &mut Vec<Found>) {
        match self.string {
            // No string of JSON goes over a line: whatever was left open ends here, so that what follows is read.
            Some(_) if byte == b'\n' => {
                (self.string, self.last) = (None, b'"');
                self.new_line(found);
            }
            Some(escape) => self.in_string(byte, escape),
            None => self.between(byte, found),
        }
    }

    fn in_string(&mut self, byte: u8, escape: Escape) {
        self.keep(&[byte]);
        self.string = match (escape, byte) {
            (Escape::No, b'"') => None,
            (Escape::No, b'\\') => Some(Escape::Yes),
            _ => Some(Escape::No),
        };
        if self.string.is_none() {
            self.last = b'"';
        } else if self.depth == 1 && self.field.len() <= CUT.len() {
            self.field.push(byte);
        }
    }

    fn between(&mut self, byte: u8, found: &mut Vec<Found>) {
        match byte {
            b'\n' => self.new_line(found),
            b' ' | b'\t' | b'\r' if self.unit.is_empty() => {}
            b'{' | b'[' => self.open(byte, found),
            b'}' | b']' => self.close(byte, found),
            b',' if self.inside && self.depth == 2 => self.end_scalar(found),
            byte => {
                if byte == b'"' {
                    self.string = Some(Escape::No);
                    self.field.clear();
                }
                self.keep(&[byte]);
            }
        }
        if !byte.is_ascii_whitespace() {
            self.last = byte;
        }
    }

    fn open(&mut self, byte: u8, found: &mut Vec<Found>) {
        self.keep(&[byte]);
        self.depth = self.depth.saturating_add(1);
        let is_value = self.depth == 2 && byte == b'[' && self.last == b':';
        if is_value && !self.inside && self.field == CUT {
            self.keep(b"]}");
            self.end(found);
            (self.inside, self.parted) = (true, true);
        }
    }

    fn close(&mut self, byte: u8, found: &mut Vec<Found>) {
        if self.inside && self.depth == 2 {
            self.end_scalar(found);
            self.inside = false;
            self.depth = 1;
            // What follows belongs to an object of which the elements are gone.
            self.keep(b"{\"messages\":[]");
            return;
        }
        self.keep(&[byte]);
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 || (self.inside && self.depth == 2) {
            self.end(found);
        }
        self.parted &= self.depth > 0;
    }

    /// An element that is no object ends where the next one starts.
    fn end_scalar(&mut self, found: &mut Vec<Found>) {
        if !self.unit.is_empty() || self.too_long {
            self.end(found);
        }
    }

    fn new_line(&mut self, found: &mut Vec<Found>) {
        let goes_on = matches!(self.last, b'{' | b'[' | b',' | b':');
        if self.depth == 0 {
            let was_a_line = self.last == b'}' && self.first_line;
            self.end_scalar(found);
            if was_a_line {
                self.cut = Cut::Lines;
            }
            self.first_line = true;
        } else if self.first_line && !goes_on && !self.parted {
            // A line that is broken, and not the first of a document.
            self.end_scalar(found);
            self.depth = 0;
        } else {
            self.first_line = false;
            self.keep_blank();
        }
    }

    /// A line end between the words of a unit.
    fn keep_blank(&mut self) {
        if !self.unit.is_empty() {
            self.keep(b"\n");
        }
    }
}

#[cfg(test)]
mod tests;
