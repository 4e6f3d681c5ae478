use super::*;
use crate::bench::bars::BARS;
use crate::bench::machine::Machine;
use std::collections::BTreeSet;

fn bar(must: Option<Limit>, aim: Option<Limit>) -> Bar {
    Bar { what: "speed", figure: "speed, p50", documents: Some(1_000), must, aim }
}

#[test]
fn a_number_is_held_to_both_limits() {
    use Limit::{AtLeast, AtMost};
    let check = |must, aim, value, expected| assert_eq!(verdict(&bar(must, aim), value), expected, "{value:?}");
    let (must, aim) = (Some(AtMost(3.0)), Some(AtMost(2.0)));
    check(must, aim, Some(2.0), Verdict::Aim);
    check(must, aim, Some(3.0), Verdict::Met);
    check(must, aim, Some(3.1), Verdict::Missed);
    check(must, aim, Some(f64::NAN), Verdict::Missed);
    check(must, aim, None, Verdict::Unmeasured);
    check(Some(AtLeast(99.0)), None, Some(98.9), Verdict::Missed);
    check(Some(AtMost(0.0)), None, Some(0.0), Verdict::Met);
    // What is only aimed at is never missed.
    check(None, Some(AtLeast(300.0)), Some(10.0), Verdict::Short);
    check(None, Some(AtLeast(300.0)), Some(301.0), Verdict::Aim);
}

#[test]
fn the_table_says_what_is_missed() {
    let mut figures = Figures::new(Machine::default());
    figures.set("speed, p50", Some(1_000), 3.5, "ms");
    let bars = [
        bar(Some(Limit::AtMost(3.0)), Some(Limit::AtMost(2.0))),
        Bar { figure: "another", ..bar(Some(Limit::AtMost(0.0)), None) },
    ];
    let judged = judge(&bars, &figures);
    let expected = "| what | N | Loci | must | aim | verdict |\n|---|---:|---:|---:|---:|---|\n\
        | speed | 1,000 | 3.500 ms | ≤ 3 ms | ≤ 2 ms | **missed** |\n\
        | speed | 1,000 | – | 0 |  | not measured |\n";
    assert_eq!(table(&judged), expected);
}

#[test]
fn bars_are_sound() {
    let mut seen = BTreeSet::new();
    for bar in BARS {
        assert!(seen.insert((bar.figure, bar.documents)), "{} is there twice", bar.figure);
        let (Some(must), Some(aim)) = (bar.must, bar.aim) else {
            assert!(bar.must.or(bar.aim).is_some(), "{} holds nothing", bar.what);
            continue;
        };
        assert!(must.holds(aim.number()), "{}: the aim is below what must be", bar.what);
    }
}
