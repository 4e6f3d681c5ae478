//! Turns: one at a time, each event once, and a late one writes nothing.

use loci_domain::transcript::Role;
use loci_ledger::{Begin, Begun, Ledger, Line, Spoken, Step, Turn, TurnStatus};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(3600);
/// Over as soon as it is granted: no test has to wait for the end of a lease.
const NO_TIME: Duration = Duration::ZERO;

fn said(role: Role, text: &str) -> Spoken {
    Spoken { role, content: format!("\"{text}\"") }
}

fn begin(key: &str, event: &str, lasts: Duration) -> Begin {
    Begin {
        account: "a".to_owned(),
        key: key.to_owned(),
        event: event.to_owned(),
        turn: format!("turn_{key}_{event}_{}", loci_store::store::fresh_id()),
        agent: "ag_1".to_owned(),
        ingress: vec![said(Role::User, event)],
        lasts,
        claimed: LONG,
    }
}

async fn started(ledger: &dyn Ledger, begin: &Begin) -> Turn {
    match ledger.begin_turn(begin).await.unwrap() {
        Begun::Started(turn) => turn,
        other => panic!("{other:?}"),
    }
}

async fn words(ledger: &dyn Ledger, turn: &Turn) -> Vec<String> {
    let lines = ledger.lines(turn.conversation, 0, 1000).await.unwrap();
    lines.iter().map(|line| line.content.trim_matches('"').to_owned()).collect()
}

/// With its messages in order.
pub async fn a_turn_comes_back_whole(ledger: &dyn Ledger) {
    let turn = started(ledger, &begin("talk", "e1", LONG)).await;
    assert_eq!(ledger.turn("a", "talk", &turn.id).await.unwrap(), Some(turn.clone()));
    for (account, key, id) in [("b", "talk", turn.id.as_str()), ("a", "other", &turn.id), ("a", "talk", "turn_x")] {
        assert_eq!(ledger.turn(account, key, id).await.unwrap(), None);
    }
    let answer = [said(Role::Assistant, "yes"), said(Role::Tool, "done")];
    assert!(matches!(ledger.complete_turn(turn.token, &answer).await.unwrap(), Step::Done(_)));
    assert_eq!(words(ledger, &turn).await, ["e1", "yes", "done"]);
    let lines: Vec<Line> = ledger.lines(turn.conversation, 1, 1).await.unwrap();
    assert_eq!((lines[0].position, lines[0].role, &lines[0].turn), (1, Role::Assistant, &turn.id));
    let found = ledger.conversation("a", "talk").await.unwrap().unwrap();
    assert_eq!((found.messages, found.number), (3, turn.conversation));
    assert_eq!(ledger.conversation("b", "talk").await.unwrap(), None);
    assert_eq!(ledger.conversations("a", 10).await.unwrap(), [found]);
}

/// Whatever the conversation, while it runs and after it; another account has its own.
pub async fn an_event_is_taken_once(ledger: &dyn Ledger) {
    let turn = started(ledger, &begin("talk", "e1", LONG)).await;
    for key in ["talk", "other"] {
        assert_eq!(ledger.begin_turn(&begin(key, "e1", LONG)).await.unwrap(), Begun::Duplicate);
    }
    ledger.complete_turn(turn.token, &[]).await.unwrap();
    assert_eq!(ledger.begin_turn(&begin("talk", "e1", LONG)).await.unwrap(), Begun::Duplicate);
    started(ledger, &Begin { account: "b".to_owned(), ..begin("talk", "e1", LONG) }).await;
    assert_eq!(ledger.conversation("a", "other").await.unwrap(), None);
    for (account, event, claimed, taken) in
        [("a", "e1", LONG, true), ("a", "e1", NO_TIME, false), ("a", "e2", LONG, false), ("c", "e1", LONG, false)]
    {
        assert_eq!(ledger.is_claimed(account, event, claimed).await.unwrap(), taken, "{account} {event} {claimed:?}");
    }
    // Known for so long and no longer; then it is a new event, and its words are new.
    let again = started(ledger, &Begin { claimed: NO_TIME, ..begin("talk", "e1", LONG) }).await;
    assert_eq!(words(ledger, &again).await, ["e1", "e1"]);
}

/// And keeps nothing of who came too early.
pub async fn a_conversation_has_one_turn(ledger: &dyn Ledger) {
    let turn = started(ledger, &begin("talk", "e1", LONG)).await;
    assert_eq!(ledger.begin_turn(&begin("talk", "e2", LONG)).await.unwrap(), Begun::Busy(turn.until));
    assert_eq!(words(ledger, &turn).await, ["e1"]);
    started(ledger, &begin("other", "e3", LONG)).await;
    ledger.complete_turn(turn.token, &[]).await.unwrap();
    started(ledger, &begin("talk", "e2", LONG)).await;
}

/// Who takes over has a higher token, and the old one is good for nothing.
pub async fn turn_is_fenced(ledger: &dyn Ledger) {
    let old = started(ledger, &begin("talk", "e1", NO_TIME)).await;
    let new = started(ledger, &begin("talk", "e2", LONG)).await;
    assert!(new.token > old.token);
    assert_eq!(ledger.complete_turn(old.token, &[said(Role::Assistant, "late")]).await.unwrap(), Step::Lost);
    assert_eq!(ledger.renew_turn(old.token, LONG).await.unwrap(), Step::Lost);
    assert_eq!(ledger.fail_turn(old.token).await.unwrap(), Step::Lost);
    assert_eq!(ledger.keep_summary(old.token, "\"s\"", (0, 0)).await.unwrap(), Step::Lost);
    assert_eq!(ledger.turn("a", "talk", &old.id).await.unwrap().unwrap().status, TurnStatus::Lost);
    assert!(matches!(ledger.complete_turn(new.token, &[]).await.unwrap(), Step::Done(_)));
    assert_eq!(ledger.complete_turn(new.token, &[]).await.unwrap(), Step::Over);
    assert_eq!(ledger.renew_turn(new.token, LONG).await.unwrap(), Step::Over);
    assert_eq!(words(ledger, &new).await, ["e1", "e2"]);
}

