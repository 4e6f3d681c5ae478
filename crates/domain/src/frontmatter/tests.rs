use super::*;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn fields(text: &str) -> Fields {
    match split(text).outcome {
        Outcome::Fields(fields) => fields,
        other => panic!("{text:?} gave {other:?}"),
    }
}

fn triple(text: &str) -> (String, String, String) {
    let Fields { name, description, kind } = fields(text);
    (name.unwrap_or_default(), description.unwrap_or_default(), kind.unwrap_or_default())
}

fn malformed(text: &str) -> String {
    match split(text).outcome {
        Outcome::Malformed(reason) => reason,
        other => panic!("{text:?} gave {other:?}"),
    }
}

fn body(text: &str) -> &str {
    &text[split(text).body]
}

#[test]
fn real_yaml_is_read() {
    let check = |text: &str, want: (&str, &str, &str)| {
        let (name, description, kind) = triple(text);
        assert_eq!((name.as_str(), description.as_str(), kind.as_str()), want, "{text:?}");
    };
    check("---\nname: A\ndescription: d\ntype: user\n---\nx", ("A", "d", "user"));
    check("---\r\nname: A\r\ndescription: d e\r\ntype: user  \r\n---\r\nx", ("A", "d e", "user"));
    check("---\rname: A\rtype: user\r---\rx", ("A", "", "user"));
    check("\u{FEFF}---\nname: A\n---\nx", ("A", "", ""));
    check("---  \t\nname: A\n--- \nx", ("A", "", ""));
    check("---\nname: A\n...\nx", ("A", "", ""));
    check(
        "---\nname: \"Deploy: \\\"blue\\\" # 1\"\ndescription: 'it''s: yes'\n---\n",
        ("Deploy: \"blue\" # 1", "it's: yes", ""),
    );
    check(
        "---\nname: L  # c\ntags: [a, 'b, c']\nextra:\n  deep: {k: v}\ndescription: >-\n  one\n  two\n---\n",
        ("L", "one two", ""),
    );
    check("---\nname: 007\ndescription: 1.50\ntype: no\n---\n", ("007", "1.50", "no"));
    check("---\nname: true\ndescription: 2026-11-15\n---\n", ("true", "2026-11-15", ""));
    check("---\nname: ~\ndescription: ''\ntype:\n---\n", ("", "", ""));
    check("---\n---\n", ("", "", ""));
    check("---\n\n# only a comment\n---\n", ("", "", ""));
    check(
        "---\nnan: .nan\nbig: 1e999\nlong: 123456789012345678901234567890123456789012345\nname: A\n---\n",
        ("A", "", ""),
    );
    check("---\nx: !!python/object:os.system {}\ny: !local z\nname: !mine A\n---\n", ("A", "", ""));
    check("---\nbase: &b {name: M}\nname: A\nalso: *b\n---\n", ("A", "", ""));
}

#[test]
fn ranges_are_those_of_the_text() {
    let text = "\u{FEFF}---\r\nname: A\r\n---\r\nBody.\r\n";
    let found = split(text);
    assert_eq!(&text[found.raw], "name: A\r\n");
    assert_eq!(&text[found.body], "Body.\r\n");
    assert_eq!(body("---\nname: A\n---"), "");
    assert_eq!(body("---\nm: |\n  ---\n  x\n---\nb\n---\nc"), "b\n---\nc");
}

#[test]
fn no_header_is_all_body() {
    for text in ["", "x", "# H\n---\n", " ---\na: b\n---\n", "----\na: b\n----\n", "\n---\na: b\n---\n"] {
        assert_eq!(split(text), Split { raw: 0..0, body: 0..text.len(), outcome: Outcome::None }, "{text:?}");
    }
}

#[test]
fn body_is_never_lost() {
    for text in ["---\nname: A\n\nBody.\n", "---", "---\n", "---\n  ---\n", "---\r\nname: A\r\n"] {
        let found = split(text);
        assert_eq!((found.outcome, found.body), (Outcome::Unclosed, 0..text.len()), "{text:?}");
    }
    let broken = "---\nname: [unclosed\n  : : :\ntype: user\n---\nStill a memory.\n";
    malformed(broken);
    assert_eq!(body(broken), "Still a memory.\n");
}

#[test]
fn prose_between_two_rules_is_no_header() {
    for prose in [
        "\nGiraffe sentence inside rules.\n\n",
        "- a: b\n- c\n",
        "*Bold* words.\n",
        "He said: go\nand left.\n",
        "[a, b]\n",
        "http://host:80 is up\n",
        "12:30 at the gate\n",
    ] {
        for text in [format!("---\n{prose}---\n\nMore.\n"), format!("\u{FEFF}---\n{prose}---\n").replace('\n', "\r\n")]
        {
            malformed(&text);
            let start = text.find("---").unwrap();
            assert_eq!(split(&text).body, start..text.len(), "{text:?}");
        }
    }
    for header in
        ["name: [a\n", "'my key': [\n", "# c\n\nname:\n- [\n", "{name: x\n", "\tname: \"open\n", "a: b\nprose\n"]
    {
        let text = format!("---\n{header}---\nMore.\n");
        malformed(&text);
        assert_eq!(body(&text), "More.\n", "{text:?}");
    }
}

