-- A change wrote 23 pages of the log, a third of them for indexes that only rare work reads. What is dropped:
-- which images are needed (found by one pass when the journal is pruned), the order of settled and of undoable changes
-- (one index has the order of all), and the sequence of the journal (numbers of changes that never happened may come again).
DROP INDEX changes_before;
DROP INDEX changes_after;
DROP INDEX changes_settled;
DROP INDEX changes_undoable;
DROP INDEX documents_digest;

-- The index head comes from here alone: one row of `documents` for each of 200 lines cost a fifth of every change.
DROP INDEX documents_cards;
CREATE INDEX documents_cards ON documents (root, path, line) WHERE name IS NOT NULL;

CREATE TABLE lean_changes (
  seq INTEGER PRIMARY KEY,
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
INSERT INTO lean_changes
  SELECT seq, id, grouped, root, at, actor, op, path, new_path, before, after, undoes, settled, undone FROM changes;
DROP TABLE changes;
ALTER TABLE lean_changes RENAME TO changes;
CREATE INDEX changes_root ON changes (root, path);
CREATE INDEX changes_new_path ON changes (root, new_path) WHERE new_path IS NOT NULL;
CREATE INDEX changes_group ON changes (grouped);
CREATE INDEX changes_pending ON changes (root, seq) WHERE settled = 0;
-- `seq` ends each entry.
CREATE INDEX changes_order ON changes (root);
