use super::*;
use crate::provider::{Error, Shape, Spent, Tool};

fn ask() -> Ask {
    Ask { messages: vec![Message::User("q".to_owned())], ..Ask::default() }
}

#[test]
fn the_address_has_its_version_once() {
    let call = "models/m:generateContent";
    assert_eq!(Gemini.address("https://host", "models/m"), format!("https://host/v1beta/{call}"));
    assert_eq!(Gemini.address("https://host/v1", "m"), format!("https://host/v1/{call}"));
}

#[test]
fn schemas_are_cut_to_what_is_known() {
    let whole = json!({
        "$schema": "x", "type": "object", "additionalProperties": false, "required": ["a"],
        "properties": {
            "a": {"type": ["string", "null"], "default": 1},
            "b": {"const": "x"},
            "additionalProperties": {"oneOf": [{"type": "integer", "$comment": "c"}]},
        },
    });
    let cut = json!({
        "type": "object", "required": ["a"],
        "properties": {
            "a": {"type": "string", "nullable": true},
            "b": {"enum": ["x"]},
            "additionalProperties": {"anyOf": [{"type": "integer"}]},
        },
    });
    assert_eq!(schema::cut(&whole), cut);
}

#[test]
fn tools_and_a_shape_do_not_go_together() {
    let tool = Tool { name: "t".to_owned(), description: String::new(), schema: json!({"type": "object"}) };
    let shape = Shape { name: "n".to_owned(), schema: json!({"type": "object"}) };
    let body = Gemini.body("m", &Ask { tools: vec![tool], shape: Some(shape), ..ask() }, Manners::default());
    assert_eq!(body.get("generationConfig"), None);
    assert!(body["systemInstruction"]["parts"][0]["text"].as_str().is_some_and(|text| text.contains("JSON schema")));
}

#[test]
fn what_was_blocked_or_cut_says_so() {
    let usage = json!({"promptTokenCount": 5, "candidatesTokenCount": 0, "thoughtsTokenCount": 90});
    for (body, why) in [
        (json!({"promptFeedback": {"blockReason": "SAFETY"}}), "the question was blocked"),
        (json!({"candidates": []}), "it has no candidates"),
        (json!({"candidates": [{"finishReason": "SAFETY"}]}), "it was filtered"),
        (json!({"candidates": [{"finishReason": "MAX_TOKENS"}]}), "it ran out of tokens"),
        (json!({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}), "the model's call was malformed"),
    ] {
        let mut body = body;
        body["usageMetadata"] = usage.clone();
        let spent = Spent { input: 5, output: 90 };
        assert_eq!(Gemini.read(&ask(), &body), Err(Error::Nothing { why, spent }));
    }
}
