use super::*;

#[test]
fn the_median_is_in_the_middle() {
    assert_eq!(median(&[]), 0.0);
    assert_eq!(median(&[3.0]), 3.0);
    assert_eq!(median(&[1.0, 2.0]), 1.5);
    assert_eq!(median(&[1.0, 2.0, 9.0]), 2.0);
}

#[test]
fn runs_end_by_number_or_time() {
    assert!(wants_more(Some(3), 2, Duration::from_secs(60)) && !wants_more(Some(3), 3, Duration::ZERO));
    assert!(wants_more(None, 4, Duration::from_secs(60)) && !wants_more(None, 5, BUDGET));
    assert!(wants_more(None, 999, Duration::ZERO) && !wants_more(None, 1_000, Duration::ZERO));
}