#[test]
fn broken_headers_say_what_is_wrong_where() {
    assert_eq!(malformed("---\nname: A\nname: B\n---\n"), "a key occurs twice (line 3)");
    for text in [
        "---\nname: [a, b]\n---\n",
        "---\nname: {a: b}\n---\n",
        "---\n- a\n- b\n---\n",
        "---\njust text\n---\n",
        "---\nname:\tA\n\tb: c\n---\n",
        "---\nname: \"open\n---\n",
        "---\nname: *nobody\n---\n",
        "---\nx: {a: 1, a: 2}\n---\n",
    ] {
        let reason = malformed(text);
        assert!(!reason.is_empty() && reason.len() < 250 && !reason.contains('\n'), "{text:?} gave {reason:?}");
    }
    assert!(!malformed("---\ntoken: \"sk-12345\n  x: [\n---\n").contains("sk-12345"));
}

/// Shapes that make naive YAML readers blow up; each must be an answer in no time.
fn hostile() -> Vec<(&'static str, String)> {
    let mut laughs = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for i in 1..12 {
        let row = vec![format!("*a{}", i - 1); 9].join(",");
        laughs.push_str(&format!("a{i}: &a{i} [{row}]\n"));
    }
    let keys = |n: usize| (0..n).map(|i| format!("k{i}: v\n")).collect::<String>();
    vec![
        ("laughs", laughs),
        (
            "merge bomb",
            format!("b: &b {{x: 1}}\n{}", (0..3000).map(|i| format!("m{i}: {{<<: *b}}\n")).collect::<String>()),
        ),
        ("flow depth", "[".repeat(60_000)),
        ("map depth", "{a: ".repeat(16_000)),
        ("block depth", (0..300).map(|i| format!("{}a:\n", " ".repeat(i))).collect()),
        ("sequence depth", "- ".repeat(30_000)),
        ("question marks", "? ".repeat(30_000)),
        ("long key", format!("{}: v\n", "k".repeat(60_000))),
        ("huge key", format!("{}: v\n", "k".repeat(1_000_000))),
        ("many keys", keys(8_000)),
        ("many anchors", (0..5_000).map(|i| format!("k{i}: &a{i} v\n")).collect()),
        ("nested anchors", (0..3_000).map(|i| format!("&a{i} [")).collect::<String>()),
        ("many aliases", format!("a: &a x\nb: [{}]\n", "*a,".repeat(20_000))),
        ("many comments", "# c\n".repeat(16_000)),
        ("many documents", "--- a\n".repeat(10_000)),
        ("colons", ": ".repeat(30_000)),
        ("dashes and colons", "-:".repeat(30_000)),
        ("quotes", "'\"".repeat(30_000)),
        ("percent", "%YAML 1.2\n".repeat(6_000)),
        ("tags", "!!a ".repeat(15_000)),
        ("block scalar", format!("a: |\n{}", "  x\n".repeat(15_000))),
        ("folded", format!("a: >\n{}", "  x\n\n".repeat(12_000))),
        ("plain lines", format!("name: a\n{}", "  b\n".repeat(16_000))),
        ("escapes", format!("name: \"{}\"", "\\u0041".repeat(10_000))),
        ("spaces", " ".repeat(65_000)),
        ("tabs", "\t".repeat(65_000)),
        ("nul", "\0".repeat(1_000)),
    ]
}

#[test]
fn hostile_headers_are_cheap() {
    for (name, header) in hostile() {
        let text = format!("---\n{header}\n---\nKept.\n");
        let start = Instant::now();
        let found = split(&text);
        let took = start.elapsed();
        println!("{name}: {took:?} {}", format!("{:?}", found.outcome).chars().take(90).collect::<String>());
        assert!(text[found.body].ends_with("Kept.\n"), "{name}");
        assert!(took < Duration::from_millis(100), "{name} took {took:?}");
    }
    assert!(malformed(&format!("---\na: {}\n---\n", "x".repeat(LARGEST))).contains("65536"));
}

proptest! {
    #[test]
    fn any_text_is_answered(text in "\u{FEFF}?(---\r?\n)?([a-c:\\-\\[\\]{}&*!|>'\"#%@`, \t\r\n]|name|---|\\PC){0,60}(\r?\n---\r?\n)?.{0,20}") {
        let found = split(&text);
        prop_assert_eq!(found.body.end, text.len());
        prop_assert!(found.raw.end <= found.body.start && text.get(found.body).is_some() && text.get(found.raw).is_some());
    }

    #[test]
    fn quoted_names_round_trip(name in "[a-zA-Z0-9 :#\\-'\\[\\]{}é世界]{1,40}") {
        prop_assume!(!name.trim().is_empty());
        let text = format!("---\nname: '{}'\n---\n", name.replace('\'', "''"));
        prop_assert_eq!(fields(&text).name, Some(name));
    }
}
