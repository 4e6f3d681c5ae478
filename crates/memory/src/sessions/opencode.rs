//! OpenCode's storage as one stream: `session/<project>/<session>.json`, and for it `message/<session>/<message>.json` and
//! `part/<message>/<part>.json`, read in the order of their names, which is that of time, as `opencode export` would put
//! them together. No more than one message is in memory.
//!
//! Newer versions keep sessions in a database (`opencode.db`), which is not read; `opencode export` writes one out.

use super::source::regular;
use serde::de::IgnoredAny;
use std::collections::VecDeque;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes of a message with its parts; the reader passes over what is longer.
const LONGEST: usize = 16 << 20;

/// A session in the storage.
pub(super) struct Storage {
    session: PathBuf,
    messages: PathBuf,
    parts: PathBuf,
    waiting: VecDeque<PathBuf>,
    ahead: Vec<u8>,
    used: usize,
    next: Next,
}

/// What comes next in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Head,
    First,
    More,
    Nothing,
}

impl Storage {
    /// The storage that a file of a session lies in; `None` when it lies in none.
    pub(super) fn of(session: &Path) -> Option<Storage> {
        let folder = session.parent()?.parent()?;
        let root = folder.parent().filter(|_| folder.file_name().is_some_and(|name| name == "session"))?;
        let messages = root.join("message").join(session.file_stem()?);
        messages.is_dir().then(|| Storage {
            session: session.to_owned(),
            messages,
            parts: root.join("part"),
            waiting: VecDeque::new(),
            ahead: Vec::new(),
            used: 0,
            next: Next::Head,
        })
    }

    fn fill(&mut self) -> io::Result<()> {
        self.ahead.clear();
        self.used = 0;
        match self.next {
            Next::Head => {
                self.waiting = files(&self.messages).into();
                let info = value(&self.session).unwrap_or_else(|| b"null".to_vec());
                self.ahead = [b"{\"info\":", &info[..], b",\"messages\":["].concat();
                self.next = Next::First;
            }
            Next::First | Next::More => match self.waiting.pop_front() {
                Some(message) => {
                    if self.next == Next::More {
                        self.ahead.push(b',');
                    }
                    self.put(&message);
                    self.next = Next::More;
                }
                None => {
                    self.ahead.extend(b"]}");
                    self.next = Next::Nothing;
                }
            },
            Next::Nothing => {}
        }
        Ok(())
    }

    /// A message with its parts; each file of it that makes no sense is an element that makes none.
    fn put(&mut self, message: &Path) {
        let mut broken = 0;
        let info = value(message).unwrap_or_else(|| b"null".to_vec());
        self.ahead.extend(b"{\"info\":");
        self.ahead.extend(info);
        self.ahead.extend(b",\"parts\":[");
        let parts = message.file_stem().map(|id| files(&self.parts.join(id))).unwrap_or_default();
        let mut first = true;
        for part in parts {
            match value(&part) {
                _ if self.ahead.len() > LONGEST => break,
                Some(part) => {
                    if !std::mem::take(&mut first) {
                        self.ahead.push(b',');
                    }
                    self.ahead.extend(part);
                }
                None => broken += 1,
            }
        }
        self.ahead.extend(b"]}");
        (0..broken).for_each(|_| self.ahead.extend(b",null"));
    }
}

impl Read for Storage {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.used == self.ahead.len() && self.next != Next::Nothing {
            self.fill()?;
        }
        let rest = &self.ahead[self.used..];
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.used += length;
        Ok(length)
    }
}

impl Seek for Storage {
    /// To the start and nowhere else.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if to != SeekFrom::Start(0) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        (self.next, self.used) = (Next::Head, 0);
        self.ahead.clear();
        Ok(0)
    }
}

/// The JSON files of a folder, by name; none for a folder that is not there.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|file| file.extension().is_some_and(|ending| ending == "json")).collect();
    files.sort_unstable();
    files
}

/// The bytes of a file that is one value of JSON, on one line.
fn value(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    regular(path).ok()?.take(LONGEST as u64 + 1).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice::<IgnoredAny>(&bytes).ok()?;
    // Between the words of JSON only: no string of it goes over a line.
    bytes.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::read::Reading;
    use super::super::source::open;
    use loci_domain::transcript::Format;
    use serde_json::json;

    #[test]
    fn folders_say_what_an_export_says() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let file = dir.path().join("storage").join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        let session = json!({"id": "ses_1", "directory": "/p", "title": "Port it"});
        write("session/p/ses_1.json", &format!("{}\n", serde_json::to_string_pretty(&session).unwrap()));
        write("message/ses_1/msg_1.json", &json!({"id": "msg_1", "role": "user"}).to_string());
        write("message/ses_1/msg_2.json", &json!({"id": "msg_2", "role": "assistant"}).to_string());
        write("message/ses_1/msg_3.json", "{\"id\":\"msg_3\",");
        write("part/msg_1/prt_1.json", &json!({"type": "text", "text": "Keep the ids."}).to_string());
        write("part/msg_2/prt_1.json", &json!({"type": "text", "text": "They stay."}).to_string());
        write("part/msg_2/prt_2.json", "{\"type\":[");
        let session = dir.path().join("storage/session/p/ses_1.json");
        let mut opened = open(&session, Format::OpenCode).unwrap();
        for _ in 0..2 {
            let mut reading = Reading::start(Format::OpenCode, &mut *opened.source).unwrap();
            let mut said = Vec::new();
            while let Some(turns) = reading.more().unwrap() {
                said.extend(turns.into_iter().map(|turn| turn.content));
            }
            assert_eq!((said, reading.skipped()), (vec!["Keep the ids.".to_owned(), "They stay.".to_owned()], 2));
            let about = reading.about();
            assert_eq!((about.session.as_deref(), about.title.as_deref()), (Some("ses_1"), Some("Port it")));
        }
    }
}
