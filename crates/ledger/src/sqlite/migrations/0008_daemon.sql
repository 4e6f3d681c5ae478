-- Who may ask the daemon, by a name of its own.
CREATE TABLE clients (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL
);

-- Tokens beside the daemon's own one; only their hashes.
CREATE TABLE tokens (
  name TEXT PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  read_only INTEGER NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- What the daemon was asked to do; the order of rows is the order of a lane.
CREATE TABLE tasks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  lane TEXT NOT NULL,
  kind TEXT NOT NULL,
  client TEXT,
  words TEXT,
  mode TEXT,
  scope TEXT,
  status TEXT NOT NULL,
  result TEXT,
  code TEXT,
  message TEXT,
  cuts INTEGER NOT NULL,
  run TEXT,
  worker TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX tasks_by_lane ON tasks (lane, status);
CREATE INDEX tasks_with_run ON tasks (lane, run) WHERE run IS NOT NULL;
