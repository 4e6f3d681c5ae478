//! The daemon by its own word: requests that a stranger makes of `/openapi.json`, thousands of them, valid and not.
//!
//! Owns which checks must hold: no answer of 5xx, no status that is not documented, no body that does not fit its schema.
//! Streams of events are left out, since they do not end. Start at [`run`].

use crate::bench::daemon::Daemon;
use crate::bench::home::Home;
use crate::test::Done;
use crate::{repo, shell};
use anyhow::{Result, ensure};
use std::process::Stdio;

const PACKAGE: &str = "schemathesis==4.32.5";
/// A place of its own: it brings many packages along.
const FOLDER: &str = "target/tools/schemathesis";
const SECONDS: &str = "300";
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_schema_conformance,response_headers_conformance";

/// Runs it against the binary that was built last.
pub fn run() -> Result<Done> {
    let probe = ["test", "-d", &format!("{FOLDER}/schemathesis")];
    if !shell::works(&probe) {
        let forbidden = std::env::var_os("LOCI_NO_INSTALL").is_some_and(|value| value != "0" && !value.is_empty());
        if forbidden {
            return Ok(Done::Skipped("schemathesis is not installed".to_owned()));
        }
        shell::run(&["python3", "-m", "pip", "install", "--quiet", "--target", FOLDER, PACKAGE])?;
    }
    shell::run(&["cargo", "build", "--release", "--workspace", "--bin", "loci"])?;
    let home = Home::new()?;
    let daemon = Daemon::start(&home)?;
    let words = words(&daemon.url());
    println!("$ python3 {}", words.join(" "));
    let mut command =
        shell::command(&[&["python3"], &words.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat());
    // In the scratch folder, since it writes what it found to where it stands; the token stays out of what is printed.
    command.args(["--header", &format!("Authorization: Bearer {}", daemon.token())]).current_dir(home.beside());
    let status = command.env("PYTHONPATH", repo::root().join(FOLDER)).stdin(Stdio::null()).status()?;
    ensure!(status.success(), "the daemon and its document disagree, see above");
    Ok(Done::Passed)
}

fn words(url: &str) -> Vec<String> {
    let document = format!("{url}/openapi.json");
    let words = ["-m", "schemathesis.cli", "run", &document, "--checks", CHECKS, "--exclude-path-regex", "events$"];
    // One worker: with two it trips over a cache of its own now and then.
    let more = ["--phases", "coverage,fuzzing", "--max-time", SECONDS, "--request-timeout", "30", "--workers", "1"];
    let quiet = ["--warnings", "off", "--continue-on-failure", "--no-color"];
    words.into_iter().chain(more).chain(quiet).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_left_out_and_no_token_is_among_the_words() {
        let line = words("http://127.0.0.1:1").join(" ");
        assert!(
            line.starts_with("-m schemathesis.cli run http://127.0.0.1:1/openapi.json --checks not_a_server_error,")
        );
        assert!(line.contains("--exclude-path-regex events$") && !line.contains("Bearer"), "{line}");
    }
}
