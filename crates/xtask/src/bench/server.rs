//! An MCP server on two pipes, `loci mcp` or another one, and the client's end of them.

use super::child::Tool;
use super::process::{self, Cpu};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::process::Command;

/// A running server, greeted.
pub struct Server {
    tool: Tool,
    asked: u64,
}

impl Server {
    /// Starts the command and greets it.
    pub fn start(command: Command) -> Result<Server> {
        let mut server = Server { tool: Tool::start(command)?, asked: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        server.ask("initialize", hello)?;
        server.tool.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    /// A call that must succeed; its result.
    pub fn call(&mut self, name: &str, arguments: Value) -> Result<Value> {
        let result = self.ask("tools/call", json!({"name": name, "arguments": arguments}))?;
        ensure!(result["isError"] != true, "{name}: {}", result["content"]);
        Ok(result)
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        self.asked += 1;
        self.tool.say(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}))?;
        // Notices may come before the answer.
        loop {
            let line = self.tool.hear()?.context("the server ended")?;
            let mut told: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
            if told["id"] == self.asked {
                ensure!(told["error"].is_null(), "{method}: {}", told["error"]);
                return Ok(told["result"].take());
            }
        }
    }

    /// CPU time up to now.
    pub fn cpu(&self) -> Result<Cpu> {
        process::cpu(self.tool.id())
    }

    /// Memory that it holds right now, in megabytes.
    pub fn resident(&self) -> Result<f64> {
        process::resident(self.tool.id())
    }

    /// Closes its input and waits for it.
    pub fn end(self) -> Result<()> {
        self.tool.end()
    }
}
