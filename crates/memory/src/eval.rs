//! Eval: how well recall finds what it should, in numbers that others use too.
//!
//! Owns the measures and the reading of datasets. Never tunes anything: parameters live with the rankers.
//! Start at [`Report::of`]; datasets are read in `eval/`.

pub mod corpus;
pub mod own;
pub mod talks;

use serde::Serialize;
use std::collections::BTreeMap;

/// One question and what was ranked for it.
#[derive(Debug, Clone)]
pub struct Judged {
    /// Its slice or category.
    pub category: String,
    /// What should be found; nothing = nothing should be found.
    pub gold: Vec<String>,
    /// What was found, best first.
    pub ranked: Vec<String>,
    /// How long it took.
    pub milliseconds: f64,
}

/// The measures over a set of questions. Questions that nothing answers count only in `nothing`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// How many questions.
    pub questions: usize,
    /// Mean share of the gold found among the first five.
    #[serde(rename = "recall@5")]
    pub recall_5: f64,
    /// … ten.
    #[serde(rename = "recall@10")]
    pub recall_10: f64,
    /// … twenty-five.
    #[serde(rename = "recall@25")]
    pub recall_25: f64,
    /// Share of questions with at least one gold among the first five.
    #[serde(rename = "hit@5")]
    pub hit_5: f64,
    /// Share of questions whose first hit is gold.
    #[serde(rename = "hit@1")]
    pub hit_1: f64,
    /// Discounted gain among the first ten, of the best possible.
    #[serde(rename = "ndcg@10")]
    pub ndcg_10: f64,
    /// Mean of one over the place of the first gold.
    pub mrr: f64,
    /// Share of unanswerable questions that got nothing.
    pub nothing: Option<f64>,
    /// What is told of sessions in addition.
    #[serde(flatten)]
    pub sessions: Option<OfSessions>,
    /// Median time.
    pub ms_p50: f64,
    /// Nineteen of twenty are faster.
    pub ms_p95: f64,
    /// The same by category.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_category: BTreeMap<String, Report>,
}

/// Measures of who publishes on sessions.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct OfSessions {
    /// Share of questions with all gold among the first five.
    #[serde(rename = "recallAll@5")]
    pub all_5: f64,
    /// … ten.
    #[serde(rename = "recallAll@10")]
    pub all_10: f64,
    /// Discounted gain among the first five, of the best possible; the second place counts as much as the first.
    #[serde(rename = "ndcgAny@5")]
    pub ndcg_5: f64,
    /// … ten.
    #[serde(rename = "ndcgAny@10")]
    pub ndcg_10: f64,
}

impl Report {
    /// The same with what is told of sessions in addition.
    pub fn of_sessions(judged: &[Judged]) -> Report {
        let mut report = Report::of(judged);
        for (name, report) in &mut report.by_category {
            let own: Vec<&Judged> = judged.iter().filter(|one| one.category == *name).collect();
            report.sessions = Some(of_sessions(&own));
        }
        report.sessions = Some(of_sessions(&judged.iter().collect::<Vec<_>>()));
        report
    }

    /// The measures of these questions, and of each category.
    pub fn of(judged: &[Judged]) -> Report {
        let mut categories: BTreeMap<&str, Vec<Judged>> = BTreeMap::new();
        for one in judged {
            categories.entry(&one.category).or_default().push(one.clone());
        }
        let mut report = measures(judged);
        report.by_category =
            categories.into_iter().map(|(name, judged)| (name.to_owned(), measures(&judged))).collect();
        report
    }
}

fn measures(judged: &[Judged]) -> Report {
    let (answerable, unanswerable): (Vec<&Judged>, Vec<&Judged>) = judged.iter().partition(|one| !one.gold.is_empty());
    let mean = |measure: &dyn Fn(&Judged) -> f64| {
        // Not `sum`: that of nothing is -0.
        let sum = answerable.iter().map(|one| measure(one)).fold(0.0, |sum, one| sum + one);
        round(sum / f64::max(answerable.len() as f64, 1.0))
    };
    let silent = unanswerable.iter().filter(|one| one.ranked.is_empty()).count() as f64;
    let mut times: Vec<f64> = judged.iter().map(|one| one.milliseconds).collect();
    times.sort_by(f64::total_cmp);
    let time =
        |share: f64| times.get(((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1))).copied();
    Report {
        questions: judged.len(),
        recall_5: mean(&|one| recall(one, 5)),
        recall_10: mean(&|one| recall(one, 10)),
        recall_25: mean(&|one| recall(one, 25)),
        hit_5: mean(&|one| f64::from(found(one, 5) > 0)),
        hit_1: mean(&|one| f64::from(found(one, 1) > 0)),
        ndcg_10: mean(&ndcg),
        mrr: mean(&|one| first(one).map_or(0.0, |place| 1.0 / (place + 1) as f64)),
        nothing: (!unanswerable.is_empty()).then(|| round(silent / unanswerable.len() as f64)),
        sessions: None,
        ms_p50: round(time(0.5).unwrap_or_default()),
        ms_p95: round(time(0.95).unwrap_or_default()),
        by_category: BTreeMap::new(),
    }
}

