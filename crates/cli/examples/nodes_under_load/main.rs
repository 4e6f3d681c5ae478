//! Three daemons on one PostgreSQL and one bucket, a hundred workspaces, two hundred clients for a minute; one daemon is killed
//! and started again in the middle, and PostgreSQL too. Afterwards every write that was acknowledged must be there, and every
//! task must have had its effect once: `cargo xtask bench --nodes`, or
//! `cargo run --release -p loci-cli --example nodes_under_load -- target/release/loci [SECONDS]`.
//!
//! Everything runs on one machine, clients included, so the numbers say how it behaves and not how far it goes.
// A measurement has nobody to hand an error to.
#![allow(clippy::unwrap_used)]

mod client;
mod fleet;

use client::{Acknowledged, Client, Tally};
use fleet::Fleet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const NODES: usize = 3;
const WORKSPACES: usize = 100;
const CLIENTS: usize = 200;

fn main() {
    let mut words = std::env::args().skip(1);
    let binary = words.next().unwrap_or_else(|| panic!("the binary to measure is not named"));
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(60);
    let mut fleet = Fleet::start(&std::fs::canonicalize(binary).unwrap(), NODES);
    let workspaces: Vec<String> = (0..WORKSPACES).map(|n| fleet.workspace(n)).collect();
    eprintln!("{NODES} daemons, {WORKSPACES} workspaces; {CLIENTS} clients for {seconds} s");
    let (stop, done) = (AtomicBool::new(false), Mutex::new((Tally::default(), Acknowledged::default())));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for n in 0..CLIENTS {
            let (stop, done) = (&stop, &done);
            let client = Client::new(n, &workspaces[n % WORKSPACES], fleet.addresses(), fleet.token());
            scope.spawn(move || {
                let (tally, acknowledged) = client.work(stop);
                let mut all = done.lock().unwrap();
                all.0.add(tally);
                all.1.add(acknowledged);
            });
        }
        let part = Duration::from_secs(seconds) / 6;
        std::thread::sleep(part * 2);
        eprintln!("a daemon is killed");
        fleet.kill(1);
        std::thread::sleep(part);
        eprintln!("it is started again");
        fleet.revive(1);
        std::thread::sleep(part);
        eprintln!("PostgreSQL is stopped as by a loss of power, and started again");
        fleet.restart_ledger();
        std::thread::sleep(part * 2);
        stop.store(true, Ordering::Relaxed);
    });
    let took = start.elapsed();
    let (tally, acknowledged) = done.into_inner().unwrap();
    println!("{}", tally.table(took));
    let verdict = acknowledged.check(&fleet);
    println!("{verdict}");
    fleet.end();
    assert!(verdict.is_good(), "something that was acknowledged is not as it should be");
}
