//! Sessions: kept once, cut and added to, found by their words, and gone when they go.

use super::sample::at;
use loci_domain::transcript::Role;
use loci_ledger::{CHUNK, Error, Ledger, Message, Said, Session, Whose};

fn whose(project: &str) -> Whose {
    Whose { account: "local".to_owned(), project: project.to_owned() }
}

fn session(project: &str, id: &str) -> Session {
    Session {
        whose: whose(project),
        id: id.to_owned(),
        title: format!("About {id}"),
        format: "loci".to_owned(),
        at: at(5),
        kept_at: at(9),
    }
}

/// A message whose words are its content.
fn said(id: &str, content: &str) -> Said {
    let message = Message {
        id: id.to_owned(),
        role: Role::User,
        content: content.to_owned(),
        at: Some(at(1)),
        calls: String::new(),
        mark: content.len() as u64,
    };
    Said { message, words: content.to_owned(), asks: content.ends_with('?'), vector: vec![content.len() as u8; 4] }
}

fn numbered(range: std::ops::Range<usize>) -> Vec<Said> {
    range.map(|n| said(&format!("m{n}"), &format!("word{n} all"))).collect()
}

async fn say(ledger: &dyn Ledger, id: &str, from: u64, messages: &[Said]) {
    ledger.say(&session("p", id), from, "maker", messages).await.unwrap();
}

async fn contents(ledger: &dyn Ledger, id: &str) -> Vec<String> {
    let Some(kept) = ledger.session(&whose("p"), id).await.unwrap() else { return Vec::new() };
    let messages = ledger.messages(kept.number, 0, usize::MAX).await.unwrap();
    assert_eq!(messages.len() as u64, kept.messages);
    messages.into_iter().map(|message| message.content).collect()
}

/// Every place of a term as (session position, times), in order of chunks.
async fn places(ledger: &dyn Ledger, project: &str, term: &str) -> Vec<(u64, u8)> {
    let chunks = ledger.chunks(&whose(project), 0, usize::MAX).await.unwrap();
    let mut places = Vec::new();
    for heard in ledger.heard(&whose(project), &[term.to_owned()]).await.unwrap() {
        let chunk = chunks.iter().find(|chunk| chunk.number == heard.chunk).unwrap();
        places.extend(heard.places.iter().map(|(place, times)| (chunk.first + u64::from(*place), *times)));
    }
    places.sort_unstable();
    places
}

/// All fields, in order; nothing for what is not there.
pub async fn a_session_comes_back_whole(ledger: &dyn Ledger) {
    assert_eq!(ledger.session(&whose("p"), "s").await.unwrap(), None);
    assert!(ledger.marks(&whose("p"), "s").await.unwrap().is_empty());
    let mut odd = said("m'2", "日本 \"x\" ; DROP TABLE");
    odd.message.at = None;
    odd.message.role = Role::Tool;
    odd.message.calls = r#"[{"name":"t"}]"#.to_owned();
    odd.message.mark = u64::MAX;
    say(ledger, "s", 0, &[said("m1", "one"), odd.clone()]).await;
    let kept = ledger.session(&whose("p"), "s").await.unwrap().unwrap();
    assert_eq!((kept.session.clone(), kept.messages), (session("p", "s"), 2));
    let messages = ledger.messages(kept.number, 1, 5).await.unwrap();
    assert_eq!(messages, [odd.message]);
    assert_eq!(ledger.marks(&whose("p"), "s").await.unwrap(), [3, u64::MAX]);
    assert_eq!(ledger.sessions("local").await.unwrap(), [kept]);
    assert!(ledger.sessions("other").await.unwrap().is_empty());
}

