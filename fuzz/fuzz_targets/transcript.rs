//! Any text is lines of a transcript: each is a turn with an id, or is counted, and reading twice says the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loci_domain::transcript::{Format, Reader};

fuzz_target!(|text: &str| {
    for format in Format::ALL {
        let mut reader = Reader::new(format);
        let mut again = Reader::new(format);
        for line in text.split('\n') {
            let before = reader.skipped();
            let turns = reader.read(line);
            assert_eq!(turns, again.read(line), "reading again says something else");
            assert!(turns.is_empty() || reader.skipped() == before, "a line that was read is not counted as skipped");
            for turn in turns {
                assert!(!turn.id.is_empty() && turn.id.len() <= 200, "an id has 1 to 200 bytes: {:?}", turn.id);
                assert!(!turn.id.contains('\0') && !turn.content.contains('\0'), "no NUL is left");
            }
        }
    }
});
