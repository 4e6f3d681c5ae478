//! Prints what the shipped embedder costs: `cargo run --release -p loci-llm --example cost`.

use loci_llm::embedders::StaticMinilm;
use loci_llm::embedders::static_minilm::similarity;
use std::hint::black_box;
use std::time::Instant;

const SENTENCE: &str = "The deploy of the billing service failed on Friday because a database migration locked the \
    accounts table for eleven minutes, so we agreed to run migrations only on Monday mornings and to announce them. ";

fn main() {
    let model = StaticMinilm::default();
    let hundred: String = SENTENCE.repeat(4).split_inclusive(' ').take(100).collect();

    let start = Instant::now();
    black_box(model.vector(black_box("where did the deploy fail")));
    println!("first text of the process, 5 words   {:>9.1} µs", start.elapsed().as_secs_f64() * 1e6);
    let start = Instant::now();
    black_box(model.vector(black_box(&hundred)));
    println!("second text, 100 words               {:>9.1} µs", start.elapsed().as_secs_f64() * 1e6);

    for (name, text) in [
        ("100 words", hundred.clone()),
        ("5 words", "where did the deploy fail".to_owned()),
        ("100 Han characters", "用户喜欢深色模式部署前必".repeat(9).chars().take(100).collect()),
        ("512 tokens and more", SENTENCE.repeat(100)),
        ("a megabyte", SENTENCE.repeat(5000)),
    ] {
        println!("{name:<36} {:>9.2} µs", micros(2000, || model.vector(black_box(&text))));
    }
    println!("{:<36} {:>9.2} µs", "100 words, in bytes", micros(2000, || model.quantised(black_box(&hundred))));
    let (a, b) = (model.quantised(&hundred), model.quantised("where did the deploy fail"));
    println!("{:<36} {:>9.4} µs", "similarity", micros(200_000, || similarity(black_box(&a), black_box(&b))));
}

/// The best mean of five rounds.
fn micros<T>(times: u32, mut work: impl FnMut() -> T) -> f64 {
    let mut round = || {
        let start = Instant::now();
        (0..times).for_each(|_| drop(black_box(work())));
        start.elapsed().as_secs_f64() * 1e6 / f64::from(times)
    };
    (0..5).map(|_| round()).fold(f64::INFINITY, f64::min)
}
