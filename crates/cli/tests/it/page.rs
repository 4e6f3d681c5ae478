//! The page as a browser meets it, and who is told the link that signs in.

use loci_testkit::daemon::Daemon;
use loci_testkit::home::Home;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::process::Stdio;
use std::time::{Duration, Instant};

fn home() -> Home {
    Home::new(env!("CARGO_BIN_EXE_loci"))
}

/// The head of an answer, in small letters, and its body.
fn get(daemon: &Daemon, path: &str, more: &str) -> (String, String) {
    let asked = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{more}Connection: close\r\n\r\n", daemon.address());
    let answer = daemon.raw(asked.as_bytes());
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_lowercase(), body.to_owned())
}

#[test]
fn each_page_has_its_own_nonce_and_nothing_of_the_home() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let nonce = || {
        let (head, body) = get(&daemon, "/", "");
        assert!(head.starts_with("http/1.1 200") && head.contains("cache-control: no-store"), "{head}");
        assert!(head.contains("referrer-policy: no-referrer") && head.contains("default-src 'none'"), "{head}");
        assert!(!body.contains(daemon.token()) && !body.contains(&home.home().display().to_string()));
        head.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned()
    };
    let (first, second) = (nonce(), nonce());
    assert!(first.len() >= 32 && first != second, "{first} {second}");
    assert!(get(&daemon, "/assets/none.js", "").0.starts_with("http/1.1 404"));
}

#[test]
fn assets_are_kept_for_ever_and_packed_for_who_unpacks() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let (_, page) = get(&daemon, "/", "");
    // Built without Node there are none, and the page says so.
    let Some(script) = page.split('"').find(|part| part.starts_with("/assets/") && part.ends_with(".js")) else {
        assert!(page.contains("not in this binary"), "{page}");
        return;
    };
    let length = |head: &str| -> usize {
        head.split("content-length: ").nth(1).unwrap().lines().next().unwrap().parse().unwrap()
    };
    let (plain, _) = get(&daemon, script, "");
    assert!(plain.contains("immutable") && plain.contains("text/javascript") && !plain.contains("gzip"), "{plain}");
    let (packed, _) = get(&daemon, script, "Accept-Encoding: gzip, br\r\n");
    assert!(packed.contains("content-encoding: gzip") && length(&packed) < length(&plain), "{packed}");
}

#[test]
fn a_pipe_is_not_told_the_token() {
    let home = home();
    let mut child = home.loci(&["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let said = [lines.next().unwrap(), lines.next().unwrap()].join("\n");
    child.kill().unwrap();
    child.wait().unwrap();
    let token = std::fs::read_to_string(home.home().join("token")).unwrap();
    assert!(said.starts_with("listening on http://") && !said.contains(token.trim()), "{said}");
}

#[test]
fn the_browser_is_given_a_file_and_no_token_on_its_command_line() {
    let home = home();
    let tools = tempfile::tempdir().unwrap();
    let seen = tools.path().join("seen");
    let opener = tools.path().join(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$*\" > {0}.new && mv {0}.new {0}\n", seen.display());
    let mut made = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(&opener).unwrap();
    std::io::Write::write_all(&mut made, script.as_bytes()).unwrap();
    drop(made);
    let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap_or_default());
    let daemon = Daemon::start(&home, &["--open"], &[("PATH", path)]);
    let until = Instant::now() + Duration::from_secs(30);
    while !seen.is_file() {
        assert!(Instant::now() < until, "no browser was opened");
        std::thread::sleep(Duration::from_millis(10));
    }
    let arguments = std::fs::read_to_string(&seen).unwrap();
    assert!(!arguments.contains(daemon.token()), "{arguments}");
    let file = home.home().join("open.html");
    assert_eq!(arguments.trim(), file.display().to_string());
    let link = format!("http://{}/#token={}", daemon.address(), daemon.token());
    assert!(std::fs::read_to_string(&file).unwrap().contains(&link));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}
