//! Output that goes elsewhere: a reader that leaves early, a disk that is full, shells that ask for completions.

use crate::support::{G, doc, home};
use loci_testkit::home::{Home, Ran};

fn bash(home: &Home, script: &str) -> Ran {
    let mut command = home.program("bash");
    command.args(["-o", "pipefail", "-c", script]).arg(home.binary());
    Ran::of(command, b"")
}

fn large() -> Home {
    let home = home();
    for number in 0..400 {
        home.edit(
            &format!("memory/{number:03}-{}.md", "long".repeat(20)),
            &doc(&format!("Note {number}"), &"text ".repeat(50)),
        );
    }
    home.edit("memory/big.md", &"line\n".repeat(20_000));
    home.ok(&["list"]);
    home
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let home = large();
    for command in [
        "list",
        "list --json",
        "log --limit 1000",
        "log --limit 1000 --json",
        "show global/big.md",
        "show global/big.md --json",
        "config",
        "doctor",
        "completions bash",
        "completions zsh",
        "--help",
        "help tool",
    ] {
        let ran = bash(&home, &format!("\"$0\" {command} | head -c 10 > /dev/null"));
        assert_eq!(ran.exit, Some(0), "{command}: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked") && !ran.stderr.contains("roken pipe"), "{command}: {}", ran.stderr);
        let ran = bash(&home, &format!("\"$0\" {command} | true"));
        assert_eq!(ran.exit, Some(0), "{command}: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{command}: {}", ran.stderr);
    }
}

#[test]
fn output_that_could_not_be_written_is_a_failure() {
    let home = large();
    for command in ["list", "list --json", "log", "show global/big.md", "completions bash"] {
        let ran = bash(&home, &format!("\"$0\" {command} > /dev/full"));
        assert!(ran.exit.is_some_and(|exit| exit != 0), "{command}: cut output passed for a whole one");
        assert!(!ran.stderr.contains("panicked"), "{command}: {}", ran.stderr);
        assert!(!ran.stderr.is_empty(), "{command}: no word about it");
    }
}

#[test]
fn an_answer_that_could_not_be_written_is_a_failure_of_the_tool() {
    let home = home();
    let call = loci_testkit::home::create(&format!("{G}a.md"), "a");
    let ran = bash(&home, &format!("echo '{call}' | \"$0\" tool > /dev/full"));
    assert!(ran.exit.is_some_and(|exit| exit != 0), "nobody saw the answer");
}

#[test]
fn completions_are_there_for_common_shells() {
    let home = home();
    for shell in ["bash", "zsh", "fish"] {
        let script = home.ok(&["completions", shell]);
        assert!(script.contains("loci") && script.contains("restore"), "{shell}: {script:.200}");
    }
    let checked = bash(&home, "bash -n <(\"$0\" completions bash)");
    assert_eq!(checked.exit, Some(0), "{}", checked.stderr);
    assert!(!home.home().exists(), "completions need no home");
}

#[test]
fn help_has_examples_and_every_command_has_words() {
    let home = home();
    let help = home.ok(&["--help"]);
    assert!(help.contains("Examples:"), "{help}");
    for command in [
        "tool",
        "list",
        "show",
        "edit",
        "rm",
        "mv",
        "pin",
        "unpin",
        "index",
        "log",
        "undo",
        "restore",
        "trust",
        "status",
        "doctor",
        "init",
        "workspace",
        "config",
        "completions",
    ] {
        assert!(help.contains(command), "{command} is not in the help");
        home.ok(&[command, "--help"]);
    }
}
