//! A wall clock that is wrong, or jumps: nothing hangs, nothing runs out at once, nothing is thrown away.

use crate::daemon::wait_for;
use crate::support::{G, assert_healthy, doc, home, skip};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, Ran, documents, write};
use serde_json::json;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The library that makes a clock wrong; `None`, with a printed reason, where there is none.
fn library() -> Option<String> {
    // The program itself stays as a parent, and a signal would not reach who is meant; so only its library is used.
    match Command::new("faketime").args(["-f", "+0", "printenv", "LD_PRELOAD"]).output() {
        Ok(done) if done.status.success() => Some(String::from_utf8_lossy(&done.stdout).trim().to_owned()),
        Ok(done) => skip(&format!("faketime: {}", String::from_utf8_lossy(&done.stderr))),
        Err(error) => skip(&format!("faketime is not installed: {error}")),
    }
}

/// A command with a clock that is off by so much; time goes on as ever.
fn at(home: &Home, library: &str, clock: &str, args: &[&str]) -> Command {
    let mut command = home.loci(args);
    command.env("LD_PRELOAD", library).env("FAKETIME", clock);
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("DONT_FAKE_MONOTONIC", "1");
    command
}

#[test]
fn nothing_is_lost_by_a_clock_that_is_wrong() {
    let Some(library) = library() else { return };
    let home = home();
    home.create(&format!("{G}user/a.md"), &doc("A", "I keep bees."));
    home.ok(&["pin", "global/user/a.md"]);
    let mut expected = documents(&home.global());
    let clocks = ["-1d", "+30d", "-300d", "-20y", "+13y", "@2038-01-19 03:14:00"];
    for (number, clock) in clocks.into_iter().enumerate() {
        let name = format!("n{number}.md");
        let call = loci_testkit::home::create(&format!("{G}{name}"), &doc(&name, &name));
        let made = Ran::of(at(&home, &library, clock, &["tool"]), format!("{call}\n").as_bytes());
        assert_eq!(made.answers()[0]["success"], true, "{clock}: {}{}", made.stdout, made.stderr);
        expected.insert(name.clone(), doc(&name, &name));
        for args in [
            &["list"][..],
            &["recall", "bees"],
            &["context"],
            &["dream"],
            &["pipeline", "run"],
            &["doctor"],
            &["log"],
            &["status"],
        ] {
            let ran = Ran::of(at(&home, &library, clock, args), b"");
            assert_eq!(ran.exit, Some(0), "{clock} {args:?}: {}{}", ran.stdout, ran.stderr);
            assert!(ran.took < Duration::from_secs(10), "{clock} {args:?} took {:?}", ran.took);
        }
        assert_eq!(documents(&home.global()), expected, "{clock}");
        assert_eq!(home.row(&format!("{G}user/a.md"))["pinned"], true, "{clock}");
        // The last change is the last one, whatever the clock said, and what was before it is still known.
        let log = home.log();
        assert_eq!(log[0]["path"], format!("{G}{name}"), "{clock}");
        assert!(log.iter().any(|change| change["path"] == format!("{G}user/a.md")), "{clock}: {log:?}");
    }
    home.create(&format!("{G}now.md"), "now\n");
    home.ok(&["undo"]);
    assert_eq!(documents(&home.global()), expected);
    assert_healthy(&home);
}

#[test]
fn a_daemon_whose_clock_jumps_goes_on_with_its_tasks() {
    let Some(library) = library() else { return };
    let home = home();
    let clock = write(&home.dir().join("clock"), "+0");
    let mut command = at(&home, &library, "+0", &["serve", "--port", "0", "--json", "--set", "lane.lease_seconds=5"]);
    command.env_remove("FAKETIME").env("FAKETIME_TIMESTAMP_FILE", &clock).env("FAKETIME_NO_CACHE", "1");
    command.stderr(Stdio::null());
    let daemon = Daemon::of(command);
    for (number, jump) in ["+0", "+30d", "-1d", "+13y", "+0", "-400d", "+0"].iter().enumerate() {
        write(&clock, jump);
        let start = Instant::now();
        let fact = json!({"content": format!("The crane in harbour {number} lifts {} tons.", number * 10 + 7)});
        let task = daemon.finished(&daemon.post("remember", &fact));
        assert_eq!(task["status"], "completed", "{jump}: {task}");
        let (_, session) = daemon.ask("POST", "/session", Some(&json!({})));
        assert!(session["sessionId"].is_string(), "{jump}: {session}");
        assert!(start.elapsed() < Duration::from_secs(15), "{jump}: {:?}", start.elapsed());
    }
    assert_eq!(daemon.stop(), Some(0));
    assert_eq!(home.list().len(), 7);
    assert_healthy(&home);
}

#[test]
fn what_a_daemon_of_the_future_held_is_free_when_it_is_dead() {
    let Some(library) = library() else { return };
    let home = home();
    let mut command = at(&home, &library, "+30d", &["serve", "--port", "0", "--json"]);
    command.stderr(Stdio::null());
    let ahead = Daemon::of(command);
    let task = ahead.post("remember", &json!({"content": "I keep bees behind the house."}));
    ahead.finished(&task);
    let unfinished = ahead.post("dream", &json!({}));
    ahead.kill();
    let now = Daemon::start(&home, &[], &[]);
    wait_for("the end of what it left", || now.task(&unfinished)["status"] != "queued");
    now.finished(&unfinished);
    let next = now.finished(&now.post("remember", &json!({"content": "The door is green."})));
    assert_eq!(next["status"], "completed", "{next}");
    assert_eq!(home.list().len(), 2);
}
