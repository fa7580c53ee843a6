use proptest::prelude::*;

use super::*;

/// One run for each case.
fn once(passed: usize, all: usize) -> Vec<Passed> {
    (0..all).map(|case| Passed { passed: usize::from(case < passed), runs: 1 }).collect()
}

fn shown(estimate: Option<Estimate>) -> String {
    let Some(Estimate { value, interval }) = estimate else { return "none".to_owned() };
    let interval =
        interval.map_or("none".to_owned(), |interval| format!("{:.4} to {:.4}", interval.low, interval.high));
    format!("{value:.4}: {interval}")
}

#[test]
fn rates_have_the_intervals_of_wilson() {
    assert_eq!(shown(rate(&once(8, 10))), "0.8000: 0.4902 to 0.9433");
    assert_eq!(shown(rate(&once(0, 10))), "0.0000: 0.0000 to 0.2775");
    assert_eq!(shown(rate(&once(10, 10))), "1.0000: 0.7225 to 1.0000");
    assert_eq!(shown(rate(&once(1, 1))), "1.0000: 0.2065 to 1.0000");
    assert_eq!(shown(rate(&[])), "none");
}

#[test]
fn runs_of_one_case_are_not_so_many_cases() {
    let alike: Vec<Passed> = (0..10).map(|case| Passed { passed: if case < 8 { 5 } else { 0 }, runs: 5 }).collect();
    assert_eq!(shown(rate(&alike)), shown(rate(&once(8, 10))), "five equal runs say no more than one");
    let mixed: Vec<Passed> = (0..10).map(|_| Passed { passed: 4, runs: 5 }).collect();
    assert_eq!(shown(rate(&mixed)), "0.8000: 0.4902 to 0.9433", "all cases alike: the cases count");
    let various: Vec<Passed> =
        [5, 4, 3, 5, 4, 4, 3, 5, 2, 5].iter().map(|passed| Passed { passed: *passed, runs: 5 }).collect();
    let interval = rate(&various).unwrap().interval.unwrap();
    assert!(interval.low > 0.6 && interval.high < 0.92, "{interval:?}");
}

#[test]
fn means_have_intervals_by_student() {
    assert_eq!(shown(mean(&[1.0, 2.0, 3.0, 4.0, 5.0])), "3.0000: 1.0368 to 4.9632");
    assert_eq!(shown(mean(&[4.0])), "4.0000: none", "too few");
    assert_eq!(shown(mean(&[])), "none");
    let (close, table) = (t(11), [(11, 2.200_985), (15, 2.131_450), (30, 2.042_272), (200, 1.971_896)]);
    assert!(close < T[9]);
    for (degrees, known) in table {
        assert!((t(degrees) - known).abs() < 1e-5, "{degrees}: {}", t(degrees));
    }
}

#[test]
fn a_ratio_is_that_of_the_sums() {
    assert_eq!(shown(ratio(&[(2.0, 1.0), (4.0, 2.0)])), "2.0000: 2.0000 to 2.0000");
    assert_eq!(shown(ratio(&[(2.0, 0.0)])), "none");
    let estimate = ratio(&[(1.0, 1.0), (3.0, 1.0), (2.0, 0.0)]).unwrap();
    assert!(estimate.value == 3.0 && estimate.interval.unwrap().low == 0.0, "{estimate:?}");
}

/// Cases in which both passed, only the first, only the second, none.
fn table(both: usize, first: usize, second: usize, none: usize) -> Vec<(Passed, Passed)> {
    let case = |one: usize, other: usize| (Passed { passed: one, runs: 1 }, Passed { passed: other, runs: 1 });
    let all = [(both, case(1, 1)), (first, case(1, 0)), (second, case(0, 1)), (none, case(0, 0))];
    all.into_iter().flat_map(|(times, case)| std::iter::repeat_n(case, times)).collect()
}

#[test]
fn differences_respect_pairs() {
    // Checked against the formula of the paired score method without continuity correction, computed elsewhere.
    assert_eq!(shown(difference(&table(20, 12, 2, 16))), "0.2000: 0.0618 to 0.3242");
    assert_eq!(shown(difference(&table(10, 0, 0, 0))), "0.0000: -0.2775 to 0.2775");
    assert_eq!(shown(difference(&table(0, 5, 5, 0))), "0.0000: -0.5268 to 0.5268");
}

proptest! {
    #[test]
    fn an_interval_of_a_rate_has_the_rate_and_narrows((passed, all) in (1..40_usize).prop_flat_map(|all| (0..=all, Just(all)))) {
        let few = rate(&once(passed, all)).unwrap();
        let many = rate(&[once(passed, all), once(passed, all)].concat()).unwrap();
        let (one, other) = (few.interval.unwrap(), many.interval.unwrap());
        prop_assert!(0.0 <= one.low && one.low <= few.value && few.value <= one.high && one.high <= 1.0);
        prop_assert!(other.high - other.low < one.high - one.low);
    }

    #[test]
    fn intervals_of_runs_are_rates(cases in prop::collection::vec((0..5_usize, 1..5_usize), 1..20)) {
        let cases: Vec<Passed> = cases.iter().map(|(passed, runs)| Passed { passed: (*passed).min(*runs), runs: *runs }).collect();
        let Estimate { value, interval } = rate(&cases).unwrap();
        let interval = interval.unwrap();
        prop_assert!(0.0 <= interval.low && interval.low <= value && value <= interval.high && interval.high <= 1.0);
    }

    #[test]
    fn a_difference_is_in_its_interval_and_turns_its_sign(counts in [0..9_usize, 0..9, 0..9, 0..9]) {
        let [both, first, second, none] = counts;
        let Some(there) = difference(&table(both, first, second, none)) else { return Ok(()) };
        let back = difference(&table(both, second, first, none)).unwrap();
        let (interval, other) = (there.interval.unwrap(), back.interval.unwrap());
        prop_assert!(-1.0 <= interval.low && interval.low <= there.value + 1e-12 && there.value <= interval.high + 1e-12 && interval.high <= 1.0);
        prop_assert!((interval.low + other.high).abs() < 1e-9 && (there.value + back.value).abs() < 1e-12);
    }
}

#[test]
fn chance_makes_ways_differ() {
    // Binomial tails by hand: 2 * (1 + 10) / 1024, 2 / 32.
    assert!((sign_test(1, 9) - 22.0 / 1024.0).abs() < 1e-12);
    assert_eq!(sign_test(9, 1), sign_test(1, 9));
    assert!((sign_test(0, 5) - 0.0625).abs() < 1e-12);
    assert_eq!(sign_test(0, 0), 1.0);
    assert!((sign_test(3, 3) - 1.0).abs() < 1e-12, "never above 1");
    // Far below the smallest number: still a probability.
    assert!(sign_test(0, 5000) == 0.0 && sign_test(2400, 2600) > 0.004);
    assert_eq!(holm(&[0.25, 0.5, 0.375]), [0.75, 0.75, 0.75]);
    assert_eq!(holm(&[0.0625, 0.5, 0.25]), [0.1875, 0.5, 0.5]);
    assert_eq!(holm(&[0.5, 0.9]), [1.0, 1.0]);
    let of = |passed| Passed { passed, runs: 2 };
    assert_eq!(differing(&[(of(2), of(1)), (of(0), of(2)), (of(1), of(1)), (of(2), of(0))]), (2, 1));
}
