//! Asks a model once: plain words, words of a shape, or with a tool that it may call.
//!
//! ```text
//! cargo run --release -p loci-llm --example ask -- openai local http://127.0.0.1:8080/v1 plain "Name a bird."
//! LOCI_MODEL_API_KEY=… cargo run --release -p loci-llm --example ask -- anthropic MODEL "" tool "What is in /notes?"
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used)]

use async_trait::async_trait;
use loci_llm::agent::{self, Task, Toolbox};
use loci_llm::provider::{Ask, Call, Message, Shape, Tool};
use loci_llm::providers::{self, Key, Settings};
use loci_llm::{Models, Role};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// One folder with two notes.
struct Notes;

#[async_trait]
impl Toolbox for Notes {
    fn tools(&self) -> Vec<Tool> {
        let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
        let tool = |name: &str, description: &str| Tool {
            name: name.to_owned(),
            description: description.to_owned(),
            schema: schema.clone(),
        };
        vec![tool("ls", "Lists the files of a folder."), tool("read_file", "Shows a file.")]
    }

    async fn call(&self, call: &Call) -> Result<String, String> {
        println!("-> {} {}", call.name, call.arguments);
        match (call.name.as_str(), call.arguments["path"].as_str()) {
            ("ls", Some(_)) => Ok("/notes/birds.md\n/notes/tea.md".to_owned()),
            ("read_file", Some(path)) if path.ends_with("birds.md") => Ok("The pelican sleeps at noon.".to_owned()),
            ("read_file", Some(path)) if path.ends_with("tea.md") => Ok("Tea is at four.".to_owned()),
            ("read_file", Some(path)) => Err(format!("{path} does not exist")),
            _ => Err("a path is needed".to_owned()),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, model, base_url, how, question] = words.as_slice() else {
        panic!("usage: ask PROVIDER MODEL BASE_URL plain|shape|tool QUESTION");
    };
    let settings = Settings {
        base_url: (!base_url.is_empty()).then(|| base_url.clone()),
        key: std::env::var("LOCI_MODEL_API_KEY").ok().and_then(|key| Key::new(&key)),
        ..Settings::new(kind.parse().expect("a provider that there is"), model)
    };
    let models = Models::default().with(Role::Default, providers::open(settings).expect("settings that fit"));
    let began = Instant::now();
    let mut ask = Ask {
        system: "Answer in one sentence.".to_owned(),
        messages: vec![Message::User(question.clone())],
        temperature: Some(0.0),
        max_tokens: Some(200),
        ..Ask::default()
    };
    if how == "tool" {
        let task = Task {
            name: "example",
            role: Role::Default,
            system: "Use the tools to look things up, then answer in one sentence.".to_owned(),
            prompt: question.clone(),
            turns: 6,
            time: Duration::from_secs(300),
        };
        println!("{:#?}", agent::run(&models, &Notes, &task).await);
    } else {
        if how == "shape" {
            let list = json!({"type": "array", "items": {"type": "string"}});
            let schema = json!({
                "type": "object", "properties": {"names": list}, "required": ["names"], "additionalProperties": false,
            });
            ask.shape = Some(Shape { name: "names".to_owned(), schema });
        }
        let answer = models.ask(Role::Default, &ask).await;
        println!("{answer:#?}");
        if let (Ok(answer), Some(_)) = (answer, &ask.shape) {
            println!("as JSON: {:?}", serde_json::from_str::<Value>(&answer.text));
        }
    }
    println!("{:.1} s", began.elapsed().as_secs_f64());
}
