//! `/pipeline`: background jobs. Only the home's owner has one tried again.

use super::settings::owner;
use crate::auth::Caller;
use crate::body::Fields;
use crate::daemon::Daemon;
use crate::fault::{ErrorBody, Refusal};
use crate::path::Path;
use axum::extract::State;
use axum::{Extension, Json};
use jiff::Timestamp;
use loci_domain::fault::Fault;
use loci_ledger::{Job, JobStatus};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Jobs that are told at most.
const MOST: usize = 1_000;

pub fn router() -> OpenApiRouter<Daemon> {
    OpenApiRouter::new().routes(routes!(jobs)).routes(routes!(retry))
}

/// Background jobs, the one that changed last first.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobRows {
    jobs: Vec<JobRow>,
}

/// One job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobRow {
    /// Its number.
    pub id: String,
    /// What is done.
    pub kind: String,
    /// With what: a session, a project.
    pub key: String,
    /// Whose it is.
    pub project: String,
    /// `pending`, `running`, `done`, `error` or `exhausted`.
    pub status: &'static str,
    /// What went wrong last.
    #[schema(required)]
    pub error: Option<String>,
    /// How often it was tried.
    pub attempts: u32,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it is tried again.
    #[schema(required)]
    pub retry_at: Option<Timestamp>,
}

impl From<Job> for JobRow {
    fn from(job: Job) -> JobRow {
        let waits = matches!(job.status, JobStatus::Error | JobStatus::Pending);
        JobRow {
            id: job.id.to_string(),
            kind: job.kind,
            key: job.key,
            project: job.project,
            status: job.status.word(),
            error: job.error,
            attempts: job.attempts,
            updated_at: job.updated_at,
            retry_at: job.until.filter(|_| waits),
        }
    }
}

/// Lists background jobs of all projects.
#[utoipa::path(get, path = "/pipeline/jobs", tag = "pipeline", responses((status = 200, body = JobRows)))]
async fn jobs(State(daemon): State<Daemon>) -> Result<Json<JobRows>, Refusal> {
    let jobs = daemon.ledger().jobs(None, MOST).await.map_err(failed)?;
    Ok(Json(JobRows { jobs: jobs.into_iter().map(JobRow::from).collect() }))
}

/// Has a job tried again that failed.
#[utoipa::path(post, path = "/pipeline/jobs/{id}/retry", tag = "pipeline", params(("id" = String, Path)),
    responses((status = 200, body = JobRow), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn retry(
    State(daemon): State<Daemon>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    _: Fields,
) -> Result<Json<JobRow>, Refusal> {
    owner(&caller)?;
    let missing = || Refusal::missing("job_not_found", "there is no such job");
    let number: u64 = id.parse().map_err(|_| missing())?;
    daemon.ledger().job(number).await.map_err(failed)?.ok_or_else(missing)?;
    if !daemon.ledger().retry_job(number, Timestamp::now()).await.map_err(failed)? {
        return Err(Refusal::of(
            Fault::Conflict,
            "job_not_failed",
            "the job did not fail; there is nothing to try again",
        ));
    }
    let job = daemon.ledger().job(number).await.map_err(failed)?.ok_or_else(missing)?;
    Ok(Json(job.into()))
}

fn failed(error: loci_ledger::Error) -> Refusal {
    Refusal::of(error.fault(), "pipeline_failed", error.to_string())
}
