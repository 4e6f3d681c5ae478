//! Packs the shipped vocabulary and the categories of signs, so that a process finds both ready in its binary.

#[path = "src/wordpiece/pack.rs"]
mod pack;

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

const VOCABULARY: &str = "assets/static-minilm-256/vocabulary.txt";
const CATEGORIES: &str = "assets/bert/categories.txt";

fn main() -> Result<(), Box<dyn Error>> {
    for read in ["build.rs", "src/wordpiece/pack.rs", VOCABULARY, CATEGORIES] {
        println!("cargo::rerun-if-changed={read}");
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);

    let tokens = fs::read_to_string(VOCABULARY)?;
    let packed = pack::pack(tokens.split_terminator('\n')).ok_or("the vocabulary is too large to be packed")?;
    fs::write(out.join("slots"), packed.slots)?;
    fs::write(out.join("starts"), packed.starts)?;
    fs::write(out.join("text"), packed.text)?;
    fs::write(out.join("numbers.rs"), format!("({}, {})", packed.longest, packed.median))?;

    let mut ranges = String::from("[");
    for line in fs::read_to_string(CATEGORIES)?.lines() {
        let [first, last, category] = line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(format!("{CATEGORIES}: {line}").into());
        };
        let category = match category {
            "mark" => "Mark",
            "punctuation" => "Punctuation",
            "other" => "Other",
            unknown => return Err(format!("{CATEGORIES}: {unknown}").into()),
        };
        write!(ranges, "(0x{first}, 0x{last}, Category::{category}),")?;
    }
    ranges.push(']');
    fs::write(out.join("categories.rs"), ranges)?;
    Ok(())
}
