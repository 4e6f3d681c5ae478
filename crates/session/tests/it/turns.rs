//! Turns among many, and in long conversations.

use crate::{House, now};
use loci_domain::message::Message;
use loci_ledger::{Holding, LOCAL, Sqlite, Turns};
use loci_session::Error;
use loci_session::context::{Compaction, TurnContext};
use loci_session::turn::{Started, Wanted};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_turns_at_once_win_one_after_the_other() {
    let house = Arc::new(House::new());
    let agent = house.agent(json!({})).await;
    let turns = (0..50).map(|n| {
        let (house, agent) = (Arc::clone(&house), agent.clone());
        tokio::spawn(async move {
            let (event, text) = (format!("e-{n}"), format!("ask-{n}-"));
            loop {
                match house.begin("talk", &event, &agent, &text).await {
                    Ok(Started::Turn(context)) => {
                        let answer = [json!({"role": "assistant", "content": format!("reply-{n}-")})];
                        return house.runtime.complete(LOCAL, "talk", &context.turn.id, &answer).await.unwrap();
                    }
                    Err(Error::Busy(_)) => tokio::time::sleep(Duration::from_millis(5)).await,
                    other => panic!("{other:?}"),
                }
            }
        })
    });
    for turn in turns.collect::<Vec<_>>() {
        turn.await.unwrap();
    }
    let (_, lines) = house.runtime.conversation(LOCAL, "talk", 0, 1000).await.unwrap();
    let words: Vec<&str> = lines.iter().map(|line| line.content.as_str()).collect();
    assert_eq!(words.len(), 100);
    // Each question is followed by its own answer: nobody spoke in between.
    for pair in words.chunks(2) {
        assert_eq!(pair[0].replace("ask", ""), pair[1].replace("reply", ""));
    }
    for n in 0..50 {
        assert_eq!(words.iter().filter(|word| **word == format!("\"ask-{n}-\"")).count(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_conversation_is_shown_soon() {
    let house = House::new();
    let agent = house.agent(json!({})).await;
    for batch in 0..5 {
        let text = |n: usize| format!("message {n} of batch {batch}: {}", "some words ".repeat(10));
        let events: Vec<Value> = (0..1000)
            .map(|n| json!({"role": if n % 2 == 0 { "user" } else { "assistant" }, "content": text(n)}))
            .collect();
        let wanted = Wanted { event: format!("e-{batch}"), agent: agent.clone(), events };
        let Started::Turn(context) = house.runtime.begin(LOCAL, "talk", wanted, &now()).await.unwrap() else {
            panic!("a duplicate")
        };
        house.runtime.fail(LOCAL, "talk", &context.turn.id).await.unwrap();
    }
    let start = Instant::now();
    let Started::Turn(context) = house.begin("talk", "last", &agent, "and now?").await.unwrap() else {
        panic!("a duplicate")
    };
    let took = start.elapsed();
    assert_eq!(context.messages.len(), 5001);
    // Unoptimised code on a busy machine; the release bar is 50 ms.
    assert!(took < Duration::from_secs(3), "{took:?}");
}

#[tokio::test]
async fn a_refused_turn_leaves_nothing_behind() {
    let house = House::leasing(Duration::from_secs(900));
    let error = house.begin("talk", "e-1", "ag_none", "hi").await.unwrap_err();
    assert!(error.to_string().contains("ag_none"), "{error}");
    let agent = house.agent(json!({})).await;
    for (key, event) in [("", "e"), ("talk", " "), ("a\nb", "e"), (&"k".repeat(161), "e")] {
        assert!(matches!(house.begin(key, event, &agent, "hi").await, Err(Error::Form(_))), "{key:?} {event:?}");
    }
    assert!(house.runtime.conversations(LOCAL).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_only_for_this_turn_stands_last() {
    let house = House::new();
    let agent = house.agent(json!({"system": "AGENT"})).await;
    let events = vec![
        json!({"role": "system", "content": "NOW", "persist": false}),
        json!({"role": "system", "content": "ALWAYS"}),
        json!({"role": "user", "content": "hi"}),
    ];
    let wanted = Wanted { event: "e".to_owned(), agent, events };
    let Started::Turn(context) = house.runtime.begin(LOCAL, "talk", wanted, &now()).await.unwrap() else {
        panic!("a duplicate")
    };
    let parts: Vec<(&str, &str)> = context.system.iter().map(|part| (part.name, part.text.as_str())).collect();
    assert_eq!((parts.first(), parts.last()), (Some(&("agent", "AGENT")), Some(&("turn", "NOW"))));
    assert!(parts.contains(&("persisted", "ALWAYS")), "{parts:?}");
    assert!(context.system.iter().all(|part| part.tokens > 0));
}

#[tokio::test]
async fn a_duplicate_is_told_though_its_agent_is_gone() {
    let house = House::new();
    let agent = house.agent(json!({})).await;
    let Started::Turn(context) = house.begin("talk", "e", &agent, "hi").await.unwrap() else { panic!("a duplicate") };
    house.runtime.complete(LOCAL, "talk", &context.turn.id, &[]).await.unwrap();
    house.runtime.remove(Holding::Agent, LOCAL, &agent).await.unwrap();
    assert!(matches!(house.begin("talk", "e", &agent, "hi").await, Ok(Started::Duplicate)));
    assert!(matches!(house.begin("talk", "new", &agent, "hi").await, Err(Error::Dangling { .. })));
}

/// An agent that wants long conversations told in short; there is no model to do it.
async fn brief_agent(house: &House) -> String {
    house.agent(json!({"session": {"compaction": {"enabled": true, "maxContextLength": 4000}}})).await
}

async fn begun(house: &House, event: &str, agent: &str, events: Vec<Value>) -> TurnContext {
    let wanted = Wanted { event: event.to_owned(), agent: agent.to_owned(), events };
    match house.runtime.begin(LOCAL, "talk", wanted, &now()).await.unwrap() {
        Started::Turn(context) => *context,
        Started::Duplicate => panic!("a duplicate"),
    }
}

fn asked() -> Value {
    json!({"role": "assistant", "content": [
        {"type": "text", "text": "May I?"},
        {"type": "tool-call", "toolCallId": "c", "toolName": "bash", "input": {}},
        {"type": "tool-approval-request", "approvalId": "ap", "toolCallId": "c"},
    ]})
}

#[tokio::test]
async fn what_is_only_for_this_turn_counts_for_compaction() {
    let house = House::new();
    let agent = brief_agent(&house).await;
    let first = begun(&house, "e-1", &agent, vec![json!({"role": "user", "content": "hi"})]).await;
    assert_eq!(first.compaction, Compaction::None);
    house.runtime.complete(LOCAL, "talk", &first.turn.id, &[]).await.unwrap();
    let once = json!({"role": "system", "content": "now ".repeat(1000), "persist": false});
    let second = begun(&house, "e-2", &agent, vec![once, json!({"role": "user", "content": "and now?"})]).await;
    assert!(matches!(second.compaction, Compaction::Failed(_)), "{:?}", second.compaction);
}

#[tokio::test]
async fn an_unanswered_approval_does_not_stop_compaction() {
    let house = House::new();
    let agent = brief_agent(&house).await;
    let first = begun(&house, "e-1", &agent, vec![asked()]).await;
    house.runtime.complete(LOCAL, "talk", &first.turn.id, &[]).await.unwrap();
    let long = json!({"role": "user", "content": "words ".repeat(1000)});
    let second = begun(&house, "e-2", &agent, vec![long]).await;
    assert!(matches!(second.compaction, Compaction::Failed(_)), "{:?}", second.compaction);
}

#[tokio::test]
async fn a_call_that_waits_is_seen_beside_the_summary_that_covers_it() {
    let house = House::new();
    let agent = house.agent(json!({})).await;
    let user = |text: &str| json!({"role": "user", "content": text});
    let first = begun(&house, "e-1", &agent, vec![user("delete it")]).await;
    house.runtime.complete(LOCAL, "talk", &first.turn.id, &[asked()]).await.unwrap();
    let second = begun(&house, "e-2", &agent, vec![user("what was it?")]).await;
    let ledger = Sqlite::open(&house.home().join("loci.db")).unwrap();
    ledger.keep_summary(second.turn.token, "\"In short.\"", (0, 1)).await.unwrap();
    house.runtime.complete(LOCAL, "talk", &second.turn.id, &[]).await.unwrap();
    let third = begun(&house, "e-3", &agent, vec![user("go on")]).await;
    let whole = asked();
    assert_eq!(third.messages[0].content, json!(whole["content"].as_array().unwrap()[1..]));
    assert_eq!(third.messages[1..].iter().map(Message::words).collect::<Vec<_>>(), ["what was it?", "go on"]);
    let (found, _) = house.runtime.conversation(LOCAL, "talk", 0, 0).await.unwrap();
    assert_eq!(house.runtime.waiting(&found).await.unwrap().len(), 1);
    let result = json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "bash", "output": 1}]});
    house.runtime.complete(LOCAL, "talk", &third.turn.id, &[result]).await.unwrap();
    let fourth = begun(&house, "e-4", &agent, vec![user("thanks")]).await;
    assert_eq!(fourth.messages.iter().map(Message::words).collect::<Vec<_>>(), ["what was it?", "go on", "thanks"]);
}
