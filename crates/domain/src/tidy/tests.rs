use super::*;
use proptest::prelude::*;

fn page(path: &str, body: &str) -> Page {
    let text = format!("---\nname: N\ndescription: d\ntype: feedback\n---\n{body}");
    Page { path: EntryPath::parse(path).unwrap(), text, hand: Hand::Free }
}

fn body(tidied: &Tidied, path: &str) -> Option<String> {
    let text = tidied.pages.get(&EntryPath::parse(path).unwrap()).unwrap_or_else(|| panic!("{path} stays")).clone()?;
    Some(text.split_once("---\n").unwrap().1.split_once("---\n").unwrap().1.to_owned())
}

/// The bodies after tidying; what does not change is as it was.
fn tidied(pages: &[Page]) -> Vec<Page> {
    let done = tidy(pages);
    let after = |page: &Page| match done.pages.get(&page.path) {
        Some(Some(text)) => Some(Page { text: text.clone(), ..page.clone() }),
        Some(None) => None,
        None => Some(page.clone()),
    };
    pages.iter().filter_map(after).collect()
}

#[test]
fn copies_inside_a_file_become_one_and_lists_are_sorted() {
    let done = tidy(&[page("a.md", "- Use pnpm for installs.\n- Prefer small commits.\n- use PNPM for   installs\n")]);
    assert_eq!(body(&done, "a.md").unwrap(), "- Prefer small commits.\n- Use pnpm for installs.\n");
    assert_eq!((done.merged, done.kinds), (1, vec![Kind::Feedback]));
}

#[test]
fn copies_across_files_go_to_the_first_and_empty_files_go() {
    let pages = [page("b.md", "- Prefer small commits.\n"), page("a.md", "- Prefer small commits.\n- Use pnpm.\n")];
    let done = tidy(&pages);
    assert_eq!(done.pages.keys().map(EntryPath::as_str).collect::<Vec<_>>(), ["b.md"]);
    assert_eq!(body(&done, "b.md"), None);
}

#[test]
fn other_kinds_are_other_facts() {
    let mut other = page("b.md", "- Prefer small commits.\n");
    other.text = other.text.replace("feedback", "user");
    assert_eq!(tidy(&[page("a.md", "- Prefer small commits.\n"), other]), Tidied::default());
}

#[test]
fn reasons_of_both_survive() {
    let text =
        "Use feature flags.\n\nWhy: rollbacks are slow.\n\nUse feature flags.\n\nHow to apply: every risky change.\n";
    let done = tidy(&[page("a.md", text)]);
    let expected = "Use feature flags.\n\nWhy: rollbacks are slow.\nHow to apply: every risky change.\n";
    assert_eq!(body(&done, "a.md").unwrap(), expected);
    let lists =
        [page("a.md", "- Squash commits.\n- Name things.\n"), page("b.md", "- Squash commits.\n  Why: one story.\n")];
    assert_eq!(body(&tidy(&lists), "a.md").unwrap(), "- Name things.\n- Squash commits.\n  Why: one story.\n");
}

#[test]
fn pinned_pages_stay_and_their_copies_go_unless_they_say_more() {
    let mut pinned = page("p.md", "- Name things well.\n- Name things well.\n");
    pinned.hand = Hand::Pinned;
    let pages = [
        page("a.md", "- Name things well.\n- Write tests.\n"),
        page("b.md", "- Name things well.\n  Why: readers.\n"),
        pinned,
    ];
    let done = tidy(&pages);
    assert_eq!(done.pages.keys().map(EntryPath::as_str).collect::<Vec<_>>(), ["a.md"]);
    assert_eq!(body(&done, "a.md").unwrap(), "- Write tests.\n");
}

#[test]
fn what_nobody_accepted_is_no_original() {
    let mut foreign = page("a.md", "- Prefer small commits.\n- Prefer small commits.\n");
    foreign.hand = Hand::Untrusted;
    assert_eq!(tidy(&[foreign, page("b.md", "- Prefer small commits.\n")]), Tidied::default());
}

