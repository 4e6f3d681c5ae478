//! What a call writes into logs, and which way it takes: nothing of the key or the words, and no proxy before loopback.

use loci_llm::provider::{Ask, Message};
use loci_llm::providers::{self, Key, Kind, Settings};
use loci_testkit::model::{KEY, Model, NAME, Step, Wire};
use std::io::Write;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PROMPT: &str = "the pelican sleeps at noon";

#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn settings(kind: Kind, base_url: String) -> Settings {
    let (key, pause) = (Key::new(KEY), Duration::from_millis(1));
    Settings { base_url: Some(base_url), key, pause, retries: 1, ..Settings::new(kind, NAME) }
}

fn ask() -> Ask {
    Ask { system: PROMPT.to_owned(), messages: vec![Message::User(PROMPT.to_owned())], ..Ask::default() }
}

#[tokio::test]
async fn the_most_talkative_log_holds_neither_key_nor_words() {
    let paper = Paper::default();
    let writer = paper.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    for (wire, kind) in Wire::ALL.into_iter().zip(Kind::ALL) {
        let steps = [Step::echo(500), Step::echo(429), Step::echo(400), Step::echo(401), Step::say(PROMPT)];
        let model = Model::new(wire, steps);
        let provider = providers::open(settings(kind, model.base_url())).unwrap();
        for _ in 0..4 {
            let _ = provider.ask(&ask()).await;
        }
    }
    let logged = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("a model is asked again"), "nothing is logged at all: {logged}");
    assert!(!logged.contains(KEY) && !logged.contains(PROMPT), "{logged}");
}

const CHILD: &str = "LOCI_TEST_BASE_URL";

#[test]
fn a_proxy_does_not_stand_before_loopback() {
    let (model, proxy) = (Model::new(Wire::OpenAi, [Step::say("ok")]), Model::new(Wire::OpenAi, []));
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "silence::as_a_child_asks_where_it_is_told", "--nocapture"]).env(CHILD, model.base_url());
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"] {
        child.env(name, proxy.base_url());
    }
    let ran = child.env_remove("NO_PROXY").env_remove("no_proxy").output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!((model.requests().len(), proxy.requests().len()), (1, 0));
}

/// The other half of the test above: does something only in its child process.
#[tokio::test]
async fn as_a_child_asks_where_it_is_told() {
    if let Ok(base_url) = std::env::var(CHILD) {
        let provider = providers::open(settings(Kind::OpenAi, base_url)).unwrap();
        assert_eq!(provider.ask(&ask()).await.unwrap().text, "ok");
    }
}
