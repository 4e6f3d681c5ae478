//! An SSH server with a host key of its own, for the user who runs the tests.

use super::{free_port, program, until};
use std::fs::File;
use std::io::Read;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const HOW: &str =
    "there is no program `sshd`: run `cargo xtask test --only tools`, or `apt-get install openssh-server`";

/// A running server.
pub struct Sshd {
    program: PathBuf,
    folder: TempDir,
    port: u16,
    child: Child,
}

/// Which host key a file of known hosts has for the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Its own.
    Right,
    /// Another one.
    Wrong,
    /// None.
    Nothing,
}

impl Sshd {
    /// Starts one and waits until it answers.
    pub fn start() -> Sshd {
        let program = program("sshd").expect(HOW);
        let folder = tempfile::Builder::new().prefix("loci-sshd-").tempdir().unwrap();
        for name in ["host", "user", "other"] {
            let file = folder.path().join(name);
            let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(file).status();
            assert!(made.unwrap().success(), "ssh-keygen does not work");
        }
        let (port, at) = (free_port(), folder.path().display());
        let settings = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {at}/host\nAuthorizedKeysFile {at}/user.pub\nPidFile none\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\n\
             PermitRootLogin prohibit-password\nSubsystem sftp internal-sftp\nLogLevel VERBOSE\nMaxStartups 100\n"
        );
        std::fs::write(folder.path().join("sshd_config"), settings).unwrap();
        // As root it wants this folder, which otherwise the system's start makes; for others it is of no use.
        let _ = std::fs::create_dir("/run/sshd");
        let child = launch(&program, folder.path());
        let server = Sshd { program, folder, port, child };
        server.wait();
        server
    }

    /// The address of a folder of this machine.
    pub fn url(&self, folder: &Path) -> String {
        let user = Command::new("id").arg("-un").output().unwrap().stdout;
        let user = String::from_utf8(user).unwrap();
        let path: String = folder.to_str().unwrap().bytes().map(encoded).collect();
        format!("ssh://{}@127.0.0.1:{}{path}", user.trim(), self.port)
    }

    /// The key that it lets in.
    pub fn identity(&self) -> PathBuf {
        self.folder.path().join("user")
    }

    /// A file of known hosts.
    pub fn known_hosts(&self, known: Known) -> PathBuf {
        let line = match known {
            Known::Nothing => String::new(),
            Known::Right => format!("[127.0.0.1]:{} {}", self.port, self.public("host")),
            Known::Wrong => format!("[127.0.0.1]:{} {}", self.port, self.public("other")),
        };
        let file = self.folder.path().join(format!("known-{known:?}"));
        std::fs::write(&file, line).unwrap();
        file
    }

    /// How many logins there were.
    pub fn logins(&self) -> usize {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap().matches("Accepted publickey").count()
    }

    /// Cuts every connection and takes no new one.
    pub fn kill(&mut self) {
        let connections = descendants(self.child.id());
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        for process in connections {
            let _ = Command::new("kill").args(["-9", &process.to_string()]).stderr(Stdio::null()).status();
        }
    }

    /// Starts it again on the same port.
    pub fn restart(&mut self) {
        self.child = launch(&self.program, self.folder.path());
        self.wait();
    }

    fn public(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("{name}.pub"))).unwrap()
    }

    fn wait(&self) {
        until("the start of sshd", Duration::from_secs(20), || {
            let mut start = [0; 4];
            TcpStream::connect(("127.0.0.1", self.port))
                .is_ok_and(|mut stream| stream.read_exact(&mut start).is_ok() && &start == b"SSH-")
        });
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.kill();
        }
    }
}

fn launch(program: &Path, folder: &Path) -> Child {
    let log = File::options().create(true).append(true).open(folder.join("log")).unwrap();
    Command::new(program)
        .args(["-D", "-e", "-f"])
        .arg(folder.join("sshd_config"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap()
}

/// All processes below one.
fn descendants(process: u32) -> Vec<u32> {
    let list = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    let children: Vec<u32> = list.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    let below: Vec<u32> = children.iter().flat_map(|child| descendants(*child)).collect();
    [children, below].concat()
}

fn encoded(byte: u8) -> String {
    match byte {
        b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    }
}