/// Behind what is kept; what stood there goes; a gap is refused and changes nothing.
pub async fn saying_replaces_the_rest(ledger: &dyn Ledger) {
    say(ledger, "s", 0, &[said("a", "one"), said("b", "two two"), said("c", "three")]).await;
    say(ledger, "s", 3, &[said("d", "four")]).await;
    assert_eq!(contents(ledger, "s").await, ["one", "two two", "three", "four"]);
    assert_eq!(places(ledger, "p", "two").await, [(1, 2)]);
    say(ledger, "s", 1, &[said("e", "five")]).await;
    assert_eq!(contents(ledger, "s").await, ["one", "five"]);
    for (term, expected) in [("one", 1), ("two", 0), ("three", 0), ("four", 0), ("five", 1)] {
        assert_eq!(places(ledger, "p", term).await.len(), expected, "{term}");
    }
    let gap = ledger.say(&session("p", "s"), 3, "maker", &[said("x", "six")]).await;
    assert!(matches!(gap, Err(Error::Missing(_))), "{gap:?}");
    assert!(ledger.say(&session("p", "new"), 1, "maker", &[]).await.is_err());
    assert_eq!(ledger.sessions("local").await.unwrap().len(), 1);
    say(ledger, "s", 1, &[]).await;
    assert_eq!((contents(ledger, "s").await, places(ledger, "p", "five").await), (vec!["one".to_owned()], vec![]));
}

/// Whatever the steps in which they came, messages lie in chunks that are full but for the last.
pub async fn chunks_are_full_but_for_the_last(ledger: &dyn Ledger) {
    let all = numbered(0..2 * CHUNK + 10);
    for (from, to) in [(0, 3), (3, 4), (4, CHUNK), (CHUNK, CHUNK), (CHUNK, 2 * CHUNK + 1), (CHUNK + 5, all.len())] {
        say(ledger, "s", from as u64, &all[from..to]).await;
    }
    let chunks = ledger.chunks(&whose("p"), 0, usize::MAX).await.unwrap();
    let mut shape: Vec<(u64, usize)> = chunks.iter().map(|chunk| (chunk.first, chunk.measures.len())).collect();
    shape.sort_unstable();
    assert_eq!(shape, [(0, CHUNK), (CHUNK as u64, CHUNK), (2 * CHUNK as u64, 10)]);
    for chunk in &chunks {
        let expected: Vec<u8> =
            all.iter().skip(chunk.first as usize).take(CHUNK).flat_map(|said| said.vector.clone()).collect();
        assert_eq!((chunk.maker.as_str(), &chunk.vectors), ("maker", &expected));
        assert!(chunk.measures.iter().all(|measure| *measure == (2, false)), "{:?}", chunk.measures);
    }
    let numbers: Vec<u64> = chunks.iter().map(|chunk| chunk.number).collect();
    let second = ledger.chunks(&whose("p"), numbers[0], 1).await.unwrap();
    assert_eq!(second.iter().map(|chunk| chunk.number).collect::<Vec<_>>(), numbers[1..2]);
    let everywhere: Vec<(u64, u8)> = (0..all.len() as u64).map(|position| (position, 1)).collect();
    assert_eq!(places(ledger, "p", "all").await, everywhere);
    for n in [0, 3, CHUNK - 1, CHUNK, CHUNK + 4, CHUNK + 5, all.len() - 1] {
        assert_eq!(places(ledger, "p", &format!("word{n}")).await, [(n as u64, 1)]);
    }
}

/// Terms are values, and each is answered under its own position.
pub async fn terms_are_compared_as_they_are(ledger: &dyn Ledger) {
    say(ledger, "s", 0, &[said("a", "alpha beta"), said("b", "beta* 日本 ready?")]).await;
    let terms = ["beta", "al%", "日本", "beta*", "' OR 1", "alpha"].map(str::to_owned);
    let heard = ledger.heard(&whose("p"), &terms).await.unwrap();
    let found: Vec<_> = heard.iter().map(|heard| (heard.term, heard.places.clone())).collect();
    assert_eq!(found, [(0, vec![(0, 1)]), (2, vec![(1, 1)]), (3, vec![(1, 1)]), (5, vec![(0, 1)])]);
    let chunk = &ledger.chunks(&whose("p"), 0, usize::MAX).await.unwrap()[0];
    assert_eq!(chunk.measures, [(2, false), (3, true)]);
}

