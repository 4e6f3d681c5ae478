-- Names that one holder has for a while. The number of the row is the fencing token: it is never used again.
CREATE TABLE leases (
  token INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  until INTEGER NOT NULL
);

-- How far each session was read for durable facts.
CREATE TABLE cursors (
  identity TEXT NOT NULL,
  session TEXT NOT NULL,
  processed INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (identity, session)
) WITHOUT ROWID;

-- The one transcript that waits to be read.
CREATE TABLE requests (
  identity TEXT PRIMARY KEY,
  session TEXT NOT NULL,
  source TEXT NOT NULL,
  format TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- Changes that wait for a person's word.
CREATE TABLE proposals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  identity TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  summary TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (identity, id)
);
