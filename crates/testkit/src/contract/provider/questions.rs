//! What arrives.

use super::*;
use loci_llm::provider::CallResult;

/// Everything that was asked, with the key.
pub async fn the_question_arrives_whole(wire: Wire, open: Open) {
    let (model, provider) = scripted(wire, open, [Step::say("ok")]);
    let ask = Ask {
        messages: vec![
            Message::User("one \"1\"\n".to_owned()),
            Message::Assistant { text: "two".to_owned(), calls: Vec::new() },
            Message::User("three 日".to_owned()),
        ],
        temperature: Some(0.0),
        max_tokens: Some(77),
        ..question()
    };
    provider.ask(&ask).await.unwrap();
    let seen = model.requests()[0].seen();
    let said: Vec<(&str, &str)> = seen.messages.iter().map(|(who, what)| (who.as_str(), what.as_str())).collect();
    assert_eq!(said, [("user", "one \"1\"\n"), ("assistant", "two"), ("user", "three 日")]);
    assert_eq!((seen.model.as_str(), seen.key.as_deref(), seen.system.as_str()), (NAME, Some(KEY), "Be brief."));
    assert_eq!((seen.temperature, seen.max_tokens), (Some(0.0), Some(77)));
    assert_eq!((seen.schema, seen.tools.len()), (None, 0));
}

/// What was not asked for is not sent.
pub async fn little_said_is_little_sent(wire: Wire, open: Open) {
    let (model, provider) = scripted(wire, open, [Step::say("ok")]);
    provider.ask(&Ask { messages: vec![Message::User("hi".to_owned())], ..Ask::default() }).await.unwrap();
    let seen = model.requests()[0].seen();
    assert_eq!((seen.system.as_str(), seen.temperature, seen.schema), ("", None, None));
}

/// Tools by name.
pub async fn tools_arrive(wire: Wire, open: Open) {
    let (model, provider) = scripted(wire, open, [Step::say("ok")]);
    let bare = Tool { schema: json!({"type": "object", "properties": {}}), ..tool("bare") };
    provider.ask(&Ask { tools: vec![tool("read"), bare], ..question() }).await.unwrap();
    assert_eq!(model.requests()[0].seen().tools, ["read", "bare"]);
}

/// The shape as a schema.
pub async fn a_shape_arrives(wire: Wire, open: Open) {
    let (model, provider) = scripted(wire, open, [Step::say("{\"animals\": []}")]);
    provider.ask(&Ask { shape: Some(shape()), ..question() }).await.unwrap();
    let schema = model.requests()[0].seen().schema.unwrap();
    assert_eq!(schema["properties"]["animals"]["items"]["type"], "string");
    assert_eq!(schema["required"], json!(["animals"]));
}

/// Asks, answers the calls with `texts`, and asks again.
async fn exchange(wire: Wire, open: Open, first: Step, texts: &[&str]) -> (Vec<Call>, crate::model::Seen) {
    let (model, provider) = scripted(wire, open, [first, Step::say("done")]);
    let mut ask = Ask { tools: vec![tool("read"), tool("list")], ..question() };
    let answer = provider.ask(&ask).await.unwrap();
    assert_eq!(answer.calls.len(), texts.len());
    let results = answer.calls.iter().zip(texts).map(|(call, text)| CallResult {
        id: call.id.clone(),
        name: call.name.clone(),
        text: (*text).to_owned(),
    });
    let results = Message::Results(results.collect());
    ask.messages.push(Message::Assistant { text: answer.text, calls: answer.calls.clone() });
    ask.messages.push(results);
    assert_eq!(provider.ask(&ask).await.unwrap().text, "done");
    (answer.calls, model.requests()[1].seen())
}

/// A result finds its call by id or name; the server refuses any other way.
pub async fn results_go_back_to_their_calls(wire: Wire, open: Open) {
    let first = Step::calls([("read", json!({"path": "/a"})), ("list", json!({"path": "/"}))]);
    let (calls, seen) = exchange(wire, open, first, &["alpha", "Error: no"]).await;
    assert_eq!(seen.results, ["alpha", "Error: no"]);
    let sent: Vec<(String, Value)> = calls.into_iter().map(|call| (call.name, call.arguments)).collect();
    assert_eq!(seen.calls, sent);
}

/// Two calls of one tool stay two.
pub async fn the_same_tool_twice_at_once(wire: Wire, open: Open) {
    let first = Step::calls([("read", json!({"path": "/a"})), ("read", json!({"path": "/a"}))]).saying("Twice.");
    let (_, seen) = exchange(wire, open, first, &["1", "2"]).await;
    assert_eq!(seen.results, ["1", "2"]);
    assert!(seen.messages.contains(&("assistant".to_owned(), "Twice.".to_owned())), "{seen:?}");
}

/// What the model wrote goes back in a form that the service takes.
pub async fn a_conversation_goes_on_after_malformed_arguments(wire: Wire, open: Open) {
    let (calls, seen) = exchange(wire, open, Step::call("read", json!("{\"path")), &["Error: that is no JSON"]).await;
    assert_eq!(calls[0].arguments, call("", "", json!("{\"path")).arguments);
    assert!(seen.calls[0].1.is_object() && seen.calls[0].1.to_string().contains("path"), "{seen:?}");
    assert_eq!(seen.results, ["Error: that is no JSON"]);
}
