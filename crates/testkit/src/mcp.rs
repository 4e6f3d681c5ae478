//! A `loci mcp` on two pipes, and the client's end of them.

use crate::home::Home;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running `loci mcp`; killed when dropped.
pub struct Mcp {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    asked: u64,
}

impl Home {
    /// A `loci mcp` that has been greeted.
    pub fn mcp(&self, flags: &[&str], environment: &[(&str, String)]) -> Mcp {
        let mut command = self.loci(&[&["mcp"], flags].concat());
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        Mcp::greeted(command)
    }
}

impl Mcp {
    /// Starts it; its stderr is kept for [`Mcp::finish`].
    pub fn start(mut command: Command) -> Mcp {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Mcp { child, stdin, stdout, asked: 0 }
    }

    /// Starts it and greets.
    pub fn greeted(command: Command) -> Mcp {
        let mut mcp = Mcp::start(command);
        let client = json!({"name": "test", "version": "1"});
        mcp.ask("initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}));
        mcp.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        mcp
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes one message.
    pub fn say(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").and_then(|()| stdin.flush()).unwrap();
    }

    /// Writes a request and answers its id.
    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        self.asked += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        self.asked
    }

    /// The next message; every line must be one.
    pub fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("loci mcp said {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// Asks and waits for the result.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        loop {
            let message = self.hear();
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    /// A call of a tool; its result.
    pub fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// Ends it by closing its input: exit code, the rest of stdout, and stderr.
    pub fn finish(mut self) -> (Option<i32>, String, String) {
        self.stdin = None;
        let (mut rest, mut stderr) = (String::new(), String::new());
        self.stdout.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (self.child.wait().unwrap().code(), rest, stderr)
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
