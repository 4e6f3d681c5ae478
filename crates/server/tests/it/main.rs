//! The daemon's routes without a socket: requests in, answers out.
// Helpers of tests are tests too.
#![allow(clippy::unwrap_used)]

mod body;
mod conversations;
mod guard;
mod memory;
mod reference;
mod tasks;

use async_trait::async_trait;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use loci_domain::hot::Limits;
use loci_ledger::{Room, Sqlite};
use loci_memory::Memory;
use loci_memory::context::Context;
use loci_pipeline::Where;
use loci_server::{
    Bound, Connecting, Connection, ConnectionChange, Daemon, Keys, LaneSettings, ModelTest, Now, Refusal, SettingRow,
    Settings, Setup, Spawn, router,
};
use loci_session::sandbox;
use loci_session::storage::Disk;
use loci_session::{Hall, Halls, Runtime};
use loci_testkit::ram::ram_store;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceExt;

const TOKEN: &str = "the-right-token";

fn settings() -> Settings {
    Settings {
        host: [127, 0, 0, 1].into(),
        allowed_hosts: vec!["loci.internal".to_owned()],
        allowed_origins: vec!["https://ui.example".to_owned()],
        rate_per_second: 1000,
        body_bytes: 1024,
        lane: LaneSettings {
            room: Room { pending: 16, upkeep: 8, kept: 1000 },
            task: Duration::from_secs(300),
            child: Duration::from_secs(295),
            idle: Duration::from_secs(600),
            lease: Duration::from_secs(30),
        },
    }
}

/// Nothing to set up here.
struct NoSetup;

#[async_trait]
impl Setup for NoSetup {
    async fn status(&self) -> Result<Value, Refusal> {
        Ok(Value::Null)
    }

    fn settings(&self) -> Result<Vec<SettingRow>, Refusal> {
        Ok(Vec::new())
    }

    async fn change(&self, _: &Map<String, Value>) -> Result<(), Refusal> {
        Ok(())
    }

    async fn test_model(&self, _: &str) -> Result<ModelTest, Refusal> {
        Ok(ModelTest { ok: false, model: None, duration_ms: 0, error: None })
    }

    async fn connections(&self) -> Result<Vec<Connection>, Refusal> {
        Ok(Vec::new())
    }

    async fn connect(&self, agent: &str, _: Connecting) -> Result<ConnectionChange, Refusal> {
        Err(Refusal::missing("unknown_agent", agent))
    }

    async fn disconnect(&self, agent: &str, _: Connecting) -> Result<ConnectionChange, Refusal> {
        Err(Refusal::missing("unknown_agent", agent))
    }
}

/// The settings as they come, with a small context.
fn now() -> Now {
    let now = Now::default();
    let hot = Limits { item_bytes: 4096, total_bytes: 16_384, tokens: 1000, items: 20 };
    Now { context: Context { budget: 2000, hot, ..now.context }, ..now }
}

/// One memory for everybody.
struct OneHall(Memory);

impl Halls for OneHall {
    fn open(&self, _: &Hall) -> Memory {
        self.0.clone()
    }
}

fn runtime(ledger: Arc<Sqlite>, halls: Arc<dyn Halls>, home: PathBuf) -> Runtime {
    let second = Duration::from_secs(1);
    let limits = sandbox::Limits { time: 5 * second, output: 10_000, processes: 64 };
    let settings = loci_session::Settings {
        lease: 900 * second,
        claim: 3600 * second,
        max_context: 100_000,
        sandbox: limits,
        file_bytes: 1 << 20,
    };
    let storages = Arc::new(Disk::new(home.clone()));
    Runtime::new(ledger, halls, storages, home, Where::default(), None, settings)
}

fn daemon(settings: Settings, now: Now) -> Daemon {
    let (store, _) = ram_store();
    let ledger = Arc::new(Sqlite::in_memory().unwrap());
    let memory = Memory::new(store);
    let halls: Arc<dyn Halls> = Arc::new(OneHall(memory.clone()));
    let spawn = Spawn { program: "no-such-program".into(), args: Vec::new(), environment: Vec::new(), cwd: ".".into() };
    let bound = Bound {
        halls: Arc::clone(&halls),
        workers: Arc::new({
            let spawn = spawn.clone();
            move |_| spawn.clone()
        }),
        runtime: runtime(Arc::clone(&ledger), halls, "/nowhere".into()),
        memory,
        cwd: "/somewhere".into(),
        lane: "global".to_owned(),
        settled: Arc::new(move || Ok(now.clone())),
        setup: Box::new(NoSetup),
        worker: spawn,
        bells: None,
    };
    Daemon::new(settings, Keys::new(TOKEN), bound, ledger)
}

fn app() -> Router {
    app_of(daemon(settings(), now()))
}

fn app_of(daemon: Daemon) -> Router {
    router(daemon, Router::new())
}

/// A request of the owner; `headers` come on top, and an empty value takes one away.
fn request(method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request<Body> {
    let mut all: Vec<(&str, String)> = vec![
        ("host", "127.0.0.1:7676".to_owned()),
        ("authorization", format!("Bearer {TOKEN}")),
        ("content-type", "application/json".to_owned()),
    ];
    for (name, value) in headers {
        all.retain(|(known, _)| known != name);
        if !value.is_empty() {
            all.push((name, (*value).to_owned()));
        }
    }
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in all {
        request = request.header(name, value);
    }
    request.body(body.into()).unwrap()
}

async fn ask(app: &Router, request: Request<Body>) -> (StatusCode, Value, HeaderMap) {
    let answer = app.clone().oneshot(request).await.unwrap();
    let (head, body) = answer.into_parts();
    let bytes = to_bytes(body, 1 << 20).await.unwrap();
    (head.status, serde_json::from_slice(&bytes).unwrap_or_default(), head.headers)
}

/// Asks and checks the shape of the refusal.
async fn refused(app: &Router, request: Request<Body>, status: u16, code: &str) -> HeaderMap {
    let (got, body, headers) = ask(app, request).await;
    assert_eq!((got.as_u16(), body["code"].as_str()), (status, Some(code)), "{body}");
    assert!(body["error"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
    assert_eq!(headers["content-type"], "application/json");
    headers
}
