//! Words: which documents hold them, and how often.

use super::sample::*;
use loci_domain::row::Batch;
use loci_ledger::{Ledger, Posting};

type Hit = (String, u16, [u32; 3]);

/// What is found, by path. Each number must be a document's.
async fn find(ledger: &dyn Ledger, terms: &[&str]) -> Vec<Hit> {
    let terms: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
    let postings = ledger.postings(&home().place, &terms).await.unwrap();
    assert!(postings.is_sorted_by_key(|posting| (posting.term, posting.number)));
    let all = ledger.searched(&home().place, 0).await.unwrap();
    let path = |number: u64| all.iter().find(|document| document.number == number).unwrap().path.to_string();
    let flat = |Posting { number, term, times }| (path(number), term, times);
    let mut found: Vec<Hit> = postings.into_iter().map(flat).collect();
    found.sort();
    found
}

fn hit(file: &str, term: u16, times: [u32; 3]) -> Hit {
    (file.to_owned(), term, times)
}

/// Documents, and tokens in all their names, descriptions and bodies.
async fn sizes(ledger: &dyn Ledger) -> [u32; 4] {
    let all = ledger.searched(&home().place, 0).await.unwrap();
    let sum = |field: usize| all.iter().map(|document| document.words[field]).sum();
    [u32::try_from(all.len()).unwrap(), sum(0), sum(1), sum(2)]
}

/// Every pair of document and term, with the counts in each field.
pub async fn counts_by_field_and_term(ledger: &dyn Ledger) {
    keep(
        ledger,
        vec![
            worded("a.md", "rust", "rust and rust", "we love rust memory memory memory"),
            worded("b.md", "", "memory", "nothing else"),
        ],
    )
    .await;
    let found = find(ledger, &["rust", "memory", "absent", "memory"]).await;
    let expected = [
        hit("a.md", 0, [1, 2, 1]),
        hit("a.md", 1, [0, 0, 3]),
        hit("a.md", 3, [0, 0, 3]),
        hit("b.md", 1, [0, 1, 0]),
        hit("b.md", 3, [0, 1, 0]),
    ];
    assert_eq!(found, expected);
    assert!(find(ledger, &[]).await.is_empty());
    // A part of a token is not the token.
    assert!(find(ledger, &["rus", "mem", "ust"]).await.is_empty());
}

/// A word of another place is not found, whatever the places are called.
pub async fn places_do_not_mix(ledger: &dyn Ledger) {
    for number in 0..12 {
        let row = worded("a.md", &format!("only{number}"), "", "shared 1xshared");
        ledger.settle(Batch { documents: vec![row], ..Batch::new(root(&format!("p{number}")), at(0)) }).await.unwrap();
    }
    for number in 0..12 {
        let place = root(&format!("p{number}")).place;
        let terms: Vec<String> = (0..12).map(|n| format!("only{n}")).collect();
        let found = ledger.postings(&place, &terms).await.unwrap();
        assert_eq!(found.iter().map(|found| found.term).collect::<Vec<_>>(), [number]);
        assert_eq!(ledger.postings(&place, &["shared".to_owned()]).await.unwrap().len(), 1);
    }
    assert!(find(ledger, &["shared"]).await.is_empty());
}

/// The words of an earlier version are not found any more.
pub async fn rewritten_words_go(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("a.md", "old", "old", "old same"), worded("b.md", "", "", "old")]).await;
    keep(ledger, vec![worded("a.md", "new", "", "same same")]).await;
    assert_eq!(find(ledger, &["old"]).await, [hit("b.md", 0, [0, 0, 1])]);
    assert_eq!(find(ledger, &["same", "new"]).await, [hit("a.md", 0, [0, 0, 2]), hit("a.md", 1, [1, 0, 0])]);
}

/// The words of a file that went are not found, also when another file comes.
pub async fn gone_words_go(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("a.md", "word", "", "")]).await;
    ledger.settle(Batch { gone: vec![path("a.md")], ..batch() }).await.unwrap();
    assert!(find(ledger, &["word"]).await.is_empty());
    keep(ledger, vec![worded("b.md", "different", "", "")]).await;
    assert!(find(ledger, &["word"]).await.is_empty());
}

/// A moved file is found under its new path, also before it is recorded anew.
pub async fn moved_words_are_found(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("a.md", "word", "", ""), worded("b.md", "victim", "", "")]).await;
    ledger.settle(Batch { moved: vec![(path("a.md"), path("b.md"))], ..batch() }).await.unwrap();
    assert_eq!(find(ledger, &["word", "victim"]).await, [hit("b.md", 0, [1, 0, 0])]);
}

/// Nothing in a term is an operator, and no term breaks the question.
pub async fn terms_are_never_a_query(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("a.md", "word", "other", "near and or not")]).await;
    let hostile = [
        "wor*",
        "*",
        "\"word\"",
        "word OR other",
        "word other",
        "NEAR(word other)",
        "name:word",
        "name : word",
        "^word",
        "-word",
        "+word",
        "(word",
        "'",
        "\"",
        "%",
        "w%",
        "_ord",
        "?",
        "",
        " ",
        "\0",
        "word\0",
        "{word}",
        "a\u{301}",
        "; DROP TABLE documents",
        "\u{10ffff}",
    ];
    assert_eq!(find(ledger, &hostile).await, []);
    // Words that other engines take as operators are words.
    assert_eq!(find(ledger, &["AND", "or", "NOT", "near"]).await.len(), 4);
    assert!(find(ledger, &[&"x".repeat(100_000)]).await.is_empty());
}

