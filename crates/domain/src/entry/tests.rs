use super::*;
use crate::frontmatter;
use proptest::prelude::*;

const RICH: &str = "---\nname: Rich\ndescription: many shapes\ntype: project\n---\n\
# Heading one\n\n\
- Alpha uses walnut timber.\n\
- Bravo uses\n  cedar timber.\n    - nested detail about varnish\n      - deeper still\n\n      ```sh\n      varnish --coats 3\n      ```\n\
- Charlie uses bamboo.\n\n\
## Heading two\n\n\
Delta paragraph about maple.\nIt has two lines.\n\n\
Why: the customer asked for syrup.\n\
**How to apply:** every order in spring.\n\n\
```rust\nfn maple() { /* - not an entry */ }\n\n# not a heading\n```\n\n\
Echo paragraph about granite.\n\n\
> quoted words belong to Echo\n\n\
   \n\tstrange  whitespace \n";

fn found(text: &str) -> Vec<Entry> {
    entries(text, frontmatter::split(text).body)
}

fn texts(text: &str) -> Vec<&str> {
    found(text).iter().map(|entry| entry.text(text)).collect()
}

fn summaries(text: &str) -> Vec<String> {
    found(text).into_iter().map(|entry| entry.summary).collect()
}

fn without(text: &str, which: &[usize]) -> Option<String> {
    remove(text, frontmatter::split(text).body, which)
}

#[track_caller]
fn check(text: &str, want: &[&str]) {
    assert_eq!(texts(text), want, "{text:?}");
    let windows = text.replace('\n', "\r\n");
    let want: Vec<String> = want.iter().map(|entry| entry.replace('\n', "\r\n")).collect();
    assert_eq!(texts(&windows), want, "{windows:?}");
    let old = text.replace('\n', "\r");
    let want: Vec<String> = want.iter().map(|entry| entry.replace("\r\n", "\r")).collect();
    assert_eq!(texts(&old), want, "{old:?}");
}

#[test]
fn list_items_are_entries_with_all_that_is_nested() {
    check("- a\n- b\n", &["- a\n", "- b\n"]);
    check("* a\n  more\n* b", &["* a\n  more\n", "* b"]);
    check("1. a\n   - x\n     y\n2. b\n", &["1. a\n   - x\n     y\n", "2. b\n"]);
    check("- a\n\n  second paragraph\n\n- b\n", &["- a\n\n  second paragraph\n", "- b\n"]);
    check("- a\nlazy line\n- b\n", &["- a\nlazy line\n", "- b\n"]);
    check("-\ta\n\tb\n-\tc\n", &["-\ta\n\tb\n", "-\tc\n"]);
    check("  - a\n  - b\n", &["  - a\n", "  - b\n"]);
    check("- - a\n  - b\n- c\n", &["- - a\n  - b\n", "- c\n"]);
    check("- a\n\n      code\n- b\n", &["- a\n\n      code\n", "- b\n"]);
    check("-\n- b\n", &["- b\n"]);
    check("- [ ] task\n- [x] done\n", &["- [ ] task\n", "- [x] done\n"]);
}

