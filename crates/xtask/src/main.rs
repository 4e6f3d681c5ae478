//! The workshop: everything that is done *to* the project, none of what it does.
//!
//! Owns `cargo xtask tidy` (house rules as code), `test` (everything, set-up included), `bench` (the numbers), `dist` (what is
//! given away), `nightly` and `soak` (what takes hours).
//! Never ships, and no crate may depend on it.
//! Start at [`main`], then at the module of the same name as the word.

mod bench;
mod dist;
mod nightly;
mod repo;
mod scratch;
mod shell;
mod soak;
mod test;
mod tidy;

use anyhow::{Result, bail};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <word>

  tidy             check the house rules, the format and the licences
  test [--fast]    everything, tools included; --fast leaves out fuzzing and the acceptance suites
  test --only STEP one step of it
  bench [--quick] [--no-peers] [--only PART] [--publish]
                   measure target/release/loci beside its bars, the floors of this machine and other memory servers,
                   which are installed below target/peers; writes target/bench.json, and --publish docs/benchmarks.md;
                   fails when a number misses what it must be
  bench --nodes    three daemons on PostgreSQL and S3 under load, one of them and the database cut off in the middle
  dist             the archive that is given away, with manual pages, completions, sums and a bill of materials, in dist/
  nightly [--only STEP]
                   what takes longer than a test may: long rounds of tests, fuzzing for minutes, the daemon against its own
                   OpenAPI document (schemathesis), a soak of half an hour
  soak [--minutes N] [--binary PATH]
                   a daemon under light load for 30 minutes; fails when memory, descriptors, threads or files grow";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(words: Vec<String>) -> Result<ExitCode> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["tidy"] => tidy::run(),
        ["test"] => test::run(test::Extent::All),
        ["test", "--fast"] => test::run(test::Extent::Fast),
        ["test", "--only", step] => test::run(test::Extent::Only((*step).to_owned())),
        ["bench", flags @ ..] => bench::run(flags),
        ["dist"] => dist::run(),
        ["nightly"] => nightly::run(None),
        ["nightly", "--only", step] => nightly::run(Some(step)),
        ["soak", flags @ ..] => soak::run(flags),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => bail!("{USAGE}"),
    }
}
