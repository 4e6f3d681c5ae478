-- What language models cost, by UTC day (YYYY-MM-DD) and model.
CREATE TABLE spend (
  day TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  PRIMARY KEY (day, model)
) WITHOUT ROWID;