/// Tokens of any script, with signs in them, are whole; ASCII letters match in either case.
pub async fn other_scripts_and_signs(ledger: &dyn Ledger) {
    let tokens = [
        "日本", "본어", "größe", "ИМЯ", "c++", "node.js", "foo_bar", "a-b", "x'y", "\"q\"", "[a]", "`b`", "~", "\\n",
        "🦀", "2026", "co2",
    ];
    keep(ledger, vec![worded("a.md", "", "", &tokens.join(" "))]).await;
    for token in tokens {
        assert_eq!(find(ledger, &[token]).await, [hit("a.md", 0, [0, 0, 1])], "{token}");
    }
    assert_eq!(find(ledger, &["C++", "Node.JS"]).await.len(), 2);
    assert!(find(ledger, &["c", "node", "js", "foo", "bar", "日", "本"]).await.is_empty());
    assert_eq!(sizes(ledger).await[3] as usize, tokens.len());
}

/// Documents and tokens are summed, and follow every step.
pub async fn sizes_follow(ledger: &dyn Ledger) {
    let sizes = async || sizes(ledger).await;
    keep(
        ledger,
        vec![
            worded("a.md", "one", "one two", "one two three"),
            worded("b.md", "", "x", "y  y\ny"),
            unreadable("c.bin"),
        ],
    )
    .await;
    assert_eq!(sizes().await, [2, 1, 3, 6]);
    keep(ledger, vec![worded("a.md", "", "", "four words in it")]).await;
    assert_eq!(sizes().await, [2, 0, 1, 7]);
    ledger.settle(Batch { moved: vec![(path("a.md"), path("b.md"))], ..batch() }).await.unwrap();
    assert_eq!(sizes().await, [1, 0, 0, 4]);
    ledger.settle(Batch { gone: vec![path("b.md"), path("c.bin")], ..batch() }).await.unwrap();
    assert_eq!(sizes().await, [0; 4]);
}

/// A file that cannot be read is not found, and stops to be found when it becomes so.
pub async fn unreadable_has_no_words(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("a.md", "word", "", "")]).await;
    keep(ledger, vec![unreadable("a.md")]).await;
    assert!(find(ledger, &["word"]).await.is_empty());
    keep(ledger, vec![worded("a.md", "word", "", "")]).await;
    assert_eq!(find(ledger, &["word"]).await.len(), 1);
}

/// A place that was dropped and comes back does not find its old words.
pub async fn dropped_words_stay_away(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("a.md", "old", "", "")]).await;
    ledger.drop_root(&home()).await.unwrap();
    keep(ledger, vec![worded("a.md", "new", "", "")]).await;
    assert!(find(ledger, &["old"]).await.is_empty());
    assert_eq!(find(ledger, &["new"]).await.len(), 1);
}

/// Many versions of a few files leave the last one of each, however the engine merges.
pub async fn many_rewrites_leave_one(ledger: &dyn Ledger) {
    for round in 0..60 {
        let rows =
            (0..5).map(|n| worded(&format!("{n}.md"), "all", &format!("r{round}"), &format!("f{n} all"))).collect();
        keep(ledger, rows).await;
    }
    assert_eq!(find(ledger, &["all"]).await.len(), 5);
    assert_eq!(find(ledger, &["r59"]).await.len(), 5);
    assert!(find(ledger, &["r0", "r30", "r58"]).await.is_empty());
    assert_eq!(find(ledger, &["f3"]).await, [hit("3.md", 0, [0, 0, 1])]);
    assert_eq!(sizes(ledger).await, [5, 5, 5, 10]);
}

/// Documents that come, change and go one by one are found all the same, however the engine gathers them.
pub async fn one_by_one_is_as_good_as_at_once(ledger: &dyn Ledger) {
    for number in 0..100 {
        keep(ledger, vec![worded(&format!("{number}.md"), "both", "", "old")]).await;
        assert_eq!(find(ledger, &["both"]).await.len(), number + 1);
    }
    for number in (0..100).step_by(2) {
        let file = format!("{number}.md");
        match number % 4 {
            0 => ledger.settle(Batch { gone: vec![path(&file)], ..batch() }).await.unwrap(),
            _ => keep(ledger, vec![worded(&file, "both Both", "", "new")]).await,
        }
    }
    let found = find(ledger, &["both", "new", "old"]).await;
    let of = |term: u16| found.iter().filter(|hit| hit.1 == term).count();
    assert_eq!((of(0), of(1), of(2)), (75, 25, 50));
    assert_eq!(found.iter().filter(|hit| hit.2[0] == 2).count(), 25);
    let in_order = ledger.postings(&home().place, &["new".to_owned(), "both".to_owned()]).await.unwrap();
    assert!(in_order.is_sorted_by_key(|posting| (posting.term, posting.number)));
}

