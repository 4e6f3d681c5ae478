//! A daemon on a disk that is full, cannot sync, is gone or is out of descriptors: it says so, lives, and loses nothing.

use crate::injected::strace_is_here;
use crate::support::{G, Mount, assert_healthy, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, create, documents};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn call(daemon: &Daemon, mut call: Value) -> Value {
    call["mode"] = json!("exec");
    let (status, answer) = daemon.ask("POST", "/memory/tool", Some(&call));
    assert!(status == 200 || status == 503, "{call}: {status} {answer}");
    answer
}

/// Text that does not compress, so that the journal grows as the files do.
fn noise(name: &str) -> String {
    let line = |line: usize| format!("{}\n", loci_domain::digest::Digest::of(format!("{name}{line}").as_bytes()));
    (0..400).map(line).collect()
}

/// A daemon by a shell's `prefix`, as `ulimit -n 64;`.
fn by_a_shell(home: &Home, prefix: &str) -> Daemon {
    let mut shell = home.program("sh");
    shell.args(["-c", &format!("{prefix} exec \"$0\" serve --port 0 --json")]).arg(home.binary());
    Daemon::of({
        shell.stderr(Stdio::null());
        shell
    })
}

#[test]
fn a_daemon_on_a_full_disk_says_so_and_works_again_when_there_is_space() {
    let machine = home();
    let Some(mount) = Mount::new(&machine.dir().join("small"), 4 << 20) else { return };
    let home = machine.with_home(mount.0.join("home"));
    let mount = mount;
    let daemon = Daemon::start(&home, &[], &[]);
    let mut kept = BTreeMap::new();
    let refused = loop {
        let name = format!("{:03}.md", kept.len());
        let answer = call(&daemon, create(&format!("{G}{name}"), &noise(&name)));
        match answer["success"] == true {
            true => drop(kept.insert(name.clone(), noise(&name))),
            false => break answer,
        }
        assert!(kept.len() < 200, "the disk is never full");
    };
    assert!(refused["error"].as_str().unwrap().contains("full"), "{refused}");
    assert_eq!(documents(&home.global()), kept);
    for body in [json!({"content": "I keep bees."}), json!({})] {
        let path = if body["content"].is_string() { "/workspace/memory/remember" } else { "/workspace/memory/dream" };
        let (status, answer) = daemon.ask("POST", path, Some(&body));
        assert!(status == 202 || answer["code"].is_string(), "{path}: {status} {answer}");
    }
    assert_eq!(daemon.ask("GET", "/health", None).0, 200);
    assert_eq!(daemon.ask("GET", "/memory/files", None).0, 200);
    mount.remount("size=32m");
    assert_eq!(call(&daemon, create(&format!("{G}later.md"), "later\n"))["success"], true);
    assert!(kept.iter().all(|(name, text)| documents(&home.global()).get(name) == Some(text)));
    assert_eq!(daemon.stop(), Some(0));
    assert_healthy(&home);
}

#[test]
fn a_daemon_whose_disk_cannot_sync_acknowledges_nothing_more() {
    if !strace_is_here() {
        return;
    }
    let home = home();
    let mut strace = home.program("strace");
    // Behind its own back (`-D`), so that the daemon itself is the child that is asked and stopped.
    strace.args(["-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync"]);
    strace.args(["-e", "inject=fsync,fdatasync:error=EIO:when=20+"]).arg(home.binary());
    strace.args(["serve", "--port", "0", "--json"]).stderr(Stdio::null());
    let daemon = Daemon::of(strace);
    let (mut kept, mut refused) = (BTreeMap::new(), 0);
    // Each thread counts for itself: more creates than threads could share.
    for number in 0..120 {
        let (name, text) = (format!("{number:03}.md"), format!("text {number}\n"));
        let answer = call(&daemon, create(&format!("{G}{name}"), &text));
        match answer["success"] == true {
            true => drop(kept.insert(name, text)),
            false => refused += 1,
        }
    }
    assert!(!kept.is_empty() && refused > 3, "{} kept, {refused} refused", kept.len());
    assert_eq!(daemon.ask("GET", "/health", None).0, 200);
    daemon.kill();
    let now = documents(&home.global());
    assert_eq!(now, kept, "what was refused is not there, and what was acknowledged is");
    assert_eq!(home.list().len(), kept.len());
    assert_healthy(&home);
}

#[test]
fn sockets_that_say_nothing_leave_descriptors_for_memory() {
    let home = home();
    let daemon = by_a_shell(&home, "ulimit -n 96;");
    assert_eq!(call(&daemon, create(&format!("{G}a.md"), "a\n"))["success"], true);
    let silent: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = TcpStream::connect(daemon.address()).unwrap();
            stream.write_all(b"GET /health HTTP/1.1\r\nX-").unwrap();
            stream
        })
        .collect();
    let start = Instant::now();
    assert_eq!(call(&daemon, create(&format!("{G}b.md"), "b\n"))["success"], true);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    // More than it takes at once: they wait outside, and memory is whole when they are gone.
    let crowd: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(daemon.address()).unwrap()).collect();
    home.create(&format!("{G}c.md"), "c\n");
    drop((silent, crowd));
    assert_eq!(call(&daemon, create(&format!("{G}d.md"), "d\n"))["success"], true);
    assert_eq!(daemon.ask("GET", "/memory/files", None).1["files"].as_array().unwrap().len(), 4);
    assert_eq!(daemon.stop(), Some(0));
}

#[test]
fn a_memory_that_is_taken_away_under_a_daemon_is_never_silently_empty() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    call(&daemon, create(&format!("{G}a.md"), "a\n"));
    let aside = home.dir().join("aside");
    std::fs::rename(home.global(), &aside).unwrap();
    daemon.ask("GET", "/memory/files", None);
    // Somebody deleted it: that is in the journal, and can be taken back.
    let gone: Vec<Value> = home.log().into_iter().filter(|change| change["op"] == "delete").collect();
    assert_eq!((gone.len(), &gone[0]["actor"]), (1, &json!("editor")), "{gone:?}");
    assert_eq!(call(&daemon, create(&format!("{G}b.md"), "b\n"))["success"], true);
    home.ok(&["undo", gone[0]["id"].as_str().unwrap()]);
    assert_eq!(documents(&home.global()).len(), 2);
    for file in ["loci.db", "loci.db-wal", "loci.db-shm"] {
        let _ = std::fs::remove_file(home.home().join(file));
    }
    let (status, listed) = daemon.ask("GET", "/memory/files", None);
    assert_eq!((status, listed["files"].as_array().unwrap().len()), (200, 2), "{listed}");
    assert_eq!(call(&daemon, create(&format!("{G}c.md"), "c\n"))["success"], true);
    std::fs::File::options().write(true).open(home.home().join("loci.db")).unwrap().set_len(0).unwrap();
    assert_eq!(daemon.ask("GET", "/memory/files", None).1["files"].as_array().unwrap().len(), 3);
    assert_eq!(call(&daemon, create(&format!("{G}d.md"), "d\n"))["success"], true);
    assert_eq!(daemon.stop(), Some(0));
    assert_eq!(home.list().len(), 4);
    assert_healthy(&home);
}
