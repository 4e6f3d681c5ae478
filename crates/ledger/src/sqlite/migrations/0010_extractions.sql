-- What a past session came to; empty texts say that it was read and held nothing durable.
CREATE TABLE extractions (
  id INTEGER PRIMARY KEY,
  project TEXT NOT NULL,
  session TEXT NOT NULL,
  -- How far the session was read: the mark of the job, and when the session had last been written then.
  mark INTEGER NOT NULL,
  kept_at INTEGER NOT NULL,
  said_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  slug TEXT,
  summary TEXT NOT NULL,
  raw_memory TEXT NOT NULL,
  UNIQUE (project, session)
);

-- How often what a handbook is made of has changed, and up to which of these changes it was made.
CREATE TABLE handbooks (
  project TEXT PRIMARY KEY,
  changed INTEGER NOT NULL,
  made INTEGER NOT NULL,
  made_at INTEGER
) WITHOUT ROWID;
