//! A model that plays a script: it does what it is told, however foolish.

use async_trait::async_trait;
use loci_llm::provider::{Answer, Ask, Call, Error, Provider, Result, Spent};
use loci_llm::{Models, Role};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// One turn of the script.
#[derive(Debug, Clone)]
pub enum Turn {
    Say(String),
    Do(Vec<(&'static str, Value)>),
    Fail(Error),
    /// Never answers.
    Hang,
}

/// A scripted provider; behind the end of its script it says that it is done.
#[derive(Debug, Clone, Default)]
pub struct Scripted {
    turns: Arc<Mutex<VecDeque<Turn>>>,
    asked: Arc<Mutex<Vec<Ask>>>,
}

impl Scripted {
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Scripted {
        Scripted { turns: Arc::new(Mutex::new(turns.into_iter().collect())), asked: Arc::default() }
    }

    pub fn models(&self) -> Models {
        Models::default().with(Role::Default, Arc::new(self.clone()))
    }

    /// Waits until it was asked something.
    pub async fn is_asked(&self) {
        while self.asked().is_empty() {
            tokio::task::yield_now().await;
        }
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Ask> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Provider for Scripted {
    fn name(&self) -> &str {
        "scripted/model"
    }

    async fn ask(&self, ask: &Ask) -> Result<Answer> {
        self.asked.lock().unwrap().push(ask.clone());
        let turn = self.turns.lock().unwrap().pop_front();
        let answer = |text: String, calls| Answer { text, calls, spent: Spent { input: 10, output: 1 } };
        match turn.unwrap_or(Turn::Say("Done.".to_owned())) {
            Turn::Say(text) => Ok(answer(text, Vec::new())),
            Turn::Do(calls) => {
                let call = |(at, (name, arguments)): (usize, (&str, Value))| Call {
                    id: format!("call-{at}"),
                    name: name.to_owned(),
                    arguments,
                };
                Ok(answer(String::new(), calls.into_iter().enumerate().map(call).collect()))
            }
            Turn::Fail(error) => Err(error),
            Turn::Hang => std::future::pending().await,
        }
    }
}
