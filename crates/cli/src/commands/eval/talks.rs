//! Conversations of others' datasets, through the very import and recall that sessions have.

use crate::boot::memory_in_ram;
use crate::fault::Failure;
use crate::output::json_line;
use jiff::Timestamp;
use loci_domain::transcript::Format;
use loci_memory::Memory;
use loci_memory::eval::Judged;
use loci_memory::eval::talks::{Conversation, Question, Unit};
use loci_memory::recall::sessions::{Reach, RecallSessions, SessionHit};
use loci_memory::sessions::Transcript;
use serde_json::json;
use std::fs::File;
use std::io::Write;
use std::time::Instant;

/// Units that are looked at for each question.
const DEPTH: usize = 25;
/// Messages that are looked at to find so many sessions.
const MESSAGES: usize = 400;

/// Asks the first so many questions.
pub async fn judge(
    conversations: &[Conversation],
    unit: Unit,
    most: usize,
    mut out: Option<File>,
) -> Result<Vec<Judged>, Failure> {
    let mut judged = Vec::new();
    for conversation in conversations {
        if judged.len() >= most {
            break;
        }
        let memory = heard(conversation).await?;
        for question in conversation.questions.iter().take(most - judged.len()) {
            judged.push(ask(&memory, question, unit, out.as_mut()).await?);
        }
    }
    Ok(judged)
}

async fn heard(conversation: &Conversation) -> Result<Memory, Failure> {
    let memory = memory_in_ram()?;
    for session in &conversation.sessions {
        let mut source = std::io::Cursor::new(session.lines.as_bytes());
        let transcript = Transcript {
            id: session.id.clone(),
            format: Format::Loci,
            source: &mut source,
            changed_at: Timestamp::UNIX_EPOCH,
        };
        memory.import_session(transcript).await?;
    }
    Ok(memory)
}

async fn ask(memory: &Memory, question: &Question, unit: Unit, out: Option<&mut File>) -> Result<Judged, Failure> {
    let limit = match unit {
        Unit::Turn => DEPTH,
        Unit::Session => MESSAGES,
    };
    let start = Instant::now();
    let ask = RecallSessions { query: question.query.clone(), limit, reach: Reach::Here };
    let hits = memory.recall_sessions(ask).await?.hits;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let found = units(&hits, unit);
    if let Some(out) = out {
        let rows: Vec<_> =
            found.iter().map(|(id, hit)| json!({"id": id, "score": hit.score, "why": hit.why})).collect();
        let row = json!({"id": question.id, "category": question.category, "query": question.query, "gold": question.gold, "hits": rows});
        writeln!(out, "{}", json_line(&row))?;
    }
    let ranked = found.into_iter().map(|(id, _)| id.to_owned()).collect();
    Ok(Judged { category: question.category.clone(), gold: question.gold.clone(), ranked, milliseconds })
}

/// What was found: each turn, or each session by its best turn.
fn units(hits: &[SessionHit], unit: Unit) -> Vec<(&str, &SessionHit)> {
    let mut found: Vec<(&str, &SessionHit)> = Vec::new();
    for hit in hits {
        let id = match unit {
            Unit::Turn => hit.message.as_str(),
            Unit::Session => hit.session.as_str(),
        };
        if found.len() < DEPTH && found.iter().all(|(known, _)| *known != id) {
            found.push((id, hit));
        }
    }
    found
}
