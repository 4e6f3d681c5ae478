//! The daemons, their database and their bucket.

use crate::client::ask;
use loci_testkit::daemon::Daemon;
use loci_testkit::home::Home;
use loci_testkit::servers::postgres::{Cluster, Database};
use loci_testkit::servers::weed::Weed;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// All clients here are one peer.
const SETTINGS: &str = "[daemon]\nrate_per_second = 1000000\n[lane]\nlease_seconds = 5\n";

pub struct Fleet {
    daemons: Vec<Option<Daemon>>,
    addresses: Arc<Vec<Mutex<String>>>,
    homes: Vec<Home>,
    flags: Vec<String>,
    environment: Vec<(String, String)>,
    token: String,
    database: Option<Database>,
    cluster: Cluster,
    _weed: Weed,
}

impl Fleet {
    pub fn start(binary: &Path, nodes: usize) -> Fleet {
        let (cluster, weed) = (Cluster::start(), Weed::start());
        let (database, bucket) = (cluster.database(), weed.bucket());
        let flags = ["--ledger", &database.url(), "--files", &format!("s3://{bucket}/loci"), "--project", ""];
        let token = "a-token-of-no-value".to_owned();
        let mut environment = weed.environment();
        environment.push(("LOCI_TOKEN".to_owned(), token.clone()));
        let homes: Vec<Home> = (0..nodes).map(|_| Home::new(binary.to_str().unwrap())).collect();
        let mut fleet = Fleet {
            daemons: (0..nodes).map(|_| None).collect(),
            addresses: Arc::new((0..nodes).map(|_| Mutex::default()).collect()),
            homes,
            flags: flags.map(str::to_owned).to_vec(),
            environment,
            token,
            database: Some(database),
            cluster,
            _weed: weed,
        };
        (0..nodes).for_each(|node| fleet.revive(node));
        fleet
    }

    /// Starts a daemon; its address may be another one than before.
    pub fn revive(&mut self, node: usize) {
        let home = &self.homes[node];
        loci_testkit::home::write(&home.home().join("config.toml"), SETTINGS);
        let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        let environment: Vec<(&str, String)> =
            self.environment.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let daemon = Daemon::start_with_token(home, &flags, &environment, &self.token);
        *self.addresses[node].lock().unwrap() = daemon.address().to_owned();
        self.daemons[node] = Some(daemon);
    }

    pub fn kill(&mut self, node: usize) {
        self.daemons[node].take().unwrap().kill();
    }

    pub fn restart_ledger(&mut self) {
        self.cluster.stop();
        self.cluster.restart();
    }

    /// Makes a workspace; its id.
    pub fn workspace(&self, n: usize) -> String {
        let body = json!({"name": format!("w{n}"), "config": {"storage": {"provider": "local"}}});
        let (status, made) = self.ask("POST", "/accounts/me/workspaces", Some(&body));
        assert_eq!(status, 201, "{made}");
        made["id"].as_str().unwrap().to_owned()
    }

    /// Asks the first daemon, which is never killed.
    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let address = self.addresses[0].lock().unwrap().clone();
        ask(&address, &self.token, method, path, body).unwrap()
    }

    pub fn addresses(&self) -> Arc<Vec<Mutex<String>>> {
        Arc::clone(&self.addresses)
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    pub fn end(mut self) {
        self.daemons.clear();
        self.database = None;
    }
}