fn of_sessions(judged: &[&Judged]) -> OfSessions {
    let mean = |measure: &dyn Fn(&Judged) -> f64| {
        let sum = judged.iter().map(|one| measure(one)).fold(0.0, |sum, one| sum + one);
        round(sum / f64::max(judged.len() as f64, 1.0))
    };
    let all = |one: &Judged, most| f64::from(found(one, most) as usize == one.gold.len());
    let gain = |one: &Judged, most: usize| {
        let discount = |place: usize| 1.0 / (place.max(1) as f64 + 1.0).log2();
        let places = one.ranked.iter().take(most).enumerate().filter(|(_, id)| one.gold.contains(id));
        let best: f64 = (0..one.gold.len().min(most)).map(discount).sum();
        places.map(|(at, _)| discount(at)).sum::<f64>() / best.max(f64::MIN_POSITIVE)
    };
    OfSessions {
        all_5: mean(&|one| all(one, 5)),
        all_10: mean(&|one| all(one, 10)),
        ndcg_5: mean(&|one| gain(one, 5)),
        ndcg_10: mean(&|one| gain(one, 10)),
    }
}

fn found(one: &Judged, most: usize) -> u32 {
    one.ranked.iter().take(most).filter(|path| one.gold.contains(path)).count() as u32
}

fn recall(one: &Judged, most: usize) -> f64 {
    f64::from(found(one, most)) / one.gold.len() as f64
}

fn first(one: &Judged) -> Option<usize> {
    one.ranked.iter().position(|path| one.gold.contains(path))
}

fn ndcg(one: &Judged) -> f64 {
    let discount = |place: usize| 1.0 / (place as f64 + 2.0).log2();
    let gain: f64 = one
        .ranked
        .iter()
        .take(10)
        .enumerate()
        .filter(|(_, path)| one.gold.contains(path))
        .map(|(at, _)| discount(at))
        .sum();
    let best: f64 = (0..one.gold.len().min(10)).map(discount).sum();
    gain / best.max(f64::MIN_POSITIVE)
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(gold: &[&str], ranked: &[&str]) -> Judged {
        let own = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        Judged { category: "c".to_owned(), gold: own(gold), ranked: own(ranked), milliseconds: 1.0 }
    }

    #[test]
    fn sessions_are_told_as_others_tell_them() {
        let report = Report::of_sessions(&[judged(&["a", "b"], &["b", "x", "a"]), judged(&["c"], &["x", "c"])]);
        let told = report.sessions.unwrap();
        assert_eq!((told.all_5, told.all_10, told.ndcg_5), (1.0, 1.0, 0.9077));
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["recallAll@5"], 1.0);
        assert_eq!(json["byCategory"]["c"]["ndcgAny@10"], 0.9077);
        assert!(serde_json::to_value(Report::of(&[])).unwrap().get("recallAll@5").is_none());
    }

    #[test]
    fn measures_are_what_their_names_say() {
        let report = Report::of(&[
            judged(&["a", "b"], &["x", "a"]),
            judged(&["c"], &["c"]),
            judged(&[], &[]),
            judged(&[], &["x"]),
        ]);
        assert_eq!((report.questions, report.recall_5, report.hit_5, report.hit_1), (4, 0.75, 1.0, 0.5));
        assert_eq!((report.mrr, report.nothing), (0.75, Some(0.5)));
        assert_eq!(report.ndcg_10, 0.6934);
        assert_eq!(report.by_category["c"].questions, 4);
        assert_eq!(Report::of(&[]).recall_5, 0.0);
    }
}
