//! How a block of statements runs: the pool, the transaction around it, and when it is tried again.
//!
//! Three macros expand in place to a loop around an `async` block. In the block `db` is `&mut PgConnection`; it ends in
//! `Ok(value)`, uses `?`, may `return Ok(..)`, borrows the arguments of the method, and may run more than once: it must
//! not move anything out. The macro's value is a `crate::Result`. Give `&mut *db` to sqlx and `db` to our own functions.
//!
//! - `asking!(self, |db| { .. })`: exactly one statement that reads, without a transaction.
//! - `reading!(self, |db| { .. })`: several statements that read, in one snapshot.
//! - `writing!(self, subject, durability, |db| { .. })`: a transaction that has its [`Subject`] to itself.
//!
//! ```ignore
//! async fn drop_proposal(&self, of: &Identity, id: &str) -> crate::Result<bool> {
//!     writing!(self, Subject::of("upkeep", &[&of.0]), Durability::Full, |db| {
//!         let gone = sqlx::query("DELETE FROM proposals WHERE identity = $1 AND id = $2")
//!             .bind(codec::text(&of.0))
//!             .bind(codec::text(id))
//!             .execute(&mut *db)
//!             .await?;
//!         Ok(gone.rows_affected() > 0)
//!     })
//! }
//! ```
//!
//! Invariant: cancelled_call_leaves_nothing. A future that is dropped inside a block closes its connection, and the server
//! takes the transaction back; a connection with an open transaction is never used again.

use super::fault::{Again, Trouble};
use super::subject::Subject;
use super::{Result, bells, fault, migrate};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, Instant};
use tokio::runtime::{Handle, RuntimeFlavor};

/// A node has few writers at once, and a server has few connections for all nodes.
const CONNECTIONS: u32 = 10;
/// A process with one thread does one thing after the other, and keeps its lock by the way.
const FEW: u32 = 2;
/// How long a call waits for a connection, also while the server starts again.
const ACQUIRE: Duration = Duration::from_secs(10);
/// How long opening waits for an answer.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a call is tried again in all.
const PATIENCE: Duration = Duration::from_secs(20);
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Whether a commit must survive the power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// On disk when it returns.
    Full,
    /// Whole after a crash of the process; may be lost with the power of the server, and can then be derived again.
    Normal,
}

pub(super) struct Engine {
    pool: PgPool,
    bells: bells::Tower,
}

impl Engine {
    pub(super) async fn open(url: &str) -> Result<Engine> {
        let options = url.parse::<PgConnectOptions>()?.application_name("loci").disable_statement_logging().options([
            ("statement_timeout", "30s"),
            ("lock_timeout", "20s"),
            ("idle_in_transaction_session_timeout", "60s"),
        ]);
        // Asked once without the pool, which would keep asking a server that is not there.
        let mut tries = Tries::default();
        let first = loop {
            let asked = tokio::time::timeout(CONNECT, PgConnection::connect_with(&options)).await;
            let asked = asked.unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut)).map_err(fault::opening);
            if let Some(done) = tries.judge(asked).await {
                break done?;
            }
        };
        migrate::migrate(first).await?;
        let pool = PgPoolOptions::new()
            .max_connections(if has_one_thread() { FEW } else { CONNECTIONS })
            .acquire_timeout(ACQUIRE)
            .test_before_acquire(true)
            .connect_lazy_with(options);
        Ok(Engine { pool, bells: bells::Tower::default() })
    }

    /// A pool of one connection, for who keeps it: the others' number does not shrink by it.
    pub(super) fn listening(&self) -> PgPool {
        PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE)
            .max_lifetime(None)
            .idle_timeout(None)
            .connect_lazy_with((*self.pool.connect_options()).clone())
    }

    pub(super) fn bells(&self) -> &bells::Tower {
        &self.bells
    }

    /// A connection for one statement.
    pub(super) async fn ask(&self) -> Result<Open> {
        Ok(Open { connection: self.pool.acquire().await?, end: End::None, clean: false })
    }

    /// A snapshot.
    pub(super) async fn read(&self) -> Result<Open> {
        self.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY".to_owned(), End::Read).await
    }

    /// A transaction that has its subject to itself.
    pub(super) async fn write(&self, subject: &Subject, durability: Durability) -> Result<Open> {
        let lax = match durability {
            Durability::Full => "",
            Durability::Normal => "; SET LOCAL synchronous_commit = off",
        };
        self.begin(format!("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE{lax}{}", subject.locks()), End::Write).await
    }

    /// One round trip for all of it.
    async fn begin(&self, sql: String, end: End) -> Result<Open> {
        let mut open = Open { connection: self.pool.acquire().await?, end, clean: false };
        match sqlx::raw_sql(AssertSqlSafe(sql)).execute(open.db()).await {
            Ok(_) => Ok(open),
            Err(error) => Err(open.abandon(error.into()).await),
        }
    }
}

