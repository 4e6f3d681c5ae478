//! Which of the documents that a session was shown its agent named later: the only trace of whether they were of use.

use super::Receipt;
use super::why::MOST;
use crate::{Memory, Result};
use loci_domain::transcript::{Role, Turn};

/// Receipts of a session that are looked at, the newest.
const LATEST: u64 = 200;

impl Memory {
    /// Marks on the session's receipts what its agent names in these turns, in its own words or to a tool.
    pub(crate) async fn note_cited(&self, session: &str, turns: &[Turn]) -> Result<()> {
        let assistant = turns.iter().filter(|turn| turn.role == Role::Assistant);
        let said = assistant.flat_map(|turn| {
            let calls = turn.calls.iter().map(|call| call.arguments.to_string());
            std::iter::once(turn.content.clone()).chain(calls)
        });
        let said: Vec<String> = said.filter(|text| text.contains("/memories/")).collect();
        if said.is_empty() {
            return Ok(());
        }
        let record = self.record()?;
        let of_session = format!("\"session\":{}", serde_json::Value::from(session));
        for body in record.receipts_of(&of_session, LATEST).await? {
            let Ok(mut receipt) = serde_json::from_str::<Receipt>(&body) else { continue };
            let mut news = false;
            for shown in receipt.shown.iter_mut().filter(|shown| !shown.cited) {
                shown.cited = said.iter().any(|text| text.contains(&shown.path));
                news |= shown.cited;
            }
            let key = self.own(&receipt.id);
            // A session of another account may be called the same; its receipts are kept under other names.
            if news && record.receipt(&key).await?.as_ref() == Some(&body) {
                let body = serde_json::to_string(&receipt).unwrap_or(body);
                record.keep_receipt(&key, receipt.at, &body, MOST).await?;
            }
        }
        Ok(())
    }
}