#[test]
fn paragraphs_take_fields_code_and_quotes_along() {
    check("A\n\nB\n", &["A\n", "B\n"]);
    check("A\nmore\n\nWhy: x\n\nHow to apply: y\n\nB\n", &["A\nmore\n\nWhy: x\n\nHow to apply: y\n", "B\n"]);
    check("A\n\n```\nx\n\n- no\n```\n\n> q\n\nB\n", &["A\n\n```\nx\n\n- no\n```\n\n> q\n", "B\n"]);
    check("A\n\n    code\n\nB\n", &["A\n\n    code\n", "B\n"]);
    check("A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nB\n", &["A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "B\n"]);
    check("A\n\n<details>\nx\n</details>\n\nB\n", &["A\n\n<details>\nx\n</details>\n", "B\n"]);
    check("A:\n- x\n- y\n\nB\n", &["A:\n", "- x\n", "- y\n", "B\n"]);
}

#[test]
fn fields_are_known_in_any_spelling() {
    for field in [
        "Why: x",
        "WHY: x",
        "why : x",
        "**Why:** x",
        "**Why**: x",
        "*Why:* x",
        "_Why_: x",
        "__why:__ x",
        "***Why***: x",
        "How to apply: x",
        "HOW TO APPLY: x",
        "How_to_apply: x",
        "**How To Apply:** x",
        "how-to-apply: x",
        "Why：x",
        "Why:",
    ] {
        check(&format!("A\n\n{field}\n\nB\n"), &[&format!("A\n\n{field}\n"), "B\n"]);
    }
    for other in ["Why not: x", "Why", "Whys: x", "However: x", "Because why: x", "How to: x"] {
        check(&format!("A\n\n{other}\n"), &["A\n", &format!("{other}\n")]);
    }
    check("- a\n- b\n\nWhy: x\n\nC\n", &["- a\n", "- b\n\nWhy: x\n", "C\n"]);
    check("# H\n\nWhy: x\n", &["Why: x\n"]);
}

#[test]
fn borders_belong_to_nobody() {
    check("# H\n", &[]);
    check("", &[]);
    check("A\n\n# H\n\nWhy: x\n", &["A\n", "Why: x\n"]);
    check("Title\n=====\n\nA\n\n---\n\nB\n", &["A\n", "B\n"]);
    check("A\n\n<!-- c -->\n\n> q\n", &["A\n", "> q\n"]);
    check("<!-- a\n\nb -->\n\n- x\n", &["- x\n"]);
    check("<!-- c --> words\n", &["<!-- c --> words\n"]);
    check("A [x]\n\n[x]: http://e\n\n> q\n\nWhy: z\n", &["A [x]\n", "> q\n\nWhy: z\n"]);
    check("[x]: http://e\nB\n", &["B\n"]);
    check("[x]: http://e\n", &[]);
    check(
        "# H\n\n```\ncode\n```\n\n> q\n\n| a |\n|---|\n| b |\n",
        &["```\ncode\n```\n", "> q\n", "| a |\n|---|\n| b |\n"],
    );
    check("- a\n\n```\ncode\n```\n", &["- a\n", "```\ncode\n```\n"]);
    check("```\n```\n", &[]);
}

#[test]
fn the_rich_document_reads_as_a_person_reads_it() {
    assert_eq!(
        summaries(RICH),
        [
            "Alpha uses walnut timber.",
            "Bravo uses",
            "Charlie uses bamboo.",
            "Delta paragraph about maple.",
            "Echo paragraph about granite."
        ]
    );
}

#[test]
fn summaries_are_one_bare_line() {
    let check = |text: &str, want: &str| assert_eq!(summaries(text), [want], "{text:?}");
    check("- Keeps ferrets.\n", "Keeps ferrets.");
    check("1. [x] **Done it**\n", "Done it");
    check("- _All_ of **it** stays `x_y` 2*3*4\n", "_All_ of **it** stays `x_y` 2*3*4");
    check("**a** and **b**\n", "**a** and **b**");
    check("> > quoted\tword\n", "quoted word");
    check("```sh\nrun  it\n```\n", "run it");
    check("- [Board](http://x) for\n  latency\n", "[Board](http://x) for");
    check("| a | b |\n|---|---|\n", "a | b |");
    check("A\u{200b}b\u{202e}c\n", "Abc");
    assert_eq!(summaries(&"x".repeat(500))[0].chars().count(), 200);
}

#[test]
fn ids_carry_a_number_only_among_many() {
    let path = EntryPath::parse("user/solo.md").unwrap();
    assert_eq!(id(Scope::Global, &path, 0, 1), "global:user/solo.md");
    assert_eq!(id(Scope::Project, &path, 2, 3), "project:user/solo.md:2");
}

#[test]
fn removal_takes_the_lines_and_no_double_gap() {
    let check = |text: &str, which: &[usize], want: &str| {
        assert_eq!(without(text, which).as_deref(), Some(want), "{text:?} {which:?}");
        let windows = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(without(&windows(text), which), Some(windows(want)), "CRLF of {text:?} {which:?}");
    };
    check("- a\n- b\n- c\n", &[1], "- a\n- c\n");
    check("- a\n- b\n- c", &[1], "- a\n- c");
    check("- a\n- b\n- c", &[2], "- a\n- b\n");
    check("- a\n- b\n\n", &[1], "- a\n\n");
    check("- a\n\n- b\n\n- c\n", &[1], "- a\n\n- c\n");
    check("A\n\nB\n\nC\n", &[0], "B\n\nC\n");
    check("A\n\nB\n\nC\n", &[1], "A\n\nC\n");
    check("A\n\nB\n\nC\n", &[2], "A\n\nB\n");
    check("A\n\nB\n\nC\n", &[0, 1], "C\n");
    check("A\n\nB\n\nC\n", &[2, 0, 2, 9], "B\n");
    check("---\nname: x\n---\n\n# H\n\nA\n\n## I\n\nB\n", &[0], "---\nname: x\n---\n\n# H\n\n## I\n\nB\n");
    check("A\n  \nB\n \nC\n", &[1], "A\n  \n \nC\n");
    check("Intro:\n- a\n- b\n", &[1], "Intro:\n- b\n");
    check("A\n\nB\n", &[], "A\n\nB\n");
    check("A\n\nB\n", &[7], "A\n\nB\n");
    assert_eq!(without("# H\n\nA\n", &[0]), None);
    assert_eq!(without("- a\n- b\n", &[0, 1]), None);
}

#[test]
fn neighbours_are_kept_apart() {
    let check =
        |text: &str, which: &[usize], want: &str| assert_eq!(without(text, which).as_deref(), Some(want), "{text:?}");
    check("- a\n```\ncode\n```\nB\n", &[1], "- a\n\nB\n");
    check("Intro:\n1. a\n2. b\n", &[1], "Intro:\n\n2. b\n");
    check("A\n- a\n---\n\nB\n", &[1], "A\n\n---\n\nB\n");
    check("A\r\n- a\r\n---\r\n\r\n- x\r\n- y\r\n", &[1, 3], "A\r\n\r\n---\r\n\r\n- x\r\n");
}

#[test]
fn removal_from_the_rich_document() {
    assert_eq!(without(RICH, &[0]).unwrap(), RICH.replace("- Alpha uses walnut timber.\n", ""));
    let bravo = &RICH[RICH.find("- Bravo").unwrap()..RICH.find("- Charlie").unwrap()];
    assert_eq!(without(RICH, &[1]).unwrap(), RICH.replace(bravo, ""));
    let delta = &RICH[RICH.find("Delta").unwrap()..RICH.find("Echo").unwrap()];
    assert_eq!(without(RICH, &[3]).unwrap(), RICH.replace(delta, ""));
    assert!(without(RICH, &[4]).unwrap().ends_with("# not a heading\n```\n"));
}

#[test]
fn hostile_bodies_are_cheap() {
    for shape in [
        "> ", "- ", "[", "![", "*", "_", "`", "<", "<!--", "&", "|", "|-", "[a]: b\n", "- a\n", "a\n\n", "  - ", "\t",
        "~~~\n", "[](", "1. ", "\r", "<a ", "**a ", "[a][", "-\n", "\u{301}",
    ] {
        let text = shape.repeat(102_400 / shape.len());
        let start = std::time::Instant::now();
        let count = found(&text).len();
        let took = start.elapsed();
        println!("{shape:?}: {count} entries in {took:?}");
        assert!(took < std::time::Duration::from_secs(2), "{shape:?} took {took:?}");
    }
}

/// Removing entry `n` may change only line breaks at the seam; the same test as the acceptance suite's `cut_out`.
fn seam_is_clean(text: &str, entry: &Entry, after: &str) -> bool {
    let head = text[..entry.span.start].trim_end_matches(['\r', '\n']);
    let tail = text[entry.span.end..].trim_start_matches(['\r', '\n']);
    after.len() >= head.len() + tail.len()
        && after.starts_with(head)
        && after.ends_with(tail)
        && after[head.len()..after.len() - tail.len()].trim_matches(['\r', '\n']).is_empty()
}

fn spans_are_whole_lines(text: &str, all: &[Entry]) -> bool {
    let border = |at: usize| {
        at == 0
            || at == text.len()
            || text[..at].ends_with('\n')
            || (text[..at].ends_with('\r') && !text[at..].starts_with('\n'))
            || at == frontmatter::split(text).body.start
    };
    all.iter().all(|entry| !entry.span.is_empty() && border(entry.span.start) && border(entry.span.end))
        && all.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start)
}

fn shape() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "- item\n- second\n- third\n",
        "* star\n  * nested\n\n    ```\n    x\n    ```\n* other\n",
        "1. one\n2. two\n",
        "+ [ ] task\n+ [x] done\n",
        "Plain paragraph.\nTwo lines.\n",
        "Fact.\n\nWhy: reason.\n\n**How to apply:** so.\n",
        "Para.\n\n```rust\nfn x() {}\n\n# no\n```\n",
        "Para.\n\n> quote\n> more\n",
        "# Heading\n",
        "Setext\n---\n",
        "***\n",
        "---\n",
        "key: value\n",
        "<!-- comment -->\n",
        "   \t\n",
        "日本語の段落。\n",
    ])
}

