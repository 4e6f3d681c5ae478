//! `loci tool`: one JSON call a line, one answer a line.

use super::Outcome;
use crate::args::Common;
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, json_line, line};
use jiff::Timestamp;
use loci_domain::access::Mode;
use loci_domain::fault::Fault;
use loci_domain::secrets::Policy;
use loci_memory::Memory;
use loci_memory::tool::Answer;
use loci_store::workspace::bare_root;
use loci_store::{Settings, Store};
use std::io::BufRead;
use std::path::PathBuf;
use std::process::ExitCode;

/// The longest call: room for a bare directory's largest file, escaped.
const LONGEST_LINE: u64 = 512 << 20;

pub async fn run(common: &Common, output: Output, mode: Mode, root: Option<PathBuf>, allow_secret: bool) -> Outcome {
    let memory = match root {
        Some(directory) => bare(directory)?,
        None => {
            let app = App::boot(common).await?;
            for warning in &app.warnings {
                output.warn(warning);
            }
            if !app.config.switch("memory.enabled") {
                let text = "memory is switched off (memory.enabled = false)";
                return Err(Failure::new(Fault::Offline, "memory_off", text));
            }
            app.memory
        }
    };
    let policy = if allow_secret { Policy::Allow } else { Policy::Refuse };
    let mut all_succeeded = true;
    let mut input = std::io::stdin().lock();
    while let Some(call) = next_line(&mut input)? {
        if call.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = match serde_json::from_slice(&call) {
            Ok(call) => memory.tool(&call, mode, policy).await,
            Err(error) => Answer::failed(format!("A call is one line of JSON: {error}")),
        };
        all_succeeded &= answer.succeeded();
        // Flushed line by line: an answer that is seen is a change that is safe.
        line(&json_line(&answer));
    }
    Ok(if all_succeeded { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A bare directory as `/memories`: the caps of the reference tools, and nothing kept about it.
fn bare(directory: PathBuf) -> Result<Memory, Failure> {
    let settings = Settings { file_bytes: 64 << 20, files_per_scope: usize::MAX >> 2, index_lines: 0, index_bytes: 0 };
    let directory = std::path::absolute(directory)?;
    Ok(Memory::new(Store::bare(bare_root(directory), settings, std::sync::Arc::new(Timestamp::now))))
}

fn next_line(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, Failure> {
    let mut call = Vec::new();
    let read = std::io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut call)?;
    if read as u64 == LONGEST_LINE && call.last() != Some(&b'\n') {
        return Err(Failure::new(Fault::Limit, "call_too_long", "a call is longer than 512 MiB"));
    }
    Ok((read > 0).then_some(call))
}
