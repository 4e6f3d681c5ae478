-- Accounts beside `local`; only the hashes of their keys.
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE,
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- Workspaces, agents and sandboxes: what one says is JSON that only `domain` reads.
CREATE TABLE holdings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  account TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX holdings_by_account ON holdings (account, kind, seq);

-- `turn` is the number of the turn that has it; none = it is free.
CREATE TABLE conversations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  key TEXT NOT NULL,
  messages INTEGER NOT NULL,
  turn INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (account, key)
);
CREATE INDEX conversations_by_change ON conversations (account, updated_at);

-- The number of a turn is its fencing token. `event` is its claim; a turn that failed or was taken over has none.
CREATE TABLE turns (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  conversation INTEGER NOT NULL REFERENCES conversations (id),
  account TEXT NOT NULL,
  agent TEXT NOT NULL,
  event TEXT NOT NULL,
  claims INTEGER NOT NULL,
  status TEXT NOT NULL,
  until INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX turns_claims ON turns (account, event) WHERE claims;
CREATE INDEX turns_by_conversation ON turns (conversation);

-- Not in one tree with its key: content has any size. `event` is that of ingress.
CREATE TABLE lines (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL REFERENCES conversations (id),
  position INTEGER NOT NULL,
  role TEXT NOT NULL,
  at INTEGER NOT NULL,
  turn TEXT NOT NULL,
  event TEXT,
  covers_from INTEGER,
  covers_to INTEGER,
  content TEXT NOT NULL,
  UNIQUE (conversation, position)
);
CREATE INDEX lines_of_events ON lines (conversation, event) WHERE event IS NOT NULL;
CREATE INDEX lines_of_system ON lines (conversation, position) WHERE role = 'system';
