//! What a megabyte of hostile text costs the scan for secrets.
//!
//! The door is a `create` that is refused for the key at its end: the text is read from JSON and scanned, and nothing of it
//! is written. So the number is a little more than the scan alone.

use super::figures::Figures;
use super::home::{Home, create};
use super::process::cpu;
use anyhow::{Context, Result, ensure};
use serde_json::json;

/// What makes a careless scanner read the same text again and again.
const SEEDS: [&str; 10] = [
    "a",
    "eyJ",
    "token=\"",
    "token=aaaaaaaa ",
    "password=password=",
    "-----BEGIN PRIVATE KEY-----\n",
    "://a:b@",
    "curl -u a:bbbbbbbb ",
    " ghp_a1B2\n",
    "key key ",
];
const MEGABYTE: usize = 1 << 20;
/// Scans for one number: the kernel's clock is coarse.
const ROUNDS: usize = 10;

pub fn measure(figures: &mut Figures) -> Result<()> {
    let home = Home::new()?;
    home.set("limits.file_bytes = 4000000")?;
    let mut tool = home.tool()?;
    tool.call(&json!({"command": "view", "path": "/memories"}))?.context("loci tool ended")?;
    println!("secrets: {} kinds of hostile text", SEEDS.len());
    let mut worst = (0.0, "");
    for seed in SEEDS {
        let call = create("hostile.md", &text(seed));
        // The first scan of a kind compiles its rules.
        let mut before = cpu(tool.id())?;
        for round in 0..=ROUNDS {
            let answer = tool.call(&call)?.context("loci tool ended")?;
            ensure!(!answer.success && answer.text.contains("secret"), "{seed:?}: {}", answer.text);
            if round == 0 {
                before = cpu(tool.id())?;
            }
        }
        let each = cpu(tool.id())?.each_since(before, ROUNDS);
        if each >= worst.0 {
            worst = (each, seed);
        }
    }
    println!("secrets: the most costly is {:?}", worst.1);
    figures.set("secrets, CPU of a scan of 1 MB of hostile text, worst kind", None, worst.0, "ms");
    Ok(())
}

/// A megabyte of it, and a key of the shape that is never let in. In two pieces, so that this file may be scanned itself.
fn text(seed: &str) -> String {
    let mut text = seed.repeat(MEGABYTE / seed.len());
    text.push_str(concat!("\n\"\n", "AKI", "AQ3EGRIX4TZ7MKW5P\n"));
    text
}
