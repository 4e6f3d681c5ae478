use super::*;
use proptest::prelude::*;

/// The units of a text, however it is handed over; `None` for one that is too long.
fn units(cut: Cut, text: &[u8]) -> Vec<Option<String>> {
    let whole = bitten(cut, text, text.len().max(1));
    for size in [1, 2, 3, 5, 64] {
        assert_eq!(bitten(cut, text, size), whole, "in bites of {size}: {}", String::from_utf8_lossy(text));
    }
    whole
}

fn bitten(cut: Cut, text: &[u8], size: usize) -> Vec<Option<String>> {
    let mut cutter = Cutter::new(cut);
    let mut found: Vec<Found> = text.chunks(size).flat_map(|bytes| cutter.push(bytes)).collect();
    found.extend(cutter.finish());
    let told = |found: Found| match found {
        Found::Unit(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Found::TooLong => None,
    };
    found.into_iter().map(told).collect()
}

fn documents(text: &str) -> Vec<String> {
    units(Cut::Documents, text.as_bytes()).into_iter().flatten().collect()
}

#[test]
fn lines_are_units() {
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(units(Cut::Lines, b"a\n\nb\r\nend"), [some("a"), some(""), some("b\r"), some("end")]);
    assert_eq!(units(Cut::Lines, b""), []);
}

#[test]
fn a_document_is_cut_into_its_messages() {
    let expected =
        [r#"{"id":"s","messages":[]}"#, r#"{"a":[1,{"messages":[2]}]}"#, "\"x]\"", "7", r#"{"messages":[],"end":1}"#];
    let compact = r#"{"id":"s","messages":[{"a":[1,{"messages":[2]}]},"x]",7],"end":1}"#;
    assert_eq!(documents(compact), expected);
    let pretty =
        "{\n  \"id\":\"s\",\n  \"messages\":[\n {\"a\":[1,{\"messages\":[2]}]},\n  \"x]\",\n 7\n],\"end\":1}\n";
    let plain = |unit: String| unit.replace(['\n', ' '], "");
    assert_eq!(documents(pretty).into_iter().map(plain).collect::<Vec<_>>(), expected);
    assert_eq!(documents(r#"{"x":"messages","y":[1]}"#), [r#"{"x":"messages","y":[1]}"#]);
}

#[test]
fn lines_are_told_from_a_document() {
    let lines = "{\"id\":\"a\"}\n{broken\n{\"id\":\"b\",\"x\":\"un\n{\"id\":\"c\"}\n";
    assert_eq!(documents(lines), ["{\"id\":\"a\"}", "{broken", "{\"id\":\"b\",\"x\":\"un", "{\"id\":\"c\"}"]);
    let broken_first = "{broken\n\"text\"\n{\"x\":\"un\n{\"id\":\"c\"}\n{\"id\":\"d\"}";
    assert_eq!(documents(broken_first), ["{broken", "\"text\"", "{\"x\":\"un", "{\"id\":\"c\"}", "{\"id\":\"d\"}"]);
}

#[test]
fn what_was_cut_off_keeps_what_came_before() {
    let cut = r#"{"id":"s","messages":[{"a":1},{"b":"#;
    assert_eq!(documents(cut), [r#"{"id":"s","messages":[]}"#, r#"{"a":1}"#, r#"{"b":"#]);
    assert_eq!(documents(r#"{"id":"s","messages":[{"a":1},"#), [r#"{"id":"s","messages":[]}"#, r#"{"a":1}"#]);
    // A string that was left open ends with its line.
    let open = "{\n\"messages\":[\n{\"a\":\"x},\n{\"b\":1}\n]}";
    assert!(documents(open).iter().any(|unit| unit.contains("\"b\"")), "{:?}", documents(open));
}

#[test]
fn an_absurdly_long_unit_costs_no_memory_and_is_passed_over() {
    let long = "x".repeat(LONGEST + 1);
    assert_eq!(bitten(Cut::Lines, format!("{long}\nok").as_bytes(), 1 << 16), [None, Some("ok".to_owned())]);
    let document = format!("{{\"messages\":[{{\"a\":\"{long}\"}},{{\"b\":1}}]}}");
    let found = bitten(Cut::Documents, document.as_bytes(), 1 << 16);
    assert_eq!(found[1..3], [None, Some("{\"b\":1}".to_owned())]);
}

proptest! {
    #[test]
    fn bites_make_no_difference(text in "[\\[\\]{}\",:\\\\a\n messages]{0,60}", size in 1usize..9) {
        for cut in [Cut::Lines, Cut::Documents] {
            prop_assert_eq!(bitten(cut, text.as_bytes(), size), bitten(cut, text.as_bytes(), 100));
        }
    }
}
