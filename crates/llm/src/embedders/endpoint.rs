//! A service that makes vectors, in OpenAI's wire format: llama.cpp, vLLM, Ollama and most others speak it too.
//!
//! Owns the form of the question and the reading of the answer. Asks once, within its time: whoever embeds for a person
//! who waits has something else to fall back on, and asks again another day.
//! Never connects before the first text, and shows neither key nor words in an error.

use crate::embed::{Embedder, Error, Result, normalise};
use crate::providers::Key;
use crate::providers::line::Line;
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// Bytes of a text that are sent at most: every service has a limit, and most refuse what is above it.
const LONGEST: usize = 8 << 10;
/// Texts of one request.
const AT_ONCE: usize = 64;

/// An embedder at an address.
#[derive(Debug)]
pub struct Endpoint {
    name: String,
    model: String,
    line: Line,
    time: Duration,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

impl Endpoint {
    /// Only looks at the settings. `base` is the address that `/embeddings` is put behind; a request may take `time`.
    pub fn new(base: &str, model: &str, key: Option<&Key>, time: Duration) -> Result<Endpoint> {
        let base = base.trim_end_matches('/');
        if model.is_empty() {
            return Err(Error::Settings("no model is named".to_owned()));
        }
        let headers = key.map(|key| ("authorization", format!("Bearer {}", key.reveal()))).into_iter().collect();
        let line =
            Line::new(&format!("{base}/embeddings"), headers).map_err(|error| Error::Settings(error.to_string()))?;
        Ok(Endpoint { name: format!("endpoint/{base}/{model}"), model: model.to_owned(), line, time })
    }

    async fn some(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let input: Vec<&str> = texts.iter().map(|text| cut(text)).collect();
        let body = json!({"model": self.model, "input": input, "encoding_format": "float"}).to_string();
        let reply = tokio::time::timeout(self.time, self.line.post(body.into_bytes())).await;
        let reply = reply.map_err(|_| Error::Late { limit: self.time })?.map_err(|_| Error::Unreachable)?;
        if !(200..=299).contains(&reply.status) {
            return Err(Error::Refused { status: reply.status });
        }
        let Answer { mut data } =
            serde_json::from_slice(&reply.body).map_err(|_| Error::UnreadableAnswer("it is no list"))?;
        data.sort_by_key(|item| item.index);
        let dimensions = data.first().map_or(0, |item| item.embedding.len());
        if data.len() != texts.len() || data.iter().enumerate().any(|(at, item)| item.index != at) {
            return Err(Error::UnreadableAnswer("it is not one vector for each text"));
        }
        if dimensions == 0 || data.iter().any(|item| item.embedding.len() != dimensions) {
            return Err(Error::UnreadableAnswer("its vectors differ in length"));
        }
        let mut vectors: Vec<Vec<f32>> = data.into_iter().map(|item| item.embedding).collect();
        for (vector, text) in vectors.iter_mut().zip(&input) {
            normalise(vector);
            if text.trim().is_empty() {
                vector.fill(0.0);
            }
        }
        Ok(vectors)
    }
}

/// The beginning of a text; a service refuses an empty one, so that is a space.
fn cut(text: &str) -> &str {
    match text.trim() {
        "" => " ",
        text => &text[..text.floor_char_boundary(LONGEST)],
    }
}

#[async_trait]
impl Embedder for Endpoint {
    fn name(&self) -> &str {
        &self.name
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        for some in texts.chunks(AT_ONCE) {
            vectors.extend(self.some(some).await?);
        }
        Ok(vectors)
    }
}
