-- What sessions are called by their agents or after their first words; one without either has no row.
CREATE TABLE titles (
  session INTEGER PRIMARY KEY REFERENCES sessions (id),
  title TEXT NOT NULL
);
