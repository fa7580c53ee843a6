use super::*;
use proptest::prelude::*;

fn ms(text: &str) -> Option<u128> {
    parse_duration(text).ok().map(|duration| duration.as_millis())
}

#[test]
fn durations() {
    assert_eq!(ms("5s"), Some(5_000));
    assert_eq!(ms("1.5 s"), Some(1_500));
    assert_eq!(ms("200ms"), Some(200));
    assert_eq!(ms("250"), Some(250));
    assert_eq!(ms("2m"), Some(120_000));
    assert_eq!(ms("1h"), Some(3_600_000));
    assert_eq!(ms("-5s"), None);
    assert_eq!(ms("s"), None);
    assert_eq!(ms("5 parsecs"), None);
    assert_eq!(ms("1.2.3s"), None);
    assert_eq!(ms(""), None);
}

#[test]
fn sizes() {
    assert_eq!(parse_bytes("64MB"), Ok(64 << 20));
    assert_eq!(parse_bytes("64 MiB"), Ok(64 << 20));
    assert_eq!(parse_bytes("512kb"), Ok(512 << 10));
    assert_eq!(parse_bytes("0.5GB"), Ok(512 << 20));
    assert_eq!(parse_bytes("10_000"), Ok(10_000));
}

#[test]
fn errors_say_what_to_write() {
    insta::assert_snapshot!(parse_bytes("lots").unwrap_err(), @"`lots` is not a size; write `64MB`, `512KB` or a number of bytes");
    insta::assert_snapshot!(parse_duration("soon").unwrap_err(), @"`soon` is not a duration; write `5s`, `200ms`, `2m` or a number of milliseconds");
    insta::assert_snapshot!(parse_bytes("99999999999GB").unwrap_err(), @"`99999999999GB` is too large");
}

proptest! {
    #[test]
    fn plain_numbers_mean_themselves(n: u64) {
        prop_assert_eq!(parse_bytes(&n.to_string()), Ok(n));
    }

    #[test]
    fn no_text_breaks_it(text: String) {
        let _ = parse_bytes(&text);
        let _ = parse_duration(&text);
    }
}
