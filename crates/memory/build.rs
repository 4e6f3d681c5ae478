//! Packs the related words, so that a process finds them ready in its binary.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

const RELATED: &str = "src/recall/related.txt";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={RELATED}");
    let text = fs::read_to_string(RELATED)?;
    let mut related: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in text.lines() {
        let (heads, members) = line.split_once(": ").unwrap_or((line, ""));
        let heads: Vec<&str> = heads.split(' ').collect();
        for head in &heads {
            for other in
                heads.iter().copied().chain(members.split(' ')).filter(|other| other != head && !other.is_empty())
            {
                related.entry(head).or_default().insert(other);
                related.entry(other).or_default().insert(head);
            }
        }
    }
    let number: BTreeMap<&str, u16> = related.keys().copied().zip(0..).collect();
    if number.len() != related.len() {
        return Err("more stems than numbers".into());
    }
    let (mut stems, mut starts, mut near) = (String::new(), Vec::<u8>::new(), Vec::<u8>::new());
    for (stem, others) in &related {
        starts.extend(u32::try_from(stems.len())?.to_le_bytes());
        starts.extend(u32::try_from(near.len() / 2)?.to_le_bytes());
        stems.push_str(stem);
        near.extend(others.iter().flat_map(|other| number[other].to_le_bytes()));
    }
    starts.extend(u32::try_from(stems.len())?.to_le_bytes());
    starts.extend(u32::try_from(near.len() / 2)?.to_le_bytes());
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("related.stems"), stems)?;
    fs::write(out.join("related.starts"), starts)?;
    fs::write(out.join("related.near"), near)?;
    Ok(())
}
