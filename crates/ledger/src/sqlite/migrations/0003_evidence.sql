-- What documents named in their project, by whose memory it is; only documents that name something have a row.
CREATE TABLE evidence (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL,
  path TEXT NOT NULL,
  digest BLOB NOT NULL,
  project TEXT NOT NULL,
  UNIQUE (identity, path)
);
CREATE TABLE evidence_things (
  evidence INTEGER NOT NULL REFERENCES evidence (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  digest BLOB NOT NULL,
  stamp TEXT NOT NULL,
  PRIMARY KEY (evidence, place)
) WITHOUT ROWID;
