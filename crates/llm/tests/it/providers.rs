//! The contract of the port, in each of the four wire formats.

use loci_llm::Provider;
use loci_llm::providers::{self, Key, Kind, Settings};
use loci_testkit::contract::provider::Place;
use loci_testkit::model::{KEY, NAME};
use std::sync::Arc;
use std::time::Duration;

fn open(kind: Kind, place: Place) -> Arc<dyn Provider> {
    let settings = Settings {
        base_url: Some(place.base_url),
        key: Key::new(KEY),
        time: place.time,
        retries: place.retries,
        pause: Duration::from_millis(1),
        ..Settings::new(kind, NAME)
    };
    providers::open(settings).unwrap()
}

mod openai {
    use loci_testkit::model::Wire;
    loci_testkit::provider_contract!(#[tokio::test] => Wire::OpenAi, |place| super::open(super::Kind::OpenAi, place));
}

mod anthropic {
    use loci_testkit::model::Wire;
    loci_testkit::provider_contract!(#[tokio::test] => Wire::Anthropic, |place| super::open(super::Kind::Anthropic, place));
}

mod gemini {
    use loci_testkit::model::Wire;
    loci_testkit::provider_contract!(#[tokio::test] => Wire::Gemini, |place| super::open(super::Kind::Gemini, place));
}

mod ollama {
    use loci_testkit::model::Wire;
    loci_testkit::provider_contract!(#[tokio::test] => Wire::Ollama, |place| super::open(super::Kind::Ollama, place));
}
