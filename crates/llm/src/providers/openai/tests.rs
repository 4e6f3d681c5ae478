use super::*;
use crate::provider::{CallResult, Error, Spent};

fn ask() -> Ask {
    Ask { messages: vec![Message::User("q".to_owned())], ..Ask::default() }
}

fn read(body: Value) -> Result<Read> {
    OpenAi.read(&ask(), &body)
}

fn said(message: Value) -> Value {
    json!({"choices": [{"message": message}]})
}

#[test]
fn a_question_is_written_as_documented() {
    let call = Call { id: "c1".to_owned(), name: "read".to_owned(), arguments: json!({"path": "/a"}) };
    let ask = Ask {
        system: "s".to_owned(),
        messages: vec![
            Message::User("q".to_owned()),
            Message::Assistant { text: String::new(), calls: vec![call] },
            Message::Results(vec![CallResult { id: "c1".to_owned(), name: "read".to_owned(), text: "r".to_owned() }]),
        ],
        max_tokens: Some(5),
        ..Ask::default()
    };
    let function = json!({"name": "read", "arguments": "{\"path\":\"/a\"}"});
    let expected = json!({"model": "m", "stream": false, "max_tokens": 5, "messages": [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": "r"},
    ]});
    assert_eq!(OpenAi.body("m", &ask, Manners::default()), expected);
    let renamed = OpenAi.body("m", &ask, Manners::COMPLETION);
    assert_eq!((&renamed["max_completion_tokens"], renamed.get("max_tokens")), (&json!(5), None));
}

#[test]
fn rough_answers_are_read() {
    let parts = read(said(json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}))).unwrap();
    assert_eq!((parts.text.as_str(), parts.spent), ("ab", None));
    let calls = json!([
        {"function": {"name": "read", "arguments": {"path": "/"}}},
        {"id": "", "function": {"name": "read"}},
        {"id": "x", "function": {"arguments": "{"}},
    ]);
    let read = read(said(json!({"tool_calls": calls}))).unwrap();
    let got: Vec<(&str, &str, &Value)> =
        read.calls.iter().map(|call| (call.id.as_str(), call.name.as_str(), &call.arguments)).collect();
    assert_eq!(
        got,
        [("call_1_0", "read", &json!({"path": "/"})), ("call_1_1", "read", &json!({})), ("x", "", &json!("{"))]
    );
}

#[test]
fn an_answer_with_nothing_in_it_says_why_and_what_it_cost() {
    let usage = json!({"prompt_tokens": 7, "completion_tokens": 1});
    for (body, why) in [
        (json!({"choices": []}), "it has no choices"),
        (json!({"error": "no"}), "it has no choices"),
        (said(json!({"content": null, "refusal": "I can't"})), "the model refuses"),
        (json!({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}), "it was filtered"),
        (json!({"choices": [{"message": {"content": ""}, "finish_reason": "length"}]}), "it ran out of tokens"),
    ] {
        let mut body = body;
        body["usage"] = usage.clone();
        let spent = Spent { input: 7, output: 1 };
        assert_eq!(read(body), Err(Error::Nothing { why, spent }));
    }
    assert_eq!(read(said(json!({"content": ""}))).unwrap(), Read::default());
}

#[test]
fn only_closed_schemas_are_called_strict() {
    let closed = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
    assert!(is_strict(&closed));
    for (name, value) in [("required", json!([])), ("additionalProperties", json!(true))] {
        let mut open = closed.clone();
        open[name] = value;
        assert!(!is_strict(&open), "{open}");
        let nested = json!({"type": "array", "items": open});
        assert!(!is_strict(&nested), "{nested}");
    }
}

#[test]
fn a_shape_may_be_put_into_words() {
    let shape = Shape { name: "n".to_owned(), schema: json!({"type": "object"}) };
    let ask = Ask { shape: Some(shape), ..ask() };
    assert_eq!(OpenAi.body("m", &ask, Manners::default())["response_format"]["json_schema"]["name"], "n");
    let words = OpenAi.body("m", &ask, Manners::WORDS);
    assert_eq!(words.get("response_format"), None);
    assert!(words["messages"][0]["content"].as_str().is_some_and(|system| system.contains("{\"type\":\"object\"}")));
}