fn document() -> impl Strategy<Value = String> {
    let header = prop::sample::select(vec!["", "---\nname: X\n---\n", "\u{FEFF}---\nname: X\n---\n\n"]);
    let eol = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    (header, prop::collection::vec((shape(), 1usize..4), 1..8), eol, any::<bool>()).prop_map(
        |(header, parts, eol, last)| {
            let mut text = header.to_owned();
            for (part, gaps) in parts {
                text.push_str(part);
                text.push_str(&"\n".repeat(gaps));
            }
            let text = if last { text.trim_end_matches('\n').to_owned() } else { text };
            text.replace('\n', eol)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn removal_keeps_the_rest(text in document(), pick in any::<prop::sample::Index>()) {
        let all = found(&text);
        prop_assert!(spans_are_whole_lines(&text, &all));
        if all.len() < 2 {
            return Ok(());
        }
        let n = pick.index(all.len());
        let after = without(&text, &[n]).unwrap();
        prop_assert!(seam_is_clean(&text, &all[n], &after), "{:?} without {} is {:?}", text, n, after);
        let mut want = texts(&text);
        want.remove(n);
        let got = texts(&after);
        // A last entry without a line break may not gain one; all others are equal.
        prop_assert_eq!(got, want, "{:?} without {}", text, n);
        prop_assert_eq!(frontmatter::split(&after).body.start, frontmatter::split(&text).body.start, "{:?} without {}", text, n);
        if text.contains("\r\n") {
            prop_assert!(!after.replace("\r\n", "").contains(['\r', '\n']));
        }
    }

    #[test]
    fn entries_are_whole_lines(text in "([a\\-*+>#`|~_<!:\\[\\]()0-9. \t\r\n]|\r\n|\n\n|- |Why:|```\n|<!--|-->|\\PC){0,80}", pick in any::<prop::sample::Index>()) {
        let all = found(&text);
        prop_assert!(spans_are_whole_lines(&text, &all), "{:?}: {:?}", text, all);
        if all.len() > 1 {
            let n = pick.index(all.len());
            let after = without(&text, &[n]).unwrap();
            prop_assert!(seam_is_clean(&text, &all[n], &after), "{:?} without {} is {:?}", text, n, after);
        }
    }

    #[test]
    fn many_can_go_at_once(text in document(), which in prop::collection::vec(0usize..12, 1..5)) {
        let all = texts(&text);
        let want: Vec<&str> = all.iter().enumerate().filter(|(n, _)| !which.contains(n)).map(|(_, text)| *text).collect();
        match without(&text, &which) {
            Some(after) => prop_assert_eq!(texts(&after), want, "{:?} without {:?}", text, which),
            None => prop_assert!(want.is_empty()),
        }
    }
}
