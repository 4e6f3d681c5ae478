-- One row for each place. A place is known from its first intended change, its identity from its first settled step.
-- The counters are kept by the statements that write `documents`, in the same transaction,
-- so that counting and the index head never read all rows. Numbers are never reused: search terms carry them.
-- `generation` is a new number of `documents` whenever one with a name came, changed, moved or went.
CREATE TABLE roots (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place TEXT NOT NULL UNIQUE,
  identity TEXT,
  rules INTEGER,
  files INTEGER NOT NULL DEFAULT 0,
  cards INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL DEFAULT 0
);

-- One row for each file. `name` is NULL when the file cannot be read as a document.
-- `line` is its line in the index, empty without a name.
-- `id` is its number: a rewrite or a move takes a new one. Its words have the same number in `words`, but for a file
-- that moved after they were filed: `words` is then the number that they stay under.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  root INTEGER NOT NULL REFERENCES roots (id),
  path TEXT NOT NULL,
  stamp TEXT NOT NULL,
  digest BLOB NOT NULL,
  bytes INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  origin TEXT NOT NULL,
  name TEXT,
  description TEXT,
  kind TEXT,
  name_words INTEGER NOT NULL,
  description_words INTEGER NOT NULL,
  body_words INTEGER NOT NULL,
  line TEXT NOT NULL,
  words INTEGER,
  UNIQUE (root, path)
);
-- The index head must not walk over files that have no card.
CREATE INDEX documents_cards ON documents (root, path) WHERE name IS NOT NULL;
CREATE INDEX documents_digest ON documents (digest);
-- By number, which ends each entry of an index.
CREATE INDEX documents_numbers ON documents (root) WHERE name IS NOT NULL;
CREATE INDEX documents_words ON documents (root, words) WHERE words IS NOT NULL;
-- Others see `began` + `id`, where `began` is the microsecond in which the ledger was made, so that one that takes the
-- place of a lost ledger does not use its numbers again: nothing makes a document a microsecond.
-- In here numbers are small: every word in `words` carries them, and large ones cost some 20 µs more a document.
INSERT INTO sqlite_sequence (name, seq) VALUES ('documents', 0);
CREATE TABLE epoch (began INTEGER NOT NULL);
INSERT INTO epoch (began) VALUES (CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000);

-- Words only, no text. Each token is prefixed by its root's number and an x, so each place has its own vocabulary.
-- All printable ASCII is part of a token: the text comes cut already, and only the spaces between tokens separate.
CREATE VIRTUAL TABLE words USING fts5 (
  name, description, body,
  content = '', contentless_delete = 1,
  tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\]^_`{|}~""'''"
);
-- Half as much merging as FTS5 does by itself: measured flat up to 10,000 documents, and searches do not notice.
INSERT INTO words (words, rank) VALUES ('automerge', 8);
CREATE VIRTUAL TABLE postings USING fts5vocab (words, instance);

-- What `words` does not know yet: documents to add (tokens as they came) and to take away. A write to `words` costs the
-- same for one document as for many, so they go there some dozens at a time; searches look here too.
CREATE TABLE fresh_words (
  document INTEGER PRIMARY KEY,
  root INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE TABLE dead_words (
  seq INTEGER PRIMARY KEY,
  document INTEGER NOT NULL
);

-- What embedders made of documents. A vector has some hundred bytes, so its row keeps its own key: in one tree with
-- the key, each page up to the root would hold five of them.
CREATE TABLE embedders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE vectors (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE ON UPDATE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  packed BLOB NOT NULL,
  UNIQUE (document, embedder)
);

-- Bytes by SHA-256, kept once. `size` is of the bytes themselves, `data` may be compressed.
CREATE TABLE images (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  codec INTEGER NOT NULL,
  size INTEGER NOT NULL,
  data BLOB NOT NULL
);

-- The journal. `seq` is the order of recording; 0 = pending and 1 = settled in `settled`.
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  grouped TEXT NOT NULL,
  root INTEGER NOT NULL REFERENCES roots (id),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  op TEXT NOT NULL,
  path TEXT NOT NULL,
  new_path TEXT,
  before BLOB,
  after BLOB,
  undoes TEXT,
  settled INTEGER NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX changes_root ON changes (root, path);
CREATE INDEX changes_new_path ON changes (root, new_path) WHERE new_path IS NOT NULL;
CREATE INDEX changes_group ON changes (grouped);
CREATE INDEX changes_settled ON changes (root, seq) WHERE settled = 1;
CREATE INDEX changes_pending ON changes (root, seq) WHERE settled = 0;
CREATE INDEX changes_undoable ON changes (root, seq)
  WHERE settled = 1 AND undone = 0 AND undoes IS NULL AND actor <> 'editor';
-- Which images are still needed.
CREATE INDEX changes_before ON changes (before) WHERE before IS NOT NULL;
CREATE INDEX changes_after ON changes (after) WHERE after IS NOT NULL;

-- What only the ledger knows, by whose memory it is.
CREATE TABLE usage (
  identity TEXT NOT NULL,
  path TEXT NOT NULL,
  uses INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (identity, path)
) WITHOUT ROWID;

CREATE TABLE pins (
  identity TEXT NOT NULL,
  path TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (identity, path)
) WITHOUT ROWID;

CREATE TABLE accepted (
  identity TEXT NOT NULL,
  digest BLOB NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (identity, digest)
) WITHOUT ROWID;

CREATE TABLE notes (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Recalls. `seq` of receipts has no gaps: only the first ones ever go.
CREATE TABLE receipts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
);

CREATE TABLE showings (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL
);
CREATE INDEX showings_at ON showings (at);
CREATE TABLE shown (
  showing INTEGER NOT NULL REFERENCES showings (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  PRIMARY KEY (showing, path)
) WITHOUT ROWID;

CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  block TEXT NOT NULL
);
CREATE INDEX segments_at ON segments (at);
