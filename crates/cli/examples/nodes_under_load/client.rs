//! A client: writes files, has things remembered, talks in turns, each time at another daemon; keeps what was acknowledged.

use crate::fleet::Fleet;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    n: usize,
    workspace: String,
    addresses: Arc<Vec<Mutex<String>>>,
    token: String,
}

/// How often what was answered, and how long it took.
#[derive(Default)]
pub struct Tally {
    times: BTreeMap<&'static str, Vec<Duration>>,
    refused: BTreeMap<(&'static str, String), usize>,
}

/// What must be true afterwards.
#[derive(Default)]
pub struct Acknowledged {
    /// Workspace, path, content.
    files: Vec<(String, String, String)>,
    /// Workspace, task, a word that stands in the memory that it makes.
    tasks: Vec<(String, String, String)>,
}

impl Client {
    pub fn new(n: usize, workspace: &str, addresses: Arc<Vec<Mutex<String>>>, token: &str) -> Client {
        Client { n, workspace: workspace.to_owned(), addresses, token: token.to_owned() }
    }

    pub fn work(self, stop: &AtomicBool) -> (Tally, Acknowledged) {
        let (mut tally, mut acknowledged) = (Tally::default(), Acknowledged::default());
        let mut round = self.n;
        while !stop.load(Ordering::Relaxed) {
            round += 1;
            self.put(round, &mut tally, &mut acknowledged);
            if round.is_multiple_of(40) {
                self.remember(round, &mut tally, &mut acknowledged);
            }
            self.ask(
                round,
                "list tasks",
                "GET",
                &format!("/workspaces/{}/memory/tasks", self.workspace),
                None,
                &mut tally,
            );
        }
        (tally, acknowledged)
    }

    fn put(&self, round: usize, tally: &mut Tally, acknowledged: &mut Acknowledged) {
        let (path, content) = (format!("c{}/{round}.md", self.n), format!("round {round} of {}\n", self.n));
        let body = json!({"path": path, "content": content, "expectedSha256": null});
        let route = format!("/accounts/me/workspaces/{}/files", self.workspace);
        let status = self.ask(round, "write a file", "PUT", &route, Some(&body), tally).map(|(status, _)| status);
        if matches!(status, Some(200 | 201)) {
            acknowledged.files.push((self.workspace.clone(), path.clone(), content));
            let route = format!("{route}?path={path}");
            self.ask(round + 1, "read it elsewhere", "GET", &route, None, tally);
        }
    }

    fn remember(&self, round: usize, tally: &mut Tally, acknowledged: &mut Acknowledged) {
        let word = format!("zebra{}x{round}", self.n);
        let body = json!({"content": format!("The code word of shift {word} is {word}."), "contextMode": "clean", "scope": "workspace"});
        let route = format!("/workspaces/{}/memory/remember", self.workspace);
        if let Some((202, task)) = self.ask(round, "post a task", "POST", &route, Some(&body), tally) {
            let id = task["taskId"].as_str().unwrap().to_owned();
            acknowledged.tasks.push((self.workspace.clone(), id, word));
        }
    }

    fn ask(
        &self,
        round: usize,
        kind: &'static str,
        method: &str,
        path: &str,
        body: Option<&Value>,
        tally: &mut Tally,
    ) -> Option<(u16, Value)> {
        let address = self.addresses[round % self.addresses.len()].lock().unwrap().clone();
        let start = Instant::now();
        let answer = ask(&address, &self.token, method, path, body);
        let why = match &answer {
            Ok((200..=299, _)) => {
                tally.times.entry(kind).or_default().push(start.elapsed());
                return answer.ok();
            }
            Ok((status, said)) => format!("{status} {}", said["code"].as_str().unwrap_or_default()),
            Err(_) => {
                // The daemon is gone; nobody asks it in a tight loop.
                std::thread::sleep(Duration::from_millis(50));
                "no answer".to_owned()
            }
        };
        *tally.refused.entry((kind, why)).or_default() += 1;
        answer.ok()
    }
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        other.times.into_iter().for_each(|(kind, times)| self.times.entry(kind).or_default().extend(times));
        other.refused.into_iter().for_each(|(why, count)| *self.refused.entry(why).or_default() += count);
    }