/// Projects and accounts do not mix, though names may be the same.
pub async fn whose_keeps_them_apart(ledger: &dyn Ledger) {
    say(ledger, "s", 0, &[said("a", "mine")]).await;
    ledger.say(&session("q", "s"), 0, "maker", &[said("a", "yours")]).await.unwrap();
    let other = Session { whose: Whose { account: "acme".to_owned(), project: "p".to_owned() }, ..session("p", "s") };
    ledger.say(&other, 0, "maker", &[said("a", "theirs")]).await.unwrap();
    assert_eq!(contents(ledger, "s").await, ["mine"]);
    assert_eq!(ledger.sessions("local").await.unwrap().len(), 2);
    assert!(places(ledger, "p", "yours").await.is_empty() && places(ledger, "q", "mine").await.is_empty());
    assert_eq!(ledger.said("local", "OURS").await.unwrap().len(), 1);
    assert_eq!(ledger.said("acme", "their").await.unwrap().len(), 1);
}

/// A session goes whole, and the others stay.
pub async fn a_dropped_session_is_gone(ledger: &dyn Ledger) {
    say(ledger, "s", 0, &numbered(0..CHUNK + 3)).await;
    say(ledger, "t", 0, &[said("a", "all stay")]).await;
    let number = ledger.session(&whose("p"), "s").await.unwrap().unwrap().number;
    assert!(ledger.drop_session(number).await.unwrap());
    assert!(!ledger.drop_session(number).await.unwrap());
    assert!(contents(ledger, "s").await.is_empty() && ledger.messages(number, 0, 9).await.unwrap().is_empty());
    assert_eq!(ledger.heard(&whose("p"), &["all".to_owned()]).await.unwrap().len(), 1);
    assert_eq!(ledger.chunk_numbers(&whose("p")).await.unwrap().len(), 1);
    say(ledger, "s", 0, &[said("b", "again")]).await;
    assert!(ledger.session(&whose("p"), "s").await.unwrap().unwrap().number > number);
}

/// Whoever keeps chunks needs only those above the highest, and which are left.
pub async fn a_change_makes_new_chunks_and_another_mark(ledger: &dyn Ledger) {
    assert_eq!(ledger.talk(&whose("p")).await.unwrap(), 0);
    let mut marks = Vec::new();
    let mut known: Vec<u64> = Vec::new();
    for (from, messages) in [(0, numbered(0..2)), (2, numbered(2..5)), (1, numbered(1..2)), (2, Vec::new())] {
        say(ledger, "s", from, &messages).await;
        marks.push(ledger.talk(&whose("p")).await.unwrap());
        let highest = known.iter().max().copied().unwrap_or(0);
        known.extend(ledger.chunks(&whose("p"), highest, usize::MAX).await.unwrap().iter().map(|chunk| chunk.number));
        let left = ledger.chunk_numbers(&whose("p")).await.unwrap();
        known.retain(|number| left.contains(number));
        assert_eq!(known, left);
    }
    let before = ledger.talk(&whose("p")).await.unwrap();
    ledger.say(&session("q", "s"), 0, "maker", &[said("a", "x")]).await.unwrap();
    assert_eq!(ledger.talk(&whose("p")).await.unwrap(), before);
    marks.sort_unstable();
    marks.dedup();
    assert_eq!(marks.len(), 4);
}

/// The last words first; ties by name.
pub async fn sessions_are_by_their_last_words(ledger: &dyn Ledger) {
    for (id, second) in [("b", 3), ("a", 3), ("c", 7), ("d", -1)] {
        let session = Session { at: at(second), ..session("p", id) };
        ledger.say(&session, 0, "maker", &[said("m", "x")]).await.unwrap();
    }
    let ids: Vec<String> = ledger.sessions("local").await.unwrap().into_iter().map(|kept| kept.session.id).collect();
    assert_eq!(ids, ["c", "a", "b", "d"]);
}

/// What was made by other rules is not mixed with what is made now.
pub async fn makers_are_not_mixed(ledger: &dyn Ledger) {
    say(ledger, "s", 0, &numbered(0..4)).await;
    ledger.say(&session("p", "s"), 2, "newer", &numbered(2..5)).await.unwrap();
    let chunks = ledger.chunks(&whose("p"), 0, usize::MAX).await.unwrap();
    let mut made: Vec<_> =
        chunks.iter().map(|chunk| (chunk.first, chunk.maker.as_str(), chunk.measures.len())).collect();
    made.sort_unstable();
    assert_eq!(made, [(0, "maker", 2), (2, "newer", 3)]);
    assert_eq!(places(ledger, "p", "all").await.len(), 5);
}
