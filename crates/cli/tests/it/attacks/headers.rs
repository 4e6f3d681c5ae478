//! Headers of all kinds, whole, cut off and piled up: none panics, costs much or loses a body, wherever a document is read.
//!
//! The inputs are the constructs that YAML's specification has examples of, in words of our own, and what is known to blow
//! readers up; cut at every place they are thousands.

use super::doors::{Door, House};
use crate::support::{G, replace, view};
use loci_domain::frontmatter::split;
use loci_testkit::home::{documents, write};
use std::time::{Duration, Instant};

/// What the specification has, construct by construct.
const YAML: &[&str] = &[
    "- one\n- two\n",
    "a: 1\nb: 2\n",
    "list:\n  - x\n  - y\nother:\n- z\n",
    "-\n  name: A\n  n: 1\n-\n  name: B\n",
    "[a, [b, c], {d: e}]\n",
    "a: {b: 1, c: [2, 3]}\n",
    "{a, b: , ? c : d}\n",
    "# comment\na: b # behind\n#\n",
    "--- # second\na: b\n...\n---\nc: d\n",
    "a: &x one\nb: *x\n",
    "&m a: &v b\n*m : c\n",
    "? complex\n: value\n? - seq\n  - key\n: - one\n",
    "? [flow, key]\n: [a]\n? {b: c}\n",
    "- - - deep\n    - er\n  - out\n",
    "text: |\n  kept\n   lines\n\n  end\n",
    "text: >\n  folded\n  lines\n\n  new\n",
    "a: |-\n  strip\nb: |+\n  keep\n\nc: >2-\n    indent\n",
    "a: |0\n x\nb: |99\n x\nc: |x\n",
    "plain: many\n  lines of\n  text\n",
    "'single ''quoted''': \"double \\\"quoted\\\" \\x41 \\u00e9 \\U0001F600\"\n",
    "\"escapes\": \"\\0\\a\\b\\e\\f\\n\\r\\t\\v\\ \\_\\N\\L\\P\\\\\\/\"\n",
    "bad: \"\\q \\x4 \\ud800\"\n",
    "'open\n",
    "\"open\n",
    "int: [0, 0o14, 0xC, -12, +1_000, 0b1]\nfloat: [1.5e3, .inf, -.INF, .nan]\n",
    "null: [~, null, Null, '']\nbool: [true, False, yes, off, y]\n",
    "date: [2001-12-14, 2001-12-14t21:59:43.10-05:00, 2001-12-15 2:59:43.10]\n",
    "s: !!str 12\nb: !!binary R0lGODlhAQABAAAAACw=\nset: !!set {? a, ? b}\n",
    "o: !!omap [a: 1, b: 2]\np: !!pairs [a: 1, a: 2]\n",
    "l: !local x\nv: !<tag:example.com,2000:a> y\nn: ! z\n",
    "%TAG ! tag:example.com,2000:\n--- !shape\na: b\n",
    "%YAML 1.2\n---\na: b\n",
    "%YAML 9.9\n%FOO bar\n---\na: b\n",
    "x: !!python/object/apply:os.system ['touch pwned']\n",
    "x: !ruby/object:Gem::Installer {i: x}\n",
    "<<: {a: 1}\nb: 2\n",
    "base: &b {name: X}\n<<: *b\nname: Y\n",
    "<<: [*none, {a: 1}]\n",
    "a: *nobody\n",
    "a: &a [*a]\n",
    "a: 1\na: 2\n",
    "{a: 1, a: 2}\n",
    "\ta: tab\n",
    "a:\t1\n\tb: 2\n",
    "a:\n\t- b\n",
    "a: b: c\n",
    "a: [b\nc: d]\n",
    "a: }\n",
    "- a\nb: c\n",
    "a:\n- b\n c: d\n",
    "@a: b\n`c: d\n",
    "a: @b\n",
    ": no key\n",
    "?\n",
    "-\n",
    "---\n---\n",
    "...\n",
    "a: b\r\nc: d\r\n",
    "a: b\rc: d\r",
    "a: \u{2028}b\u{2029}c\u{85}d\n",
    "\u{feff}a: b\n",
    "a: \u{0}b\n",
    "a: \u{7}\u{1b}[31mred\n",
    "\u{202e}eman: A\n",
    "é: ü\n日本: 語\n😀: 😁\n",
    "name: A\ndescription: d\ntype: user\n",
    "name: [A]\ndescription: {d: e}\ntype: 7\n",
    "name: &n A\ndescription: *n\ntype: !t user\n",
];