    pub fn table(mut self, took: Duration) -> String {
        let mut text =
            "| what | done | a second | p50 ms | p95 ms | p99 ms | refused |\n|---|---|---|---|---|---|---|\n"
                .to_owned();
        for (kind, times) in &mut self.times {
            times.sort_unstable();
            let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1_000.0;
            let refused = self.refused.iter().filter(|((of, _), _)| of == kind);
            let refused: Vec<String> = refused.map(|((_, why), count)| format!("{count} × {why}")).collect();
            let rate = times.len() as f64 / took.as_secs_f64();
            let (p50, p95, p99) = (at(0.5), at(0.95), at(0.99));
            text += &format!(
                "| {kind} | {} | {rate:.0} | {p50:.0} | {p95:.0} | {p99:.0} | {} |\n",
                times.len(),
                refused.join(", ")
            );
        }
        text
    }
}

/// What became of what was acknowledged.
pub struct Verdict {
    files: usize,
    tasks: usize,
    lost_files: usize,
    unfinished: usize,
    failed: Vec<String>,
    lost_memories: usize,
    doubled: usize,
}

impl Verdict {
    pub fn is_good(&self) -> bool {
        self.lost_files + self.unfinished + self.lost_memories + self.doubled == 0 && self.failed.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { files, tasks, lost_files, unfinished, failed, lost_memories, doubled } = self;
        write!(
            f,
            "{files} files acknowledged, {lost_files} lost; {tasks} tasks acknowledged, {unfinished} without an end, {} failed, {lost_memories} memories lost, {doubled} made twice{}",
            failed.len(),
            failed.first().map(|why| format!(" (the first: {why})")).unwrap_or_default()
        )
    }
}

impl Acknowledged {
    pub fn add(&mut self, other: Acknowledged) {
        self.files.extend(other.files);
        self.tasks.extend(other.tasks);
    }

    pub fn check(self, fleet: &Fleet) -> Verdict {
        let mut verdict = Verdict {
            files: self.files.len(),
            tasks: self.tasks.len(),
            lost_files: 0,
            unfinished: 0,
            failed: Vec::new(),
            lost_memories: 0,
            doubled: 0,
        };
        for (workspace, path, content) in &self.files {
            let (_, got) = fleet.ask("GET", &format!("/accounts/me/workspaces/{workspace}/files?path={path}"), None);
            verdict.lost_files += usize::from(got["content"].as_str() != Some(content));
        }
        eprintln!("{} files were looked at", self.files.len());
        let until = Instant::now() + Duration::from_secs(300);
        let mut memories: BTreeMap<&str, String> = BTreeMap::new();
        for (workspace, task, _) in &self.tasks {
            let ended = loop {
                let (_, got) = fleet.ask("GET", &format!("/workspaces/{workspace}/memory/remember/{task}"), None);
                match got["status"].as_str() {
                    Some("queued" | "running") if Instant::now() < until => {
                        std::thread::sleep(Duration::from_millis(100));
                    }
                    _ => break got,
                }
            };
            match ended["status"].as_str() {
                Some("completed") => {}
                Some("queued" | "running") => verdict.unfinished += 1,
                _ => verdict.failed.push(ended.to_string()),
            }
        }
        for (workspace, _, word) in &self.tasks {
            let all = memories.entry(workspace).or_insert_with(|| everything(fleet, workspace));
            // The word stands twice in its statement, and in the name and description made of it; one document has them all.
            match all.split('\u{1e}').filter(|document| document.contains(&format!("shift {word} "))).count() {
                0 => verdict.lost_memories += 1,
                1 => {}
                _ => verdict.doubled += 1,
            }
        }
        verdict
    }
}

/// All documents of a workspace's memory, parted by a sign that none has.
fn everything(fleet: &Fleet, workspace: &str) -> String {
    let mut all = String::new();
    let (_, files) = fleet.ask("GET", &format!("/accounts/me/workspaces/{workspace}/files"), None);
    for path in files["files"].as_array().into_iter().flatten().filter_map(|file| file["path"].as_str()) {
        if path.starts_with("memory/") && !path.ends_with("MEMORY.md") {
            let (_, got) = fleet.ask("GET", &format!("/accounts/me/workspaces/{workspace}/files?path={path}"), None);
            all.push_str(got["content"].as_str().unwrap_or_default());
            all.push('\u{1e}');
        }
    }
    all
}

/// One request on a connection of its own.
pub fn ask(
    address: &str,
    token: &str,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> std::io::Result<(u16, Value)> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let target: SocketAddr = address.parse().map_err(|_| std::io::Error::from(std::io::ErrorKind::NotFound))?;
    let mut stream = TcpStream::connect_timeout(&target, Duration::from_secs(5))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()))?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| std::io::Error::from(std::io::ErrorKind::UnexpectedEof))?;
    Ok((status, serde_json::from_str(body).unwrap_or_default()))
}