fn has_one_thread() -> bool {
    Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::CurrentThread)
}

/// What ends a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Nothing was begun.
    None,
    Read,
    Write,
}

/// A connection in the hands of one block.
pub(super) struct Open {
    connection: PoolConnection<sqlx::Postgres>,
    end: End,
    /// Whether others may have the connection.
    clean: bool,
}

impl Open {
    pub(super) fn db(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// Commits what was done, or takes it back.
    pub(super) async fn end<T>(mut self, done: Result<T>) -> Result<T> {
        let value = match done {
            Ok(value) => value,
            Err(trouble) => return Err(self.abandon(trouble).await),
        };
        if self.end != End::None
            && let Err(error) = sqlx::raw_sql("COMMIT").execute(self.db()).await
        {
            return Err(match self.end {
                End::Write => fault::committing(error),
                End::None | End::Read => error.into(),
            });
        }
        self.clean = true;
        Ok(value)
    }

    async fn abandon(mut self, trouble: Trouble) -> Trouble {
        self.clean = match self.end {
            _ if trouble.lost_connection() => false,
            End::None => true,
            End::Read | End::Write => sqlx::raw_sql("ROLLBACK").execute(self.db()).await.is_ok(),
        };
        trouble
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.clean {
            self.connection.close_on_drop();
        }
    }
}

/// How often a block was tried, and for how long.
pub(super) struct Tries {
    since: Instant,
    pause: Duration,
}

impl Default for Tries {
    fn default() -> Tries {
        Tries { since: Instant::now(), pause: FIRST_PAUSE }
    }
}

impl Tries {
    /// What the caller gets; `None` after a pause = once more.
    pub(super) async fn judge<T>(&mut self, done: Result<T>) -> Option<crate::Result<T>> {
        match done {
            Err(trouble) if trouble.again() == Again::Soon && self.since.elapsed() < PATIENCE => {
                // Between half and all of it, so that those who met once do not meet again.
                let chance = RandomState::new().build_hasher().finish() % 512;
                let half = self.pause / 2;
                tokio::time::sleep(half + half * u32::try_from(chance).unwrap_or(0) / 512).await;
                self.pause = (self.pause * 2).min(LONGEST_PAUSE);
                None
            }
            done => Some(done.map_err(Into::into)),
        }
    }
}

/// Says what an `async` block of a macro answers.
pub(super) fn block<T>(work: impl Future<Output = Result<T>> + Send) -> impl Future<Output = Result<T>> + Send {
    work
}

/// The loop around a block; see the top of this file.
macro_rules! trying {
    ($open:expr, |$db:ident| $work:block) => {{
        let mut tries = $crate::postgres::engine::Tries::default();
        loop {
            let tried = $crate::postgres::engine::block(async {
                let mut open = $open.await?;
                let $db: &mut sqlx::PgConnection = open.db();
                let done = $crate::postgres::engine::block(async { $work }).await;
                open.end(done).await
            })
            .await;
            if let Some(done) = tries.judge(tried).await {
                break done;
            }
        }
    }};
}

macro_rules! asking {
    ($ledger:expr, |$db:ident| $work:block) => {
        $crate::postgres::engine::trying!($ledger.engine.ask(), |$db| $work)
    };
}

macro_rules! reading {
    ($ledger:expr, |$db:ident| $work:block) => {
        $crate::postgres::engine::trying!($ledger.engine.read(), |$db| $work)
    };
}

macro_rules! writing {
    ($ledger:expr, $subject:expr, $durability:expr, |$db:ident| $work:block) => {{
        let subject: $crate::postgres::subject::Subject = $subject;
        $crate::postgres::engine::trying!($ledger.engine.write(&subject, $durability), |$db| $work)
    }};
}

pub(super) use {asking, reading, trying, writing};