/// However often a file moves, and whether its words are gathered or filed by then, they are found once.
pub async fn moved_again_and_again(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("0.md", "moving", "", "moving"), worded("still.md", "still", "", "")]).await;
    for number in 0..100 {
        let (from, to) = (path(&format!("{number}.md")), path(&format!("{}.md", number + 1)));
        ledger.settle(Batch { moved: vec![(from, to.clone())], ..batch() }).await.unwrap();
        keep(ledger, vec![worded("other.md", "", "", &format!("other{number}"))]).await;
        assert_eq!(find(ledger, &["moving"]).await, [hit(to.as_str(), 0, [1, 0, 1])]);
    }
    keep(ledger, vec![worded("100.md", "rewritten", "", "")]).await;
    assert!(find(ledger, &["moving"]).await.is_empty());
    assert_eq!(find(ledger, &["still", "rewritten"]).await.len(), 2);
    let swap = vec![(path("100.md"), path("still.md")), (path("still.md"), path("100.md"))];
    ledger.settle(Batch { moved: swap, ..batch() }).await.unwrap();
    let swapped = [hit("100.md", 0, [1, 0, 0]), hit("still.md", 1, [1, 0, 0])];
    assert_eq!(find(ledger, &["still", "rewritten"]).await, swapped);
    ledger.settle(Batch { gone: vec![path("100.md"), path("still.md")], ..batch() }).await.unwrap();
    assert!(find(ledger, &["still", "rewritten", "moving"]).await.is_empty());
}

/// More terms than a position can count: the first ones are looked for.
pub async fn too_many_terms(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("a.md", "word", "", "")]).await;
    let mut terms = vec![""; 1 << 16];
    terms[(1 << 16) - 1] = "word";
    terms.extend(["word"; 3]);
    assert_eq!(find(ledger, &terms).await, [hit("a.md", u16::MAX, [1, 0, 0])]);
}

/// The paths of documents with these tokens in a row.
async fn in_a_row(ledger: &dyn Ledger, tokens: &[&str]) -> Vec<String> {
    let tokens: Vec<String> = tokens.iter().map(|token| (*token).to_owned()).collect();
    let found = ledger.phrase(&home().place, &tokens).await.unwrap();
    assert!(found.is_sorted(), "by number: {found:?}");
    let all = ledger.searched(&home().place, 0).await.unwrap();
    let path = |number: &u64| all.iter().find(|document| document.number == *number).unwrap().path.to_string();
    found.iter().map(path).collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

/// In one field, with nothing between them, whenever the document came and whatever became of it.
pub async fn words_in_a_row(ledger: &dyn Ledger) {
    keep(
        ledger,
        vec![
            worded("a.md", "blue", "green", "one two three four"),
            worded("b.md", "", "", "three two one two four"),
            worded("c.md", "", "one two three", "two"),
        ],
    )
    .await;
    for filed in [false, true] {
        assert_eq!(in_a_row(ledger, &["one", "two"]).await, ["a.md", "b.md", "c.md"], "{filed}");
        assert_eq!(in_a_row(ledger, &["One", "two", "THREE"]).await, ["a.md", "c.md"], "{filed}");
        assert_eq!(in_a_row(ledger, &["two", "four"]).await, ["b.md"], "{filed}");
        assert!(in_a_row(ledger, &["one", "three"]).await.is_empty(), "{filed}");
        assert!(in_a_row(ledger, &["blue", "green"]).await.is_empty(), "fields are apart: {filed}");
        assert!(in_a_row(ledger, &[]).await.is_empty());
        // Enough of them to be filed, whatever is gathered before.
        keep(ledger, (0..200).map(|n| worded(&format!("n{n}.md"), "", "", "other words")).collect()).await;
    }
    ledger.settle(Batch { moved: vec![(path("a.md"), path("d.md"))], ..batch() }).await.unwrap();
    ledger.settle(Batch { gone: vec![path("b.md")], ..batch() }).await.unwrap();
    keep(ledger, vec![worded("c.md", "", "one", "two")]).await;
    assert_eq!(in_a_row(ledger, &["one", "two"]).await, ["d.md"]);
    assert!(ledger.phrase(&root("elsewhere").place, &["one".to_owned()]).await.unwrap().is_empty());
}

/// Nothing in a token is an operator, and no token breaks the question.
pub async fn a_row_is_never_a_query(ledger: &dyn Ledger) {
    keep(ledger, vec![worded("a.md", "", "", "say \"word\" and near or not other* done")]).await;
    keep(ledger, (0..200).map(|n| worded(&format!("n{n}.md"), "", "", "other words")).collect()).await;
    for hostile in ["word", "\"", "say\" OR \"near", "NEAR(say", "*", "body:say", "^say", "-say", "'", "", "("] {
        assert!(in_a_row(ledger, &[hostile, "done"]).await.is_empty(), "{hostile}");
    }
    assert_eq!(in_a_row(ledger, &["say", "\"word\"", "and"]).await, ["a.md"]);
    assert_eq!(in_a_row(ledger, &["other*", "done"]).await, ["a.md"]);
}
