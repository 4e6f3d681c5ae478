//! The README's tour works as printed.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Every `console` block: each `$ ` line is run by a shell, and what follows it is what must be printed.
#[test]
fn the_tour_works_as_printed() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("project");
    fs::create_dir(&project).unwrap();
    let binaries = Path::new(env!("CARGO_BIN_EXE_loci")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    let mut ran = 0;
    for (command, printed) in steps(&readme) {
        let output = Command::new("bash")
            .args(["-c", &command])
            .current_dir(&project)
            .env_clear()
            .env("PATH", &path)
            .env("HOME", dir.path())
            .env("LOCI_HOME", dir.path().join("home"))
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let got = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert_eq!(got.trim_end(), printed.trim_end(), "$ {command}");
        ran += 1;
    }
    assert!(ran >= 8, "the README has only {ran} commands");
}

fn steps(readme: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line.strip_prefix("$ ") {
            _ if line.starts_with("```") => inside = line == "```console",
            Some(command) if inside => steps.push((command.to_owned(), String::new())),
            None if inside => {
                if let Some((_, printed)) = steps.last_mut() {
                    printed.push_str(line);
                    printed.push('\n');
                }
            }
            _ => {}
        }
    }
    steps
}
