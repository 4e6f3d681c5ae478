//! A daemon of the real binary, and requests to it over a plain socket.

use crate::home::Home;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running daemon; it is killed when it is dropped.
pub struct Daemon {
    child: Child,
    address: String,
    token: String,
}

impl Daemon {
    /// `loci serve --port 0 FLAGS` on this machine.
    pub fn start(home: &Home, flags: &[&str], environment: &[(&str, String)]) -> Daemon {
        let mut command = serving(home, flags, environment);
        command.stderr(Stdio::null());
        Daemon::of(command)
    }

    /// The same where the environment says the token, and none is kept.
    pub fn start_with_token(home: &Home, flags: &[&str], environment: &[(&str, String)], token: &str) -> Daemon {
        let mut command = serving(home, flags, environment);
        command.stderr(Stdio::null());
        let (child, said) = begin(command);
        Daemon { child, address: address(&said), token: token.to_owned() }
    }

    /// The same by any command that becomes `loci serve --port 0 --json`: under a tracer, with limits, by another clock.
    pub fn of(command: Command) -> Daemon {
        let (child, said) = begin(command);
        let token = std::fs::read_to_string(said["tokenFile"].as_str().unwrap()).unwrap();
        Daemon { child, address: address(&said), token }
    }

    /// Asks with the daemon's own token; status and body.
    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        self.ask_as(&self.token, method, path, body)
    }

    /// Asks with another token.
    pub fn ask_as(&self, token: &str, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        (status, serde_json::from_str(body).unwrap_or_default())
    }

    /// Sends bytes as they are; all that comes back until the daemon hangs up.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Posts a task that must be accepted; its name.
    pub fn post(&self, kind: &str, body: &Value) -> String {
        let (status, made) = self.ask("POST", &format!("/workspace/memory/{kind}"), Some(body));
        assert_eq!(status, 202, "{made}");
        made["taskId"].as_str().unwrap().to_owned()
    }

    /// A task as it is now.
    pub fn task(&self, id: &str) -> Value {
        let kind = id.split('-').next().unwrap();
        let (status, task) = self.ask("GET", &format!("/workspace/memory/{kind}/{id}"), None);
        assert_eq!(status, 200, "{task}");
        task
    }

    /// Waits for the end of a task.
    pub fn finished(&self, id: &str) -> Value {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let task = self.task(id);
            if !["queued", "running"].contains(&task["status"].as_str().unwrap()) {
                return task;
            }
            assert!(Instant::now() < until, "{id} does not end: {task}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The processes that it started.
    pub fn workers(&self) -> Vec<u32> {
        let own = self.child.id();
        let children = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
        let mut found: Vec<u32> = children.split_whitespace().filter_map(|id| id.parse().ok()).collect();
        // A child belongs to the thread that started it.
        for thread in std::fs::read_dir(format!("/proc/{own}/task")).into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            found.extend(children.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Its own token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it without a word.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to stop and waits until it did; its exit code.
    pub fn stop(mut self) -> Option<i32> {
        Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        self.child.wait().unwrap().code()
    }
}

fn serving(home: &Home, flags: &[&str], environment: &[(&str, String)]) -> Command {
    let mut command = home.loci(&["serve", "--port", "0", "--json"]);
    command.args(flags).envs(environment.iter().map(|(name, value)| (name, value)));
    command
}

/// The process, and what it said first.
fn begin(mut command: Command) -> (Child, Value) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said = serde_json::from_str(&line).unwrap_or_else(|_| panic!("the daemon said {line:?}"));
    (child, said)
}

fn address(said: &Value) -> String {
    said["url"].as_str().unwrap().trim_start_matches("http://").to_owned()
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
