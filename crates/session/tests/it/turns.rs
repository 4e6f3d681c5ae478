//! Turns among many, and in long conversations.

use crate::{House, now};
use loci_ledger::LOCAL;
use loci_session::Error;
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
