//! Recall over HTTP: 32 connections that ask without a pause, over real text.
//!
//! Each asks as a client does that sets nothing: what is shown counts as used, which is a write.

use super::daemon::Daemon;
use super::figures::Figures;
use super::home::Home;
use super::{percentile, recall};
use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Documents that are asked for.
const SIZE: usize = 1_000;
const CONNECTIONS: usize = 32;

pub fn measure(seconds: u64, figures: &mut Figures) -> Result<()> {
    let Some(dataset) = recall::dataset(SIZE) else {
        println!("HTTP: there is not enough real text here, recall over HTTP is not measured");
        return Ok(());
    };
    let home = Home::new()?;
    home.lay(&dataset)?;
    let questions: Vec<&str> =
        dataset["questions"].as_array().into_iter().flatten().filter_map(|it| it["query"].as_str()).collect();
    let daemon = Daemon::start(&home)?;
    // The first questions read everything once.
    asked(&daemon, &questions[..3], Duration::ZERO, 0)?;
    println!("HTTP: {CONNECTIONS} connections for {seconds} s");
    let (start, time) = (Instant::now(), Duration::from_secs(seconds));
    let times = std::thread::scope(|scope| {
        let (daemon, questions) = (&daemon, &questions[..]);
        let ask = move |seat| asked(daemon, questions, time, seat);
        let threads: Vec<_> = (0..CONNECTIONS).map(|seat| scope.spawn(move || ask(seat))).collect();
        let mut times = Vec::new();
        for thread in threads {
            times.extend(thread.join().map_err(|_| anyhow!("a thread panicked"))??);
        }
        anyhow::Ok(times)
    });
    let (mut times, took) = (times?, start.elapsed());
    let row = |what: &str| format!("recall over HTTP, {CONNECTIONS} connections, {what}");
    figures.set(&row("requests a second"), Some(SIZE), times.len() as f64 / took.as_secs_f64(), "/s");
    figures.set(&row("p50"), Some(SIZE), percentile(&mut times, 0.5), "ms");
    figures.set(&row("p99"), Some(SIZE), percentile(&mut times, 0.99), "ms");
    figures.set(&row("resident memory of the daemon"), Some(SIZE), daemon.resident()?, "MB");
    Ok(())
}

/// Asks on one connection for so long, once around at the least when there is no time; how long each answer took.
fn asked(daemon: &Daemon, questions: &[&str], time: Duration, seat: usize) -> Result<Vec<Duration>> {
    let mut connection = daemon.connect()?;
    let (begin, mut times) = (Instant::now(), Vec::new());
    for round in 0.. {
        if begin.elapsed() >= time && (!time.is_zero() || round == questions.len()) {
            break;
        }
        // Every connection begins elsewhere, so that no two ask the same at the same time.
        let query = questions[(seat * questions.len() / CONNECTIONS + round) % questions.len()];
        let start = Instant::now();
        let (status, told) = connection.ask("POST", "/memory/recall", Some(&json!({"query": query})))?;
        times.push(start.elapsed());
        ensure!(status == 200, "recall over HTTP: {status} {told}");
        let _: &Vec<Value> = told["hits"].as_array().context("no hits")?;
    }
    Ok(times)
}
