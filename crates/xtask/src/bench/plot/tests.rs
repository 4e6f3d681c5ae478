use super::*;

fn judged(value: f64, unit: &'static str, must: Limit, aim: Option<Limit>, verdict: Verdict) -> Judged {
    Judged { what: "`it`", documents: Some(1_000), value: Some(value), unit, must: Some(must), aim, verdict }
}

#[test]
fn costs_and_rates_are_shares_of_what_is_allowed() {
    let cost = judged(5.0, "ms", Limit::AtMost(10.0), Some(Limit::AtMost(2.5)), Verdict::Met);
    let rate = judged(1_000.0, "/s", Limit::AtLeast(500.0), Some(Limit::AtLeast(2_000.0)), Verdict::Met);
    let share = |one| scaled(one).map(|(_, share, aim)| (share, aim));
    assert_eq!(share(&cost), Some((0.5, Some(0.25))));
    assert_eq!(share(&rate), Some((0.5, Some(0.25))));
    let count = judged(0.0, "", Limit::AtMost(0.0), None, Verdict::Met);
    let percent = judged(100.0, "%", Limit::AtLeast(99.0), None, Verdict::Met);
    assert_eq!(share(&count), None);
    assert_eq!(share(&percent), None);
    let drawn = bars(&[cost, count]);
    assert!(drawn.contains(">it, N = 1,000</text>") && drawn.contains(">50 %</text>"), "{drawn}");
    assert_eq!(drawn.matches(r#"class="fair""#).count(), 1, "{drawn}");
}

#[test]
fn a_bar_never_leaves_the_picture() {
    let far = judged(900.0, "ms", Limit::AtMost(10.0), None, Verdict::Missed);
    let drawn = bars(&[far]);
    assert!(drawn.contains(&format!(r#"class="bad" x="{LABEL:.1}" y="34.0" width="{ROOM:.1}""#)), "{drawn}");
}

#[test]
fn the_smallest_can_be_seen_and_nothing_is_nothing() {
    let all = [Some(1.0), Some(10.0), Some(100.0)];
    let close = |scale, value, all: &[Option<f64>], expected: f64| {
        assert!((length(scale, value, all) - expected).abs() < 1e-9, "{value}");
    };
    close(Scale::Tenfold, 1.0, &all, 0.1);
    close(Scale::Tenfold, 10.0, &all, 0.55);
    close(Scale::Tenfold, 100.0, &all, 1.0);
    close(Scale::Even, 0.0, &[Some(0.0), Some(0.0)], 0.0);
    close(Scale::Even, 5.0, &[Some(5.0), Some(10.0), None], 0.5);
    close(Scale::Tenfold, 3.0, &[Some(3.0)], 1.0);
}
