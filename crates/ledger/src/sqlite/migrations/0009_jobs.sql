-- Background work: one row for each kind and key of a project, however often it is asked for.
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  project TEXT NOT NULL,
  payload TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  error TEXT,
  -- How far it is to come, and how far it has come.
  asked INTEGER NOT NULL,
  done INTEGER NOT NULL,
  owner TEXT,
  token INTEGER NOT NULL,
  -- The end of a claim, or when a failed one may be tried again.
  until INTEGER,
  tally INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (kind, project, key)
);
CREATE INDEX jobs_to_do ON jobs (status, updated_at) WHERE status IN ('pending', 'running', 'error');
CREATE INDEX jobs_by_change ON jobs (updated_at);
