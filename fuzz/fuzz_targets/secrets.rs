//! Findings are slices in order, redaction takes them all out, and redacting twice changes nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loci_domain::secrets;

fuzz_target!(|text: &str| {
    let mut end = 0;
    for found in secrets::scan(text) {
        assert!(found.span.start >= end, "findings ascend and do not overlap");
        assert!(text.get(found.span.clone()).is_some_and(|value| !value.is_empty()), "{:?} is no slice", found.span);
        assert_eq!(found.line, 1 + text[..found.span.start].matches('\n').count(), "the line of a finding");
        end = found.span.end;
    }
    let once = secrets::redact(text);
    assert_eq!(secrets::redact(&once), once, "redacting again changes the text");
});