/// What blows naive readers up.
fn piled_up() -> Vec<String> {
    let rows = |row: fn(usize) -> String, many: usize| (0..many).map(row).collect::<String>();
    let bomb = |each: &str, open: &str, close: &str| {
        let lines = (1..14).map(|n| format!("a{n}: &a{n} {open}{}{close}\n", each.replace('#', &(n - 1).to_string())));
        format!("a0: &a0 {open}x,x,x,x,x,x,x,x,x{close}\n{}", lines.collect::<String>())
    };
    vec![
        bomb("*a#,*a#,*a#,*a#,*a#,*a#,*a#,*a#,*a#", "[", "]"),
        format!("{}name: *a13\n", bomb("*a#,*a#,*a#,*a#,*a#,*a#,*a#,*a#,*a#", "[", "]")),
        bomb("p: *a#, q: *a#, r: *a#, s: *a#", "{", "}").replacen("x,x,x,x,x,x,x,x,x", "p: x", 1),
        rows(|n| format!("k{n}: &k{n} {{<<: *k{}}}\n", n.saturating_sub(1)), 2_000),
        format!("{}: v\n", "k".repeat(1_000_000)),
        format!("name: {}\n", "n".repeat(1_000_000)),
        format!("name: \"{}\"\n", "\\u0041".repeat(10_000)),
        "[".repeat(20_000),
        "{a: ".repeat(10_000),
        "- ".repeat(20_000),
        "? ".repeat(20_000),
        "!a ".repeat(10_000),
        "&a ".repeat(10_000),
        "'".repeat(40_000),
        "#\n".repeat(20_000),
        "--- \n".repeat(8_000),
        "\t".repeat(40_000),
        rows(|n| format!("{}k:\n", " ".repeat(n)), 250),
        rows(|n| format!("same: {n}\n"), 4_000),
    ]
}

/// A document of a header: closed, unclosed, with other ends of lines, behind a mark of byte order.
fn dressed(header: &str, body: &str) -> [String; 4] {
    [
        format!("---\n{header}\n---\n{body}"),
        format!("---\n{header}\n{body}"),
        format!("---\r\n{}\r\n---\r\n{body}", header.replace('\n', "\r\n")),
        format!("\u{feff}---\n{header}\n---\n{body}"),
    ]
}

const BODY: &str = "The body stays, whatever stands above it.\n";

#[test]
fn no_header_of_yaml_cut_off_anywhere_loses_a_body_or_takes_long() {
    let mut tried = 0;
    let mut slowest = Duration::ZERO;
    for header in YAML {
        for cut in (0..=header.len()).rev().filter(|at| header.is_char_boundary(*at)) {
            for text in dressed(&header[..cut], BODY) {
                let start = Instant::now();
                let found = split(&text);
                slowest = slowest.max(start.elapsed());
                assert_eq!(found.body.end, text.len(), "{text:?}");
                assert!(text[found.body].contains(BODY.trim_end()), "{text:?}");
                tried += 1;
            }
        }
    }
    for text in piled_up().iter().flat_map(|header| dressed(header, BODY)) {
        let quickest = (0..3).map(|_| {
            let start = Instant::now();
            let found = split(&text);
            assert!(text[found.body].contains(BODY.trim_end()), "{:?}", text.chars().take(60).collect::<String>());
            start.elapsed()
        });
        // The quickest of three: a machine that does other things may hold up any single one.
        let took = quickest.min().unwrap();
        assert!(took < Duration::from_millis(100), "{took:?} for {:?}", text.chars().take(60).collect::<String>());
        tried += 1;
    }
    println!("{tried} headers, the slowest of the small ones {slowest:?}");
    assert!(tried > 5_000);
}

#[test]
fn hostile_headers_are_read_edited_and_listed_at_every_door() {
    let mut house = House::new();
    let plain = YAML.iter().map(|header| (*header).to_owned());
    let all: Vec<String> = plain.chain(piled_up().into_iter().filter(|header| header.len() < 60_000)).collect();
    for (number, header) in all.iter().enumerate() {
        write(&house.home.global().join(format!("h{number}.md")), &dressed(header, BODY)[number % 4]);
    }
    let outside = house.outside();
    for (turn, door) in Door::ALL.into_iter().enumerate() {
        // One call of this process to take the newcomers in; from then on each read is on its own.
        house.call(door, &view(&format!("{G}real.md")));
        for (number, header) in all.iter().enumerate() {
            let path = format!("{G}h{number}.md");
            let took = (0..3).map(|_| house.call(door, &view(&path)).took).min().unwrap();
            assert!(took < Duration::from_millis(100), "{door:?} {path}: {took:?}");
            if number % Door::ALL.len() == turn && door != Door::Page {
                let edited = house.call(door, &replace(&path, "whatever stands above it", "and can be edited"));
                // What holds a NUL is no text for anybody.
                assert!(edited.done || header.contains('\0'), "{door:?} {path}: {}", edited.words);
            }
        }
    }
    let listed = house.home.list();
    assert!(listed.len() > all.len() - 2, "{} of {} are listed", listed.len(), all.len());
    for words in [&["context"][..], &["recall", "the body stays"], &["index"]] {
        house.home.ok(words);
    }
    for (name, text) in documents(&house.home.global()).iter().filter(|(name, _)| name.starts_with('h')) {
        assert!(text.contains("The body stays"), "{name} lost its body");
    }
    assert_eq!(house.outside(), outside, "no header ran anything");
}
