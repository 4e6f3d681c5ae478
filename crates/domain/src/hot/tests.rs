use super::*;
use proptest::prelude::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

const NOW: &str = "2026-03-15T12:00:00Z";

fn candidate(path: &str, pinned: bool, uses: u64, last: Option<&str>) -> Candidate {
    Candidate { path: path.to_owned(), pinned, uses, last_used_at: last.map(at) }
}

fn paths(candidates: Vec<Candidate>, half_life_days: f64) -> Vec<String> {
    order(candidates, at(NOW), half_life_days).into_iter().map(|one| one.path).collect()
}

#[test]
fn a_score_halves_in_a_half_life() {
    let check = |uses, last: Option<&str>, half_life, expected: f64| {
        let found = score(uses, last.map(at), at(NOW), half_life);
        assert!((found - expected).abs() < 1e-9, "{uses} {last:?} {half_life}: {found}");
    };
    check(8, Some(NOW), 7.0, 8.0);
    check(8, Some("2026-03-08T12:00:00Z"), 7.0, 4.0);
    check(8, Some("2026-03-01T12:00:00Z"), 7.0, 2.0);
    check(1, Some("2026-03-15T00:00:00Z"), 0.5, 0.5);
    check(0, Some(NOW), 7.0, 0.0);
    check(5, None, 7.0, 0.0);
    // A clock that went back, and half-lives that make no sense.
    check(3, Some("2027-01-01T00:00:00Z"), 7.0, 3.0);
    check(3, Some(NOW), 0.0, 3.0);
    check(3, Some("2026-03-01T12:00:00Z"), 0.0, 0.0);
    check(3, Some("2026-03-01T12:00:00Z"), -1.0, 0.0);
    check(3, Some("2026-03-01T12:00:00Z"), f64::NAN, 0.0);
}

#[test]
fn pinned_first_then_by_score_then_by_path() {
    let week_ago = Some("2026-03-08T12:00:00Z");
    let all = vec![
        candidate("/m/unused.md", false, 0, None),
        candidate("/m/old.md", false, 4, week_ago),
        candidate("/m/z-pin.md", true, 0, None),
        candidate("/m/new.md", false, 3, Some(NOW)),
        candidate("/m/b-tie.md", false, 2, Some(NOW)),
        candidate("/m/a-pin.md", true, 0, None),
        candidate("/m/m-pin.md", true, 900, Some(NOW)),
    ];
    let expected = ["/m/a-pin.md", "/m/m-pin.md", "/m/z-pin.md", "/m/new.md", "/m/b-tie.md", "/m/old.md"];
    assert_eq!(paths(all.clone(), 7.0), expected);
    // With a short half-life what is a week old is as good as never used.
    assert_eq!(paths(all, 0.000_003), &expected[..5]);
}

#[test]
fn a_short_half_life_lets_the_latest_use_win() {
    let all = vec![
        candidate("/a", false, 6, Some("2026-03-15T11:59:58Z")),
        candidate("/b", false, 1, Some("2026-03-15T12:00:00Z")),
    ];
    assert_eq!(paths(all.clone(), 7.0), ["/a", "/b"]);
    assert_eq!(paths(all, 0.000_003), ["/b", "/a"]);
}

fn chosen(set: &Set) -> Vec<&str> {
    set.items().iter().map(HotItem::path).collect()
}

#[test]
fn a_set_holds_eight() {
    let files: Vec<_> = (0..11).map(|i| (format!("/memories/global/n{i:02}.md"), format!("Content {i}."))).collect();
    let set = choose(files.iter().map(|(path, text)| (path.as_str(), text.as_str())), Limits::default());
    assert_eq!(set.items().len(), 8);
    assert_eq!(set.items()[7].path(), "/memories/global/n07.md");
    assert!(set.is_full());
}

#[test]
fn a_smaller_item_fits_where_a_large_one_did_not() {
    let large = "lorem ipsum dolor ".repeat(780);
    let files = [("/1", large.as_str()), ("/2", &large), ("/3", &large), ("/4", &large), ("/small", "small item")];
    let set = choose(files, Limits::default());
    assert_eq!(chosen(&set), ["/1", "/2", "/3", "/small"]);
    let set = choose(files, Limits { tokens: 3 * tokens::estimate(&large), ..Limits::default() });
    assert_eq!(chosen(&set), ["/1", "/2", "/small"]);
    assert!(set.block().len() <= 48 * 1024);
}

#[test]
fn room_is_a_second_limit() {
    let mut set = Set::new(Limits::default());
    assert!(!set.offer("/a", "some text", 10));
    assert_eq!((set.tokens(), set.block().as_str()), (0, ""));
    assert!(set.offer("/a", "some text", 100));
    assert!(!set.offer("/b", &"more of it ".repeat(30), 100));
    assert!(set.offer("/b", &"more of it ".repeat(30), 1000));
    assert_eq!(chosen(&set), ["/a", "/b"]);
}

proptest! {
    #[test]
    fn hot_set_is_bounded(
        texts in prop::collection::vec("([a-z<>/_ é字\u{200b}\n]|</memory_file>|word ){0,300}", 0..12),
        item_bytes in 0usize..600, total_bytes in 0usize..3000, tokens in 0usize..900, items in 0usize..9,
    ) {
        let limits = Limits { item_bytes, total_bytes, tokens, items };
        let set = choose(texts.iter().map(|text| ("/memories/global/a.md", text.as_str())), limits);
        let block = set.block();
        prop_assert!(block.len() <= total_bytes && set.items().len() <= items);
        prop_assert!(set.tokens() <= tokens && tokens::estimate(&block) <= set.tokens());
    }
}
