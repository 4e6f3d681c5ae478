//! MCP as a client meets it: lines in, lines out; requests in, answers out. Memory is in RAM.
// Helpers of tests are tests too.
#![allow(clippy::unwrap_used)]

mod http;
mod resources;
mod tools;
mod wire;

use loci_domain::access::Mode;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_mcp::{Mcp, converse};
use loci_memory::Memory;
use loci_memory::context::Context;
use loci_memory::now::Now;
use loci_store::ram::Ram;
use loci_store::{Backend, Care, Expect};
use loci_testkit::ram::ram_scopes;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};

/// The settings as they come, with the handbook in the context.
fn now() -> Now {
    let now = Now::default();
    Now { context: Context { summary_tokens: Some(5_000), ..now.context }, ..now }
}

/// A machine: memory, its handbook, and settings that a test may change.
struct Machine {
    memory: Memory,
    handbook: Ram,
    now: Arc<Mutex<Now>>,
}

impl Machine {
    fn new() -> Machine {
        let (store, _) = ram_scopes(1000);
        let handbook = Ram::default();
        let memory = Memory::new(store).with_handbook(Arc::new(handbook.clone()));
        Machine { memory, handbook, now: Arc::new(Mutex::new(now())) }
    }

    fn mcp(&self, mode: Mode) -> Mcp {
        let now = Arc::clone(&self.now);
        Mcp::new(self.memory.clone(), Arc::new(move || Ok(now.lock().unwrap().clone())), mode)
    }

    /// A client that has greeted.
    async fn client(&self, mode: Mode) -> Client {
        let mut client = self.stranger(mode);
        client.greet("2025-06-18").await;
        client
    }

    /// A client that has not.
    fn stranger(&self, mode: Mode) -> Client {
        let (ours, theirs) = duplex(64 * 1024);
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(converse(self.mcp(mode), input, output));
        let (read, write) = tokio::io::split(ours);
        Client { lines: BufReader::new(read).lines(), write, asked: 0, heard: Vec::new() }
    }

    /// The pipeline's hand.
    async fn page(&self, path: &str, text: &str) {
        let bytes = Clean::kept(text.as_bytes().to_vec());
        let path = EntryPath::parse(path).unwrap();
        self.handbook.write_if(&path, &bytes, Expect::Anything, Care::Derived).await.unwrap();
    }
}

/// The other end of the line.
struct Client {
    lines: Lines<BufReader<tokio::io::ReadHalf<DuplexStream>>>,
    write: tokio::io::WriteHalf<DuplexStream>,
    asked: u64,
    /// What came without being asked for.
    heard: Vec<Value>,
}

impl Client {
    async fn raw(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).await.unwrap();
    }

    /// The next line, which must be JSON-RPC.
    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(20), self.lines.next_line()).await.unwrap();
        let message: Value = serde_json::from_str(&line.unwrap().unwrap()).unwrap();
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// The whole answer to a request.
    async fn answer(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        let line = format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.raw(line.as_bytes()).await;
        loop {
            let message = self.next().await;
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// The result of a request that must succeed.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    async fn greet(&mut self, version: &str) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let result = self.ask("initialize", hello).await;
        self.raw(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").await;
        result
    }

    /// The result of a call.
    async fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments})).await
    }

    /// The words of a call that must succeed.
    async fn text(&mut self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments).await;
        assert_ne!(result["isError"], true, "{name}: {result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The words of a call that must fail.
    async fn fails(&mut self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments).await;
        assert_eq!(result["isError"], true, "{name}: {result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The names of the tools.
    async fn tools(&mut self) -> Vec<String> {
        let tools = self.ask("tools/list", json!({})).await;
        tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}
