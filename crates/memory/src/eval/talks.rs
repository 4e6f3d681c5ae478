//! Conversations with questions, in the formats in which others publish them.
//!
//! `locomo`: turns are found within their conversation. `longmemeval`: each question has sessions of its own, and
//! sessions are found; questions that nothing answers (`_abs`) are left out.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// One turn.
    Turn,
    /// A whole session.
    Session,
}

/// Sessions that belong together, and what is asked about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    /// What was said.
    pub sessions: Vec<Session>,
    /// What is asked.
    pub questions: Vec<Question>,
}

/// One session.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// Its name.
    pub id: String,
    /// Its transcript in format `loci`.
    pub lines: String,
}

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Its name.
    pub id: String,
    /// What kind of question it is.
    pub category: String,
    /// Its words.
    pub query: String,
    /// The names of the turns or sessions that answer it.
    pub gold: Vec<String>,
}

/// Reads a dataset of format `locomo`.
pub fn locomo(text: &str) -> serde_json::Result<Vec<Conversation>> {
    let samples: Vec<Sample> = serde_json::from_str(text)?;
    Ok(samples.into_iter().map(Sample::conversation).collect())
}

/// Reads a dataset of format `longmemeval`.
pub fn longmemeval(text: &str) -> serde_json::Result<Vec<Conversation>> {
    let asked: Vec<Asked> = serde_json::from_str(text)?;
    Ok(asked.into_iter().filter(|asked| !asked.question_id.ends_with("_abs")).map(Asked::conversation).collect())
}

#[derive(Deserialize)]
struct Sample {
    #[serde(default)]
    sample_id: String,
    qa: Vec<Pair>,
    conversation: Map<String, Value>,
}

#[derive(Deserialize)]
struct Pair {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
    category: Value,
}

#[derive(Deserialize)]
struct Spoken {
    speaker: String,
    dia_id: String,
    #[serde(default)]
    text: String,
    blip_caption: Option<String>,
}

impl Sample {
    fn conversation(self) -> Conversation {
        let mut sessions: BTreeMap<u32, Vec<Spoken>> = BTreeMap::new();
        for (key, value) in self.conversation {
            let Some(number) = key.strip_prefix("session_").and_then(|rest| rest.parse().ok()) else { continue };
            sessions.insert(number, serde_json::from_value(value).unwrap_or_default());
        }
        let known: Vec<String> = sessions.values().flatten().map(|spoken| spoken.dia_id.clone()).collect();
        let question = |(at, pair): (usize, Pair)| Question {
            id: format!("{}/{at}", self.sample_id),
            category: pair.category.to_string(),
            query: pair.question,
            gold: pair.evidence.iter().flat_map(|given| turns(given)).filter(|turn| known.contains(turn)).collect(),
        };
        let questions = self.qa.into_iter().enumerate().map(question).filter(|question| !question.gold.is_empty());
        Conversation {
            questions: questions.collect(),
            sessions: sessions
                .into_iter()
                .map(|(number, spoken)| Session {
                    id: format!("session_{number}"),
                    lines: spoken.iter().map(Spoken::line).collect(),
                })
                .collect(),
        }
    }
}

impl Spoken {
    fn line(&self) -> String {
        let caption = self.blip_caption.as_ref().map(|caption| format!(" [{caption}]")).unwrap_or_default();
        let content = format!("{}: {}{caption}", self.speaker, self.text);
        format!("{}\n", json!({"id": self.dia_id, "role": "user", "content": content}))
    }
}

/// The turns that a piece of evidence names: usually one, sometimes several, and a few are misspelt (`D:11:26`).
fn turns(given: &str) -> Vec<String> {
    let parts = given.split(|c: char| c == ';' || c == ',' || c.is_whitespace());
    let turn = |part: &str| {
        let (session, turn) = part.strip_prefix('D')?.trim_start_matches(':').split_once(':')?;
        Some(format!("D{}:{}", session.parse::<u32>().ok()?, turn.parse::<u32>().ok()?))
    };
    parts.filter_map(turn).collect()
}

#[derive(Deserialize)]
struct Asked {
    question_id: String,
    #[serde(default)]
    question_type: String,
    question: String,
    haystack_session_ids: Vec<String>,
    haystack_sessions: Vec<Vec<Turn>>,
    #[serde(default)]
    haystack_dates: Vec<String>,
    answer_session_ids: Vec<String>,
}

#[derive(Deserialize)]
struct Turn {
    role: String,
    content: String,
}

impl Asked {
    fn conversation(self) -> Conversation {
        let mut sessions: Vec<Session> = Vec::new();
        for (at, (id, turns)) in self.haystack_session_ids.iter().zip(&self.haystack_sessions).enumerate() {
            let said = self.haystack_dates.get(at).and_then(|date| moment(date));
            let lines = turns.iter().enumerate().map(|(n, turn)| {
                format!("{}\n", json!({"id": n, "role": turn.role, "content": turn.content, "at": said}))
            });
            // A session that stands there twice is one.
            if sessions.iter().all(|known| known.id != *id) {
                sessions.push(Session { id: id.clone(), lines: lines.collect() });
            }
        }
        let gold = self.answer_session_ids;
        let question = Question { id: self.question_id, category: self.question_type, query: self.question, gold };
        Conversation { sessions, questions: vec![question] }
    }
}

/// `2023/05/20 (Sat) 02:21` as a time of the transcript.
fn moment(date: &str) -> Option<String> {
    let (day, rest) = date.split_once(' ')?;
    let time = rest.rsplit(' ').next()?;
    (day.len() == 10 && time.len() == 5).then(|| format!("{}T{time}:00Z", day.replace('/', "-")))
}

#[cfg(test)]
mod tests;
