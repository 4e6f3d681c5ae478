-- A ledger of schema 12: two documents, five changes, a pin, a receipt, a session, a token. Made by a program of schema 13, without the one table that 13 adds.
-- {CHECKOUT} and {PROJECT} stand for the checkout and for the folder of its memory; never rewritten.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE roots (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place TEXT NOT NULL UNIQUE,
  identity TEXT,
  rules INTEGER,
  files INTEGER NOT NULL DEFAULT 0,
  cards INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL DEFAULT 0
);
INSERT INTO roots VALUES(1,'home:memory','global',1,1,1,5);
INSERT INTO roots VALUES(2,'home:projects/{PROJECT}/memory','project:{CHECKOUT}',1,1,1,4);
CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  root INTEGER NOT NULL REFERENCES roots (id),
  path TEXT NOT NULL,
  stamp TEXT NOT NULL,
  digest BLOB NOT NULL,
  bytes INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  origin TEXT NOT NULL,
  name TEXT,
  description TEXT,
  kind TEXT,
  name_words INTEGER NOT NULL,
  description_words INTEGER NOT NULL,
  body_words INTEGER NOT NULL,
  line TEXT NOT NULL,
  words INTEGER,
  UNIQUE (root, path)
);
INSERT INTO documents VALUES(1,1,'user/heron.md','97:1794990346.831878214:1794990346.835878214:10117326',X'6ba54c3f97892b1a5703e0da627616b28db810774cb24a6b282342a5f1e4606d',97,1794990346831878,'agent','Heron','where it nests','user',1,3,6,'- [Heron](user/heron.md) — where it nests',NULL);
INSERT INTO documents VALUES(4,2,'crane.md','98:1794990347.19878222:1794990347.23878223:10117340',X'fe5eb7bed6119f02b4e8ccfc7eeb008e7a47b84d4fc22c3f23afe49efd41480e',98,1794990347019878,'agent','Crane','what it lifts','project',1,3,6,'- [Crane](crane.md) — what it lifts',NULL);
CREATE TABLE epoch (began INTEGER NOT NULL);
INSERT INTO epoch VALUES(1794990346817000);
CREATE TABLE IF NOT EXISTS 'words_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO words_data VALUES(1,X'');
INSERT INTO words_data VALUES(10,X'00000001ff000001000000');
CREATE TABLE IF NOT EXISTS 'words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS 'words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
CREATE TABLE IF NOT EXISTS 'words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO words_config VALUES('automerge',8);
INSERT INTO words_config VALUES('version',4);
CREATE TABLE fresh_words (
  document INTEGER PRIMARY KEY,
  root INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  body TEXT NOT NULL
);
INSERT INTO fresh_words VALUES(1,1,'heron','where it nest','the heron nest at quillfeath pond');
INSERT INTO fresh_words VALUES(4,2,'crane','what it lift','the harbour crane lift eighti ton');
CREATE TABLE dead_words (
  seq INTEGER PRIMARY KEY,
  document INTEGER NOT NULL
);
CREATE TABLE embedders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
INSERT INTO embedders VALUES(1,'static-minilm-256/profile-1/related-2');
CREATE TABLE vectors (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE ON UPDATE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  packed BLOB NOT NULL,
  UNIQUE (document, embedder)
);
INSERT INTO vectors VALUES(1,1,1,X'02005b3b0c3b970b1db84181170745e6def308dcf6c0f044b23104ec48fbf9f2c7f6f1e5280d4531fade22ffe13e31f220f0dd0cfccccbac05f5e61aed0038c4e80ff90ee51c19e7cc2bde310b3103ede6e40527ffeef619cbfc12bd0b0822e8fd17ccf122f0e8d21316fc280513280eec0917e60610faec14f1f2fce0f123fcfc1a0f0efc1e110d2d1316f52b0808f529ea00f7e7c4fd2808f7f7de0309effde8e6060400e9e91d04fcede601ff38e2f5d705ff1e05fe340b35fd0b14f7fbde1dfddefc0c05f4f21bf5ed1c061813080afd042cf5f5ed030c06f41304ebf50702fffc0021110d040b00e901e4f601fe28fdec0bf8dbf41305e904050bf501deec0901fcec0304fb1f3b04f803132881fe2f1df1ebff00d2f5e1f720af3dd81a6207f909dce4db060de0313617c804f4ed2b1bed2705dc1007d8bfc4eefef40edef422e3eaf61308dd1e27ebba15e31dee23f6f3f0fcfbf9f9e5f327dbf017baf50301dc0006dbf32c00ebe83404e01eff0b1706f5102aeff828e5d61803e606e5fe03f5f41e0a0def071e100ef90bf2120bf9f123f7e8ee00c00c1ef6d3f3fc020007f5f3e81bf3f7efde05090bf4ecd5ff1df8fbec0bfe1507f711fb1e05fc1af0080028f0dc14171107ed0bfaf30afafb130102eafb14ebf1fc0008fd031aecf2e5051203f5f8060be804f603f6fdf9fbff170cede4f5f1e0e70f19fdd80400fdfafbfdf8f803f1f303008259000007440000c42100000000');
INSERT INTO vectors VALUES(2,4,1,X'02008bf4023bbf9adc2a35aa0d2eefe0facfca27edbb4212d40d12003aa5b30d5edef6eb183fdee7e1eb0c0f25d449201b14e5f8ddc8e1c7feec04d5242a10f937dd161afcf8dd01b703f6f7f2d20429130c26e3ee0d20081a2f159cdcfdf8f92312ec151cfde0e32be1071b291af20f03d9f80eededecea05ff2be8cefc07d9f11d1900d1e6ddfd23ed1615f81603d203092008d781150700fe15e20712120eebe70bfe070ff71715e1fbfd0efa24f11ff1142021ec0521f0fef5270df706cf05e5f4ff2105e31927e3cf2317230adce818f4f4f3f1f4faf51de30e00fbeef708fcea052b14080919f0e5e4f1f705f611f8f0fef3f4e50dea0d04f315f1fbdbf40f0cffb9f8b126df3aa5b7381073b2053f00ebebe09d3cbbb71aff911e27f17fa2b32641e9f0e53354c7e7a7f8e8116cc74f37150904f8fea3edb7130b37d7f92e1f0949fa1408e0e9f50cc4070103eca9eb22160e0ac9cf0f2cfe0c402b87eb06ebed3428e31906dcc90126d60af8ef360a19ebdf030912f5eff2151010e2cef5efcdff4205fdc9e1bf241d21211eeb1810e31902fa02d79a170cfbe60ef205021504faf812ed17ecea0519fdfdf8de0319ea2d03f92417edf625f9e5091dfb0a11e201d8fb0f2cfef01c12fce11c06251bdd0e2618ec00ef1df8f410effc00d9ebe60808f8f32026f1150cedf4f2ed0af7f50ef0fcf8f6f6e6fff90ee5f9f80107f5050a120dd5e705002c2c00007f350000101d0000f52e00003518000003005b010100300102001d020200');
CREATE TABLE images (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  codec INTEGER NOT NULL,
  size INTEGER NOT NULL,
  data BLOB NOT NULL
);
INSERT INTO images VALUES(1,X'6ba54c3f97892b1a5703e0da627616b28db810774cb24a6b282342a5f1e4606d',1,97,X'28b52ffd20619d020072051217a0276d165b6cd024495af0d30284cb8507c7f87ead810104307804cedb961b8ae28e81b7d87c235055515e0f931b89255d3d7acfcf1bc204cfad7159d01bc2930f98fc5090aa2a0200420d00385066');
INSERT INTO images VALUES(2,X'86c713059bb7febac7f882ab29cf0b029d928f30673995740f08a1a721c589df',0,18,X'54686973207761732064656c657465642e0a');
INSERT INTO images VALUES(3,X'aaf4c99d03cbdbc29f55ae74ec0593466e501afb64d0a36fee74254a11df5f5d',1,99,X'28b52ffd2063a5020092451216a01973a8fd546a53547e5df329b85a17c0c6fad5010a065088de75b4c2aaa599408324a63602bb3b7bb10165ea705a37f5c239f4a72766d181e83c9d2cca0433920c741841d0ee2e02004d0714210866');
INSERT INTO images VALUES(4,X'fe5eb7bed6119f02b4e8ccfc7eeb008e7a47b84d4fc22c3f23afe49efd41480e',1,98,X'28b52ffd2062ad0200828512179019b601589fc25d364511847c6b6a2cc24da34c6dcc190540c5dce9695034f12acc602f8d292833ab133c983d1e78d20bbda0085ffdcb854731faa34b10120acb6dc0031357cacc0202004d0714210866');
CREATE TABLE usage (
  identity TEXT NOT NULL,
  path TEXT NOT NULL,
  uses INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (identity, path)
) WITHOUT ROWID;
INSERT INTO usage VALUES('global','user/heron.md',2,1794990347244772);
INSERT INTO usage VALUES('project:{CHECKOUT}','crane.md',2,1794990347032935);
CREATE TABLE pins (
  identity TEXT NOT NULL,
  path TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (identity, path)
) WITHOUT ROWID;
INSERT INTO pins VALUES('global','user/heron.md',1794990347191889);
CREATE TABLE accepted (
  identity TEXT NOT NULL,
  digest BLOB NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (identity, digest)
) WITHOUT ROWID;
CREATE TABLE notes (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO notes VALUES('journal.pruned','2026-11-18');
CREATE TABLE receipts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
);
INSERT INTO receipts VALUES(1,'01m7pw64zch1jnsgs43aryqwaa',1794990347244682,'{"id":"01m7pw64zch1jnsgs43aryqwaa","at":"2026-11-18T08:25:47.244682001Z","query":"1612794144b959fdaf6a9172b12cc951b0f0da4f41721f3a598e513708865973","session":null,"shown":[{"path":"/memories/global/user/heron.md","score":0.9216,"why":{"terms":{"heron":["name","body"],"nest":["description","body"]},"coverage":1.0,"similarity":1.108,"uses":1,"ageDays":0}}],"cut":[]}');
CREATE TABLE showings (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL
);
CREATE TABLE shown (
  showing INTEGER NOT NULL REFERENCES showings (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  PRIMARY KEY (showing, path)
) WITHOUT ROWID;
CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  block TEXT NOT NULL
);
CREATE TABLE talkers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  project TEXT NOT NULL,
  generation INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account, project)
);
INSERT INTO talkers VALUES(1,'local','project:{CHECKOUT}',1);
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  talker INTEGER NOT NULL REFERENCES talkers (id),
  name TEXT NOT NULL,
  format TEXT NOT NULL,
  at INTEGER NOT NULL,
  kept_at INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  UNIQUE (talker, name)
);
INSERT INTO sessions VALUES(1,1,'talk','loci',1767261600000000,1794990347254913,1);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions (id),
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  at INTEGER,
  mark INTEGER NOT NULL,
  calls TEXT NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (session, position)
);
INSERT INTO messages VALUES(1,1,0,'m1','user',1767261600000000,2478527523132999433,'','The ferry leaves at seven.');
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  talker INTEGER NOT NULL REFERENCES talkers (id),
  session INTEGER NOT NULL REFERENCES sessions (id),
  first INTEGER NOT NULL,
  maker TEXT NOT NULL,
  measures BLOB NOT NULL,
  terms BLOB NOT NULL,
  vectors BLOB NOT NULL
);
INSERT INTO chunks VALUES(1,1,1,0,'words-1/static-minilm-256-1/1',X'050000',X'14dff4dc55194e07b545a1f474ada201c9089a3079f1d12bc91944618389',X'dfc17b106683ff3f0421f41ee41204c9d1e50a16ef541417431a8104072502bdffd4d12017dd53ee4505c541d1eaebf1afee1f1104d11f3af74414dde5eb1ff2ddd0c206fc0714c286ea000cffd2070219061e3b11f0e517dcf22b2000e1ebffd623ecffe2f51b06150ff6ee3fe11966fcd93c2711d2e90ef2a6e041d937dde9064517f10f12fcfa27d516e5f4a0f1bceb11fae4e70aebf51017dfe22110cdd00a0be6db27cadd440ee70500333731fe1a27110523e7ff112ee244d7fb111434ccdd141ad9cc0ccf2a361bfee4f7cdd020ef10d4d70abcc1ddf01200eafb2519ea2430d4c115191fdf10eff6f4fceee6dddb290ce0faeafc2e10e41501fff1f5');
CREATE TABLE spoken (
  talker INTEGER NOT NULL,
  term INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  places BLOB NOT NULL,
  PRIMARY KEY (talker, term, chunk)
) WITHOUT ROWID;
INSERT INTO spoken VALUES(1,22952118342937,1,X'0001');
INSERT INTO spoken VALUES(1,85795012977140,1,X'0001');
INSERT INTO spoken VALUES(1,128289096190216,1,X'0001');
INSERT INTO spoken VALUES(1,169532994998571,1,X'0001');
INSERT INTO spoken VALUES(1,221110358606729,1,X'0001');
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
CREATE TABLE fact_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL
);
INSERT INTO fact_key VALUES(1,X'548ee9aee09fe70c4e012e8005be235542aeb588b4bc532a4e432a36fe0c4985');
CREATE TABLE tombstones (
  identity TEXT NOT NULL,
  mark BLOB NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (identity, mark)
) WITHOUT ROWID;
CREATE TABLE sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  identity TEXT NOT NULL,
  fact BLOB NOT NULL,
  session TEXT NOT NULL,
  message TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (identity, fact, session, message)
);
CREATE TABLE leases (
  token INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  until INTEGER NOT NULL
);
CREATE TABLE cursors (
  identity TEXT NOT NULL,
  session TEXT NOT NULL,
  processed INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (identity, session)
) WITHOUT ROWID;
CREATE TABLE requests (
  identity TEXT PRIMARY KEY,
  session TEXT NOT NULL,
  source TEXT NOT NULL,
  format TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE proposals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  identity TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  summary TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (identity, id)
);
CREATE TABLE spend (
  day TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  PRIMARY KEY (day, model)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS "changes" (
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
INSERT INTO changes VALUES(1,'01m7pw64jgs78znthgt4fm6b2m','01m7pw64jfen399pxf5bmnz99q',1,1794990346832358,'agent','create','user/heron.md',NULL,NULL,X'6ba54c3f97892b1a5703e0da627616b28db810774cb24a6b282342a5f1e4606d',NULL,1,0);
INSERT INTO changes VALUES(2,'01m7pw64kpy4d1keafzthrp04e','01m7pw64khj3d4cckhzy8t3fba',1,1794990346870135,'agent','create','gone.md',NULL,NULL,X'86c713059bb7febac7f882ab29cf0b029d928f30673995740f08a1a721c589df',NULL,1,0);
INSERT INTO changes VALUES(3,'01m7pw64p93wdsj52p2awq0b2q','01m7pw64p8ddj5zsta43k6yvyf',2,1794990346953316,'agent','create','crane.md',NULL,NULL,X'aaf4c99d03cbdbc29f55ae74ec0593466e501afb64d0a36fee74254a11df5f5d',NULL,1,0);
INSERT INTO changes VALUES(4,'01m7pw64rck3rbnc6t855em0mv','01m7pw64r81xqd795gv71tyjth',2,1794990347020428,'agent','modify','crane.md',NULL,X'aaf4c99d03cbdbc29f55ae74ec0593466e501afb64d0a36fee74254a11df5f5d',X'fe5eb7bed6119f02b4e8ccfc7eeb008e7a47b84d4fc22c3f23afe49efd41480e',NULL,1,0);
INSERT INTO changes VALUES(5,'01m7pw64snp9r3ahzzfsx6m0pd','01m7pw64skq3vwkfcsxxj6jzsc',1,1794990347061249,'agent','delete','gone.md',NULL,X'86c713059bb7febac7f882ab29cf0b029d928f30673995740f08a1a721c589df',NULL,NULL,1,0);
CREATE TABLE clients (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL
);
CREATE TABLE tokens (
  name TEXT PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  read_only INTEGER NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO tokens VALUES('phone',X'd1ac8d8fdea3155951a413fe994978f5ab9e5a83fcffd63f61249b29bd3a458c',0,1794990347274167);
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
CREATE TABLE handbooks (
  project TEXT PRIMARY KEY,
  changed INTEGER NOT NULL,
  made INTEGER NOT NULL,
  made_at INTEGER
) WITHOUT ROWID;
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE holdings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  account TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
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
CREATE TABLE tellings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  room TEXT NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL,
  client TEXT
);
CREATE TABLE listeners (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL,
  rooms TEXT NOT NULL
);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','words','words',0,'CREATE VIRTUAL TABLE words USING fts5 (
  name, description, body,
  content = '''', contentless_delete = 1,
  tokenize = "ascii tokenchars ''!#$%&()*+,-./:;<=>?@[\]^_`{|}~""''''''"
)');
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','postings','postings',0,'CREATE VIRTUAL TABLE postings USING fts5vocab (words, instance)');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('documents',5);
INSERT INTO sqlite_sequence VALUES('tellings',1794990346819000);
INSERT INTO sqlite_sequence VALUES('roots',2);
INSERT INTO sqlite_sequence VALUES('talkers',1);
INSERT INTO sqlite_sequence VALUES('sessions',1);
INSERT INTO sqlite_sequence VALUES('chunks',1);
CREATE INDEX documents_numbers ON documents (root) WHERE name IS NOT NULL;
CREATE INDEX documents_words ON documents (root, words) WHERE words IS NOT NULL;
CREATE INDEX showings_at ON showings (at);
CREATE INDEX segments_at ON segments (at);
CREATE INDEX chunks_talker ON chunks (talker);
CREATE INDEX chunks_session ON chunks (session, first);
CREATE INDEX documents_cards ON documents (root, path, line) WHERE name IS NOT NULL;
CREATE INDEX changes_root ON changes (root, path);
CREATE INDEX changes_new_path ON changes (root, new_path) WHERE new_path IS NOT NULL;
CREATE INDEX changes_group ON changes (grouped);
CREATE INDEX changes_pending ON changes (root, seq) WHERE settled = 0;
CREATE INDEX changes_order ON changes (root);
CREATE INDEX tasks_by_lane ON tasks (lane, status);
CREATE INDEX tasks_with_run ON tasks (lane, run) WHERE run IS NOT NULL;
CREATE INDEX jobs_to_do ON jobs (status, updated_at) WHERE status IN ('pending', 'running', 'error');
CREATE INDEX jobs_by_change ON jobs (updated_at);
CREATE INDEX holdings_by_account ON holdings (account, kind, seq);
CREATE INDEX conversations_by_change ON conversations (account, updated_at);
CREATE UNIQUE INDEX turns_claims ON turns (account, event) WHERE claims;
CREATE INDEX turns_by_conversation ON turns (conversation);
CREATE INDEX lines_of_events ON lines (conversation, event) WHERE event IS NOT NULL;
CREATE INDEX lines_of_system ON lines (conversation, position) WHERE role = 'system';
PRAGMA writable_schema=OFF;
COMMIT;
PRAGMA user_version = 12;
