use super::*;

#[test]
fn arguments_are_an_object_or_the_words_of_the_model() {
    for (written, read) in [
        (json!({"a": 1}), json!({"a": 1})),
        (json!("{\"a\": 1}"), json!({"a": 1})),
        (json!("\"{\\\"a\\\": 1}\""), json!({"a": 1})),
        (json!(" "), json!({})),
        (Value::Null, json!({})),
        (json!("{\"a\": "), json!("{\"a\": ")),
        (json!("[1]"), json!("[1]")),
        (json!("\"text\""), json!("\"text\"")),
        (json!([1]), json!("[1]")),
    ] {
        assert_eq!(arguments(Some(&written)), read, "{written}");
    }
    assert_eq!(arguments(None), json!({}));
}

#[test]
fn an_object_is_found_among_words() {
    for (text, found) in [
        (" {\"a\": 1}\n", "{\"a\": 1}"),
        ("```json\n{\"a\": {}}\n```", "{\"a\": {}}"),
        ("Sure! {\"a\": \"}\"} as asked", "{\"a\": \"}\"}"),
        ("{a} and {b}", "{a} and {b}"),
        ("} {", "} {"),
        ("[{\"a\": 1}]", "{\"a\": 1}"),
        ("", ""),
    ] {
        assert_eq!(object(text), found, "{text:?}");
    }
}

#[test]
fn only_thinking_that_ended_is_left_out() {
    assert_eq!(without_thinking("\n<think>a</think>\n b"), "b");
    assert_eq!(without_thinking("<think>a"), "<think>a");
    assert_eq!(without_thinking("no <think>a</think>"), "no <think>a</think>");
}
