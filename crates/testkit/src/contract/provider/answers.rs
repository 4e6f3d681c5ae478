//! What comes back.

use super::*;
use loci_llm::provider::{Error, Spent};

/// Words and their price, under the name of provider and model.
pub async fn words_come_back(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::say("Good day, “you”.\n日本 🙂")]);
    let answer = provider.ask(&question()).await.unwrap();
    assert_eq!(answer.text, "Good day, “you”.\n日本 🙂");
    assert_eq!((answer.calls.len(), answer.spent), (0, Spent { input: 100, output: 20 }));
    assert_eq!(provider.name(), format!("{}/{NAME}", wire.provider()));
}

/// Parallel calls in their order, each with an id of its own.
pub async fn calls_come_back_in_order(wire: Wire, open: Open) {
    let calls =
        [("read", json!({"path": "/b"})), ("list", json!({"path": "/a", "lines": 3})), ("read", json!({"path": "/c"}))];
    let (_model, provider) = scripted(wire, open, [Step::calls(calls.clone())]);
    let answer = provider.ask(&Ask { tools: vec![tool("read"), tool("list")], ..question() }).await.unwrap();
    let got: Vec<(&str, Value)> =
        answer.calls.iter().map(|call| (call.name.as_str(), call.arguments.clone())).collect();
    assert_eq!(got, calls);
    let ids: std::collections::BTreeSet<&str> = answer.calls.iter().map(|call| call.id.as_str()).collect();
    assert!(ids.len() == 3 && !ids.contains(""), "{ids:?}");
}

/// A model may speak and act at once.
pub async fn words_beside_calls_come_back(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::call("read", json!({"path": "/"})).saying("I shall look.")]);
    let answer = provider.ask(&Ask { tools: vec![tool("read")], ..question() }).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.calls.len()), ("I shall look.", 1));
}

/// No arguments are an object without fields.
pub async fn a_call_without_arguments_has_an_empty_object(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::calls([("read", json!("")), ("read", json!({}))])]);
    let answer = provider.ask(&Ask { tools: vec![tool("read")], ..question() }).await.unwrap();
    assert!(answer.calls.iter().all(|call| call.arguments == json!({})), "{answer:?}");
}

/// What is no object is what the model wrote, as a string.
pub async fn malformed_arguments_are_words(wire: Wire, open: Open) {
    let (_model, provider) =
        scripted(wire, open, [Step::calls([("read", json!("{\"path\": \"/a")), ("read", json!("[1]"))])]);
    let answer = provider.ask(&Ask { tools: vec![tool("read")], ..question() }).await.unwrap();
    let arguments: Vec<&Value> = answer.calls.iter().map(|call| &call.arguments).collect();
    assert_eq!(arguments, [&json!("{\"path\": \"/a"), &json!("[1]")]);
}

/// The text of an answer that has a shape is that JSON.
pub async fn a_shape_is_kept_to(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::say("{\"animals\": [\"pelican\"]}")]);
    let answer = provider.ask(&Ask { shape: Some(shape()), ..question() }).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&answer.text).unwrap(), json!({"animals": ["pelican"]}));
    assert!(answer.calls.is_empty());
}

/// Small models wrap what they were asked for.
pub async fn an_answer_in_a_fence_is_unwrapped(wire: Wire, open: Open) {
    let wrapped = "Here you are:\n```json\n{\"animals\": []}\n```\nAnything else?";
    let (_model, provider) =
        scripted(wire, open, [Step::say(wrapped), Step::say(wrapped), Step::say("none {of} them")]);
    let shaped = Ask { shape: Some(shape()), ..question() };
    assert_eq!(provider.ask(&shaped).await.unwrap().text, "{\"animals\": []}");
    assert_eq!(provider.ask(&question()).await.unwrap().text, wrapped);
    assert_eq!(provider.ask(&shaped).await.unwrap().text, "none {of} them");
}

/// Thoughts are no words, wherever they stand.
pub async fn thinking_is_left_out(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::say("<think>\nHmm.\n</think>\n\nYes.")]);
    assert_eq!(provider.ask(&question()).await.unwrap().text, "Yes.");
}

/// The budget counts in any case.
pub async fn cost_is_estimated_where_nobody_tells_it(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::say("a".repeat(4_000)).costing(None)]);
    let ask = Ask { messages: vec![Message::User("b".repeat(8_000))], ..question() };
    let spent = provider.ask(&ask).await.unwrap().spent;
    assert!((1_900..2_500).contains(&spent.input) && (900..1_200).contains(&spent.output), "{spent:?}");
}

/// An answer that is none is an error, not a panic, and is not asked for again.
pub async fn nonsense_is_unreadable(wire: Wire, open: Open) {
    for body in [
        "",
        "no json",
        "[]",
        "{}",
        "{\"choices\": [], \"content\": null, \"candidates\": [], \"message\": 3}",
        "null",
        "3",
    ] {
        let (model, provider) = scripted(wire, open, [Step::body(body)]);
        let error = provider.ask(&question()).await.unwrap_err();
        assert!(matches!(error, Error::Unreadable(_) | Error::Nothing { .. }), "{body:?}: {error:?}");
        assert_eq!(model.requests().len(), 1);
    }
}

/// Nobody can fill the memory.
pub async fn too_much_is_unreadable(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::say("a".repeat(9 << 20))]);
    let error = provider.ask(&question()).await.unwrap_err();
    assert!(matches!(error, Error::Unreadable(_)), "{error:?}");
}
