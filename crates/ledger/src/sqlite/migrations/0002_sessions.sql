-- Whose sessions they are; project '' = of none. `generation` grows with every change of a session below.
CREATE TABLE talkers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  project TEXT NOT NULL,
  generation INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account, project)
);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  talker INTEGER NOT NULL REFERENCES talkers (id),
  name TEXT NOT NULL,
  format TEXT NOT NULL,
  at INTEGER NOT NULL,
  kept_at INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  UNIQUE (talker, name)
);

-- Not in one tree with its key: content has any size.
CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions (id),
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  at INTEGER,
  mark INTEGER NOT NULL,
  calls TEXT NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (session, position)
);

-- Up to 128 messages of a session. `measures` has three bytes a message; `terms` are the codes of its distinct tokens,
-- six bytes each, so that the rows of `spoken` can be found without an index by chunk. The vectors come last: without
-- them a row is short.
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  talker INTEGER NOT NULL REFERENCES talkers (id),
  session INTEGER NOT NULL REFERENCES sessions (id),
  first INTEGER NOT NULL,
  maker TEXT NOT NULL,
  measures BLOB NOT NULL,
  terms BLOB NOT NULL,
  vectors BLOB NOT NULL
);
CREATE INDEX chunks_talker ON chunks (talker);
CREATE INDEX chunks_session ON chunks (session, first);

-- Where a term stands, by a code of 48 bits: SQLite overwrites what it deletes, but may leave a copy behind where it once
-- moved a row from page to page, and a word of a session that went must be in no byte. Two bytes a message, its place in the chunk
-- and how often. One row for a chunk instead of one for an occurrence: a frequent word of 100,000 messages is 2,000 rows, and FTS5 would give back 40,000.
CREATE TABLE spoken (
  talker INTEGER NOT NULL,
  term INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  places BLOB NOT NULL,
  PRIMARY KEY (talker, term, chunk)
) WITHOUT ROWID;
