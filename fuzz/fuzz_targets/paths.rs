//! What the grammar lets through cannot leave memory, and says the same when it is read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loci_domain::path::{EntryPath, Layout, Spot, TOP, Virtual};

fuzz_target!(|given: &str| {
    if let Ok(path) = EntryPath::parse(given) {
        stays_inside(&path);
        assert_eq!(path.as_str(), given, "a path is kept as it was given");
    }
    for layout in [Layout::Scoped, Layout::Bare] {
        // The fuzzer seldom finds the prefix by itself, so each text is tried below it too.
        for spelling in [given.to_owned(), format!("{TOP}/{given}"), format!("{TOP}/global/{given}")] {
            if let Some(root) = Virtual::root_spelled(&spelling, layout) {
                assert!(root.starts_with(TOP), "a root is below {TOP}: {root}");
                let again = Virtual::root_spelled(&root, layout);
                assert_eq!(again.as_deref(), Some(root.as_str()), "a root is a root");
            }
            if let Ok(parsed) = Virtual::parse(&spelling, layout) {
                assert!(spelling.starts_with(TOP), "{spelling:?} is not below {TOP}");
                match parsed.spot {
                    Spot::Inside(_, path) => stays_inside(&path),
                    Spot::Top | Spot::Root(_) => {
                        let named = Virtual::root_spelled(&spelling, layout);
                        assert!(named.is_some(), "the grammar and root_spelled disagree on {spelling:?}");
                    }
                }
            }
        }
    }
});

fn stays_inside(path: &EntryPath) {
    for segment in path.segments() {
        assert!(!matches!(segment, "" | "." | ".."), "{path} has the segment {segment:?}");
        assert!(!segment.contains(['\0', '\\', '/']), "{path} has a separator in a segment");
    }
    assert_eq!(EntryPath::parse(path.as_str()).as_ref(), Ok(path), "a path reads back as itself");
}