#[test]
fn what_only_looks_alike_stays() {
    for (one, other) in [
        ("The port is 8080.", "The port is 8081."),
        ("Always squash commits.", "Never squash commits."),
        ("Write it in C++.", "Write it in C#."),
        ("The service calls the worker.", "The worker calls the service."),
        ("Copy from A to B.", "Copy to A from B."),
        ("Winter low is -5 degrees.", "Winter low is 5 degrees."),
        (
            "Marta approves deploys of the billing service in Lisbon.",
            "Deniz approves deploys of the billing service in Lisbon.",
        ),
        ("Thumbs 👍 for merges.", "Thumbs 👎 for merges."),
        ("Use `a < b` there.", "Use `a > b` there."),
        ("Run this:\n\n```\nmake a\n```", "Run this:\n\n```\nmake b\n```"),
    ] {
        let done = tidy(&[page("a.md", &format!("{one}\n\n{other}\n"))]);
        assert_eq!(done, Tidied::default(), "{one} / {other}");
    }
}

#[test]
fn near_copies_are_copies() {
    for (one, other) in [
        (
            "Always run the linter before committing code changes",
            "always run the linter before committing any code changes.",
        ),
        ("**Prefer** small commits", "Prefer small commit"),
        ("ＡＢＣ team owns search", "The abc team owns search!"),
    ] {
        assert_eq!(tidy(&[page("a.md", &format!("{one}\n\n{other}\n"))]).merged, 1, "{one} / {other}");
    }
}

#[test]
fn order_that_means_something_stays() {
    for text in [
        "1. b\n2. a\n",
        "- [ ] b thing\n- [x] a thing\n",
        "# Head\n\n- b\n- a\n",
        "- b\n* a\n",
        "- b\n\ntext\n\n- a\n",
        "b one\n\na two\n",
    ] {
        assert_eq!(tidy(&[page("a.md", text)]), Tidied::default(), "{text}");
    }
}

#[test]
fn all_other_bytes_stay() {
    let text = "#  Title  \r\n\r\n* Keeps bees.\r\n\tnested\r\n* Likes tea.\r\n\r\n| a |\r\n|---|\r\n\r\nKeeps bees\r\n\r\nLikes tea.\r\n";
    let done = tidy(&[page("a.md", text)]);
    let expected =
        "#  Title  \r\n\r\n* Keeps bees.\r\n\tnested\r\n* Likes tea.\r\n\r\n| a |\r\n|---|\r\n\r\nKeeps bees\r\n";
    assert_eq!(body(&done, "a.md").unwrap(), expected);
}

#[test]
fn what_was_left_alone_is_done_once_it_can_be() {
    let odd = "tea 5\n\n- teas\n  Why: once.\n- tea 5\n  Why: once.\n> tea\n\n";
    let pages = [page("0.md", "- teas\n"), page("2.md", odd)];
    assert_eq!(tidy(&tidied(&pages)), Tidied::default());
}

/// Words and shapes that collide often.
fn some_page(number: usize) -> impl Strategy<Value = Page> {
    let word =
        prop::sample::select(vec!["tea", "Tea", "the tea", "teas", "never tea", "tea 5", "bees", "C++", "C#", "茶"]);
    let block = (
        word,
        prop::sample::select(vec![
            "- {}\n",
            "* {}\n",
            "{}\n\n",
            "{}\n\nWhy: {}.\n\n",
            "- {}\n  Why: once.\n",
            "- {}\n\n",
            "# {}\n\n",
            "1. {}\n",
            "> {}\n\n",
            "```\n{}\n```\n",
            "- {}\r\n",
        ]),
    );
    let text = prop::collection::vec(block, 0..6)
        .prop_map(|blocks| blocks.iter().map(|(word, shape)| shape.replace("{}", word)).collect::<String>());
    (text, prop::sample::select(vec![Hand::Free, Hand::Free, Hand::Pinned, Hand::Untrusted]), prop::bool::ANY).prop_map(
        move |(text, hand, open)| Page {
            hand,
            ..page(&format!("{number}.md"), if open { text.trim_end() } else { &text })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn tidying_is_idempotent(pages in (some_page(0), some_page(1), some_page(2)).prop_map(|(a, b, c)| vec![a, b, c])) {
        let once = tidied(&pages);
        prop_assert_eq!(tidy(&once), Tidied::default(), "{:#?}", once);
        for page in pages.iter().filter(|page| page.hand != Hand::Free) {
            prop_assert!(once.contains(page));
        }
        // Nothing that was said is gone: every key of every free page is still somewhere.
        let keys = |pages: &[Page]| pages.iter().filter(|page| page.hand != Hand::Untrusted)
            .flat_map(|page| Read::of(page).parts).filter_map(|parts| parts.key()).collect::<BTreeSet<_>>();
        prop_assert_eq!(keys(&pages), keys(&once));
    }
}
