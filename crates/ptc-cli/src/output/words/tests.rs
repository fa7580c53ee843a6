use super::*;

#[test]
fn durations_are_short() {
    let all = [0.31, 8.0, 80.7, 999.0, 1_250.0, 59_990.0, 125_000.0]
        .map(|ms| duration(Duration::from_secs_f64(ms / 1_000.0)));
    assert_eq!(all, ["0.3 ms", "8.0 ms", "80 ms", "999 ms", "1.2 s", "59.9 s", "2 min 5 s"]);
}
