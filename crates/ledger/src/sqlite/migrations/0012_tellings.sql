-- What daemons tell who listens. Numbers begin with the microsecond in which the table was made, so that a ledger that takes
-- the place of a lost one does not use them again.
CREATE TABLE tellings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  room TEXT NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL,
  client TEXT
);
INSERT INTO sqlite_sequence (name, seq) VALUES ('tellings', CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000);

-- Who may listen; each of `rooms` ends in U+001F.
CREATE TABLE listeners (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL,
  rooms TEXT NOT NULL
);
