-- What is known of facts without their words: keyed marks, and the key that they are made with.
CREATE TABLE fact_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL
);
INSERT INTO fact_key (id, key) VALUES (1, randomblob(32));

-- Forgotten by a person; it must not come back by itself.
CREATE TABLE tombstones (
  identity TEXT NOT NULL,
  mark BLOB NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (identity, mark)
) WITHOUT ROWID;

-- Where a fact was said; `message` is empty when it has no id.
CREATE TABLE sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  identity TEXT NOT NULL,
  fact BLOB NOT NULL,
  session TEXT NOT NULL,
  message TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (identity, fact, session, message)
);
