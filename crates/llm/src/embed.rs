//! Embed: a text as a direction, so that texts of like meaning point the same way.
//!
//! Owns the port [`Embedder`], its contract and its errors.
//! Never caches or compares across embedders: vectors of two names have nothing to do with each other.
//! Start at [`Embedder`]; the implementations are in [`crate::embedders`].

use async_trait::async_trait;
use std::fmt::Debug;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Turns texts into vectors.
///
/// The contract of every implementation:
/// - There is one vector for each text, in the order of the texts; no texts give no vectors.
/// - All vectors have the same count of numbers, at least one, all finite, and the length one. A text in which the
///   model finds nothing (an empty one, or one of unknown signs) gives zeros: it is like no other text.
/// - The same text gives the same vector under the same [`name`](Embedder::name), alone or among others.
/// - No text is too long: what is above the model's limit is left out from its end.
/// - All or nothing: an error leaves no vectors of the same call.
/// - A local implementation works on the thread that polls it. Whoever embeds thousands of texts hands them over in
///   batches, or on a thread that may be kept busy.
#[async_trait]
pub trait Embedder: Debug + Send + Sync {
    /// Who made the vectors, version included: a stored vector is good as long as this is the same.
    fn name(&self) -> &str;

    /// Embeds the texts.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>>;
}

/// The result of an embedder.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there are no vectors.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of the model is not there.
    #[error("{} is not there", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A file of the model is there, and the system does not let it be read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of the model is not what its name says.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The model is whole, but of a kind that Loci does not run.
    #[error("{} is not supported: {what}", path.display())]
    Unsupported {
        /// The file that says so.
        path: PathBuf,
        /// What Loci would need to know.
        what: String,
    },
    /// What a service needs to be told is missing or wrong.
    #[error("{0}")]
    Settings(String),
    /// The service does not take the texts, or is not well.
    #[error("the embedding service refuses the request ({status})")]
    Refused {
        /// What it answered.
        status: u16,
    },
    /// Nobody is there, or the line broke.
    #[error("the embedding service cannot be reached")]
    Unreachable,
    /// It took too long.
    #[error("the embedding service did not answer within {} s", limit.as_secs_f64())]
    Late {
        /// The limit.
        limit: Duration,
    },
    /// What came is not an answer of this kind of service.
    #[error("the answer of the embedding service cannot be read: {0}")]
    UnreadableAnswer(&'static str),
}

/// What a caller could do about an [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Name another place, or put the model there.
    Missing,
    /// Choose another model, or fetch it again.
    Invalid,
    /// See to the system or the service; the same call may succeed later.
    Unreadable,
}

impl Error {
    /// The kind of the error.
    pub fn kind(&self) -> Kind {
        match self {
            Error::Missing { .. } => Kind::Missing,
            Error::Damaged { .. } | Error::Unsupported { .. } | Error::Settings(_) => Kind::Invalid,
            Error::Unreadable { .. }
            | Error::Refused { .. }
            | Error::Unreachable
            | Error::Late { .. }
            | Error::UnreadableAnswer(_) => Kind::Unreadable,
        }
    }
}

/// Makes a vector one long; zeros, and what is not finite, become zeros.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    let by = if length.is_finite() && length > 0.0 { 1.0 / length } else { 0.0 };
    for x in vector {
        *x = if by > 0.0 { (f64::from(*x) * by) as f32 } else { 0.0 };
    }
}
