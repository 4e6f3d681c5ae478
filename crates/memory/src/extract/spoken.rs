//! Facts without a model: what a person said in so many words.

use super::Candidate;
use loci_domain::statement::statements;
use loci_domain::transcript::{Role, Turn};

/// The explicit statements of the person, in order; tool and system text never counts, nor does the model's.
pub(super) fn candidates(turns: &[Turn]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for turn in turns.iter().filter(|turn| turn.role == Role::User) {
        found.extend(statements(&turn.content).into_iter().map(|said| Candidate {
            kind: said.kind,
            summary: said.summary,
            why: said.why,
            how: said.how,
            message: turn.id.clone(),
            at: turn.at,
        }));
    }
    found
}
