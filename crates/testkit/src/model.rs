//! A scripted model: a real HTTP server on loopback that speaks a provider's wire format and says what a test wrote.
//!
//! Owns its own reading of the four formats, apart from that of `llm`: a request that a real service would refuse is a
//! complaint. On drop it fails the test that left a reply unread, asked more often than was scripted, or was refused.
//! Start at [`Model::new`] and [`Step`].
//!
//! ```no_run
//! use loci_testkit::model::{Model, Step, Wire};
//! use serde_json::json;
//!
//! let model = Model::new(Wire::OpenAi, [Step::call("ls", json!({"path": "/"})), Step::say("done")]);
//! // … let something ask it at `model.base_url()`, or a binary with `model.environment()` …
//! assert_eq!(model.requests()[1].seen().results, ["a.md"]);
//! ```

mod http;
mod step;
mod wire;

pub use http::Request;
use step::Reply;
pub use step::Step;
pub use wire::{Seen, Wire};

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The key that [`Model::environment`] gives out; long and odd, so that it is found wherever it leaks.
pub const KEY: &str = "sk-scripted-Zq7Wm3Rk9Tb2Xc5V";

/// A model's name for settings.
pub const NAME: &str = "scripted-1";

/// A running server; it ends when it is dropped.
pub struct Model {
    wire: Wire,
    address: SocketAddr,
    inner: Arc<Inner>,
}

struct Inner {
    wire: Wire,
    script: Mutex<Script>,
    requests: Mutex<Vec<Request>>,
    complaints: Mutex<Vec<String>>,
    hung_up: AtomicUsize,
    over: AtomicBool,
}

type Answers = Box<dyn Fn(&Request) -> Step + Send>;

enum Script {
    Steps(VecDeque<Step>),
    Answers(Answers),
}

impl Model {
    /// Plays these steps in order, each once.
    pub fn new(wire: Wire, steps: impl IntoIterator<Item = Step>) -> Model {
        Model::start(wire, Script::Steps(steps.into_iter().collect()))
    }

    /// Answers any number of questions by what they say.
    pub fn answering(wire: Wire, answer: impl Fn(&Request) -> Step + Send + 'static) -> Model {
        Model::start(wire, Script::Answers(Box::new(answer)))
    }

    fn start(wire: Wire, script: Script) -> Model {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let inner = Arc::new(Inner {
            wire,
            script: Mutex::new(script),
            requests: Mutex::default(),
            complaints: Mutex::default(),
            hung_up: AtomicUsize::new(0),
            over: AtomicBool::new(false),
        });
        let server = Arc::clone(&inner);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if server.over.load(Ordering::SeqCst) {
                    break;
                }
                let (server, Ok(stream)) = (Arc::clone(&server), stream) else { continue };
                std::thread::spawn(move || server.serve(stream));
            }
        });
        Model { wire, address, inner }
    }

    /// What a person would put into `base_url`.
    pub fn base_url(&self) -> String {
        format!("http://{}{}", self.address, self.wire.base_path())
    }

    /// Settings for the binary, with [`KEY`].
    pub fn environment(&self) -> [(&'static str, String); 4] {
        [
            ("LOCI_MODEL_PROVIDER", self.wire.provider().to_owned()),
            ("LOCI_MODEL", NAME.to_owned()),
            ("LOCI_MODEL_BASE_URL", self.base_url()),
            ("LOCI_MODEL_API_KEY", KEY.to_owned()),
        ]
    }

    /// Everything that was asked so far.
    pub fn requests(&self) -> Vec<Request> {
        self.inner.requests.lock().unwrap().clone()
    }

    /// How many callers went away before they were answered ([`Step::hang`]).
    pub fn hung_up(&self) -> usize {
        self.inner.hung_up.load(Ordering::SeqCst)
    }
}

impl Inner {
    fn serve(&self, mut stream: TcpStream) {
        let Some(request) = Request::read(&mut stream, self.wire) else { return };
        if let Err(complaint) = request.check() {
            self.complaints.lock().unwrap().push(complaint);
            self.requests.lock().unwrap().push(request);
            return http::answer(&mut stream, 400, &[], b"{\"error\":{\"message\":\"a real service refuses this\"}}");
        }
        let step = match &mut *self.script.lock().unwrap() {
            Script::Answers(answer) => Some(answer(&request)),
            Script::Steps(steps) => steps.pop_front(),
        };
        let number = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(request.clone());
            requests.len()
        };
        let Some(step) = step else {
            self.complaints.lock().unwrap().push(format!("request {number} has no scripted reply"));
            return http::answer(&mut stream, 400, &[], b"{}");
        };
        std::thread::sleep(step.delay);
        match step.reply {
            Reply::Hang => {
                http::wait_for_end(&mut stream);
                self.hung_up.fetch_add(1, Ordering::SeqCst);
            }
            Reply::Echo { status } => {
                let said = format!("{:?} {}", request.headers, request.body);
                let body = serde_json::json!({"error": {"message": said, "code": said, "type": said}}).to_string();
                http::answer(&mut stream, status, &step.headers, body.as_bytes());
            }
            Reply::Cut => http::half(&mut stream),
            Reply::Raw { status, body } => http::answer(&mut stream, status, &step.headers, &body),
            Reply::Said { .. } => {
                let body = self.wire.answer(&step, &request, number).to_string();
                http::answer(&mut stream, 200, &step.headers, body.as_bytes());
            }
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.inner.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if std::thread::panicking() {
            return;
        }
        let complaints = self.inner.complaints.lock().unwrap();
        assert!(complaints.is_empty(), "the scripted model complains: {complaints:#?}");
        if let Script::Steps(steps) = &*self.inner.script.lock().unwrap() {
            assert!(steps.is_empty(), "scripted replies were not asked for: {steps:?}");
        }
    }
}