/// One that nobody took over may still end, and may go on.
pub async fn a_late_turn_that_nobody_took_may_end(ledger: &dyn Ledger) {
    let turn = started(ledger, &begin("talk", "e1", NO_TIME)).await;
    assert!(matches!(ledger.renew_turn(turn.token, NO_TIME).await.unwrap(), Step::Done(_)));
    assert!(matches!(ledger.complete_turn(turn.token, &[said(Role::Assistant, "x")]).await.unwrap(), Step::Done(_)));
    assert_eq!(ledger.begin_turn(&begin("talk", "e1", LONG)).await.unwrap(), Begun::Duplicate);
}

/// After a failure, and after a lease that ran out: what it brought is there once, and stands last.
pub async fn an_event_may_be_tried_again(ledger: &dyn Ledger) {
    let failed = started(ledger, &begin("talk", "e1", LONG)).await;
    assert!(matches!(ledger.fail_turn(failed.token).await.unwrap(), Step::Done(_)));
    let between = started(ledger, &begin("talk", "e2", LONG)).await;
    ledger.complete_turn(between.token, &[said(Role::Assistant, "two")]).await.unwrap();
    let late = started(ledger, &begin("talk", "e1", NO_TIME)).await;
    let again = started(ledger, &begin("talk", "e1", LONG)).await;
    assert!(again.token > late.token);
    assert_eq!(words(ledger, &again).await, ["e1", "e2", "two"]);
    let visible = ledger.visible(&again).await.unwrap();
    let seen: Vec<&str> = visible.rest.iter().map(|line| line.content.trim_matches('"')).collect();
    assert_eq!((seen, visible.own), (vec!["e2", "two", "e1"], 1));
}

/// It stands for its range and nothing else; what the harness says stays.
pub async fn a_summary_covers_its_range(ledger: &dyn Ledger) {
    let first = started(ledger, &begin("talk", "e1", LONG)).await;
    let told = [said(Role::Assistant, "a1"), said(Role::System, "rule")];
    ledger.complete_turn(first.token, &told).await.unwrap();
    let second = started(ledger, &begin("talk", "e2", LONG)).await;
    assert!(matches!(ledger.keep_summary(second.token, "\"short\"", (0, 1)).await.unwrap(), Step::Done(_)));
    let visible = ledger.visible(&second).await.unwrap();
    let text = |lines: &[Line]| lines.iter().map(|line| line.content.clone()).collect::<Vec<_>>();
    assert_eq!(visible.summary.as_ref().map(|line| (line.position, line.covers)), Some((4, Some((0, 1)))));
    assert_eq!(text(&visible.persisted), ["\"rule\""]);
    assert_eq!(text(&visible.rest), ["\"e2\""]);
    assert_eq!(words(ledger, &second).await, ["e1", "a1", "rule", "e2", "short"]);
}

/// With its turns, so that a late one has nothing to write to.
pub async fn a_dropped_conversation_is_gone(ledger: &dyn Ledger) {
    let turn = started(ledger, &begin("talk", "e1", LONG)).await;
    assert!(!ledger.drop_conversation("b", "talk").await.unwrap());
    assert!(ledger.drop_conversation("a", "talk").await.unwrap());
    assert!(!ledger.drop_conversation("a", "talk").await.unwrap());
    assert_eq!(ledger.complete_turn(turn.token, &[said(Role::Assistant, "x")]).await.unwrap(), Step::Lost);
    let new = started(ledger, &begin("talk", "e1", LONG)).await;
    assert!(new.conversation > turn.conversation && new.token > turn.token);
    assert_eq!(words(ledger, &new).await, ["e1"]);
}

/// In the account that asks, and in no other.
pub async fn lines_are_redacted_for_good(ledger: &dyn Ledger) {
    let turn = started(ledger, &begin("talk", "tell 4471", LONG)).await;
    started(ledger, &Begin { account: "b".to_owned(), ..begin("talk", "tell 4471", LONG) }).await;
    assert_eq!(ledger.redact_lines("a", "4471", "[X]").await.unwrap(), 1);
    assert_eq!(words(ledger, &turn).await, ["tell [X]"]);
    assert_eq!(ledger.redact_lines("b", "4471", "[X]").await.unwrap(), 1);
}

/// Only where a person was ever asked, and with the last message: it decides what a no means.
pub async fn calls_are_found_among_many_words(ledger: &dyn Ledger) {
    let part =
        |kind: &str| Spoken { role: Role::Assistant, content: format!(r#"[{{"type":"{kind}","toolCallId":"c"}}]"#) };
    let places = async |turn: &Turn| {
        let lines = ledger.calls(turn.conversation).await.unwrap();
        lines.iter().map(|line| line.position).collect::<Vec<_>>()
    };
    let turn = started(ledger, &begin("talk", "e1", LONG)).await;
    ledger.complete_turn(turn.token, &[part("tool-call"), said(Role::Assistant, "ok")]).await.unwrap();
    assert!(places(&turn).await.is_empty(), "nobody was asked");
    let turn = started(ledger, &begin("talk", "e2", LONG)).await;
    ledger.complete_turn(turn.token, &[part("tool-approval-request"), said(Role::Assistant, "?")]).await.unwrap();
    assert_eq!(places(&turn).await, [1, 4, 5]);
    let other = started(ledger, &begin("other", "e3", LONG)).await;
    assert!(places(&other).await.is_empty());
}
