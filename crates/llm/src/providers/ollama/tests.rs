use super::*;

fn ask(characters: usize) -> Ask {
    Ask { messages: vec![Message::User("a".repeat(characters))], ..Ask::default() }
}

#[test]
fn a_long_question_asks_for_a_long_context() {
    for (characters, context) in
        [(100, None), (12_000, None), (13_000, Some(8192)), (200_000, Some(65_536)), (9_000_000, Some(131_072))]
    {
        let body = Ollama.body("m", &ask(characters), Manners::default());
        assert_eq!(body["options"]["num_ctx"].as_u64(), context, "{characters}");
    }
    let body = Ollama.body("m", &Ask { max_tokens: Some(4000), ..ask(1_000) }, Manners::default());
    assert_eq!(body["options"], json!({"num_predict": 4000, "num_ctx": 8192}));
}

#[test]
fn the_address_may_be_given_with_api() {
    for base in ["http://127.0.0.1:11434", "http://127.0.0.1:11434/api"] {
        assert_eq!(Ollama.address(base, "m"), "http://127.0.0.1:11434/api/chat");
    }
}
