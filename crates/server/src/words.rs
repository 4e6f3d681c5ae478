//! The closed lists of words in answers, for `/openapi.json`.
//!
//! Never sent themselves: answers carry the domain's own values, and a test holds both lists together.

#![expect(dead_code, reason = "schemas are made of them, values never")]

use utoipa::ToSchema;

/// A scope.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum ScopeWord {
    Global,
    Project,
    Workspace,
}

/// What kind of fact a document holds.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum KindWord {
    User,
    Feedback,
    Project,
    Reference,
}

/// Whether a person stands behind a document's bytes.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum TrustWord {
    Trusted,
    Untrusted,
}

/// How a recall came about.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum StrategyWord {
    None,
    Heuristic,
    Model,
}

#[cfg(test)]
mod tests {
    use super::*;
    use loci_domain::document::Kind;
    use loci_domain::scope::Scope;
    use loci_memory::list::Trust;
    use loci_memory::recall::Strategy;
    use serde::Serialize;
    use utoipa::PartialSchema;

    fn same<T: PartialSchema, V: Serialize>(values: impl IntoIterator<Item = V>) {
        let documented = serde_json::to_value(T::schema()).unwrap()["enum"].clone();
        let sent: Vec<_> = values.into_iter().map(|value| serde_json::to_value(value).unwrap()).collect();
        assert_eq!(documented, serde_json::Value::Array(sent));
    }

    #[test]
    fn the_document_lists_what_is_sent() {
        same::<ScopeWord, _>(Scope::ALL);
        same::<KindWord, _>(Kind::ALL);
        same::<TrustWord, _>([Trust::Trusted, Trust::Untrusted]);
        same::<StrategyWord, _>([Strategy::None, Strategy::Heuristic, Strategy::Model]);
    }
}
