//! What the targets share.

use loci_domain::transcript::{About, Format, Reader, Scout, Turn};

/// Any bytes are a transcript: turns have ids, no NUL is left, and however it is handed over, the same is read.
pub fn read(format: Format, bytes: &[u8]) {
    let whole = in_bites(format, bytes, bytes.len().max(1));
    let bite = usize::from(bytes.first().copied().unwrap_or_default() % 61) + 1;
    assert_eq!(whole, in_bites(format, bytes, bite), "in bites of {bite} something else is read");
    for turn in &whole.0 {
        assert!(!turn.id.is_empty() && turn.id.len() <= 200, "an id has 1 to 200 bytes: {:?}", turn.id);
        assert!(!turn.id.contains('\0') && !turn.content.contains('\0'), "no NUL is left");
    }
    let title = whole.1.title.unwrap_or_default();
    assert!(title.len() <= 300 && !title.chars().any(char::is_control), "a title is one line: {title:?}");
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    let elements = bytes.iter().filter(|byte| matches!(byte, b',' | b']' | b'}' | b'[')).count();
    assert!(whole.2 <= (lines + elements + 1) as u64, "nothing is counted twice");
    Format::recognise(bytes);
}

fn in_bites(format: Format, bytes: &[u8], bite: usize) -> (Vec<Turn>, About, u64) {
    let mut reader = Reader::new(format);
    if format.revises() {
        let mut scout = Scout::new(format);
        bytes.chunks(bite).for_each(|bytes| scout.read(bytes));
        reader = reader.without(scout.finish());
    }
    let mut turns: Vec<Turn> = bytes.chunks(bite).flat_map(|bytes| reader.read(bytes)).collect();
    turns.extend(reader.finish());
    (turns, reader.about(), reader.skipped())
}
