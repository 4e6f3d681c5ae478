use super::*;
use crate::provider::{Error, Shape, Spent, Tool};

fn ask() -> Ask {
    Ask { messages: vec![Message::User("q".to_owned())], ..Ask::default() }
}

fn shaped() -> Ask {
    Ask { shape: Some(Shape { name: "choice".to_owned(), schema: json!({"type": "object"}) }), ..ask() }
}

#[test]
fn the_address_has_its_version_once() {
    assert_eq!(Anthropic.address("https://host", "m"), "https://host/v1/messages");
    assert_eq!(Anthropic.address("https://host/proxy/v1", "m"), "https://host/proxy/v1/messages");
}

#[test]
fn a_shape_is_a_forced_tool_and_beside_tools_one_of_them() {
    let body = Anthropic.body("m", &shaped(), Manners::default());
    assert_eq!(body["tool_choice"], json!({"type": "tool", "name": "choice"}));
    let tool = Tool { name: "read".to_owned(), description: String::new(), schema: json!({"type": "object"}) };
    let body = Anthropic.body("m", &Ask { tools: vec![tool], ..shaped() }, Manners::default());
    assert_eq!(body["tool_choice"], json!({"type": "any"}));
    assert_eq!(body["tools"].as_array().map(Vec::len), Some(2));
    assert_eq!(Anthropic.body("m", &ask(), Manners::default()).get("tool_choice"), None);
}

#[test]
fn cached_tokens_count_and_the_answer_is_the_last_word() {
    let body = json!({
        "content": [{"type": "text", "text": "so:"}, {"type": "tool_use", "id": "t", "name": "choice", "input": {"a": 1}}],
        "usage": {"input_tokens": 1, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 300, "output_tokens": 4},
    });
    let read = Anthropic.read(&shaped(), &body).unwrap();
    assert_eq!((read.text.as_str(), read.calls.len()), ("{\"a\":1}", 0));
    assert_eq!(read.spent, Some(Spent { input: 321, output: 4 }));
}

#[test]
fn a_refusal_says_so() {
    let body = json!({"content": [], "stop_reason": "refusal", "usage": {"input_tokens": 9, "output_tokens": 0}});
    let spent = Spent { input: 9, output: 0 };
    assert_eq!(Anthropic.read(&ask(), &body), Err(Error::Nothing { why: "the model refuses", spent }));
}
