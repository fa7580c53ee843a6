use proptest::prelude::*;

use super::*;

/// Floats of every size, and those that people write.
fn any_float() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(-0.0),
        any::<f64>(),
        (any::<i32>(), 0..12).prop_map(|(n, shift)| f64::from(n) / 10_f64.powi(shift)),
        any::<i64>().prop_map(|n| n as f64)
    ]
}

/// The text of the standard library, in decimals.
fn by_the_book(x: f64) -> String {
    one_decimal(&x.to_string())
}

proptest! {
    #[test]
    fn hundredths_are_written_as_the_shortest_text(
        x in prop_oneof![any_float(), (any::<i64>(), 0..20_u32).prop_map(|(n, shift)| (n >> (3 * shift)) as f64 / 100.0)],
    ) {
        let mut fast = String::new();
        if write_hundredths(&mut fast, x) {
            prop_assert_eq!(fast, by_the_book(x));
        } else {
            prop_assert_eq!(fast, "");
            prop_assert!(x == 0.0 || x.is_nan() || x.abs() >= 1e12 || by_the_book(x).split_once('.').is_some_and(|(_, decimals)| decimals.len() > 2));
        }
    }

    #[test]
    fn the_fast_writer_agrees_with_the_standard_library(x in any_float()) {
        let mut fast = String::new();
        if write_decimal(&mut fast, x, usize::MAX) {
            prop_assert_eq!(&fast, &by_the_book(x));
            prop_assert_eq!(fast, rare_shortest(x));
        } else {
            prop_assert!(x.is_nan() || x.abs() < 1e-5 || x.abs() >= 1e16);
        }
    }

    #[test]
    fn the_shortest_text_reads_back(x in any::<f64>()) {
        let read = parse_tagged_float(&shortest_float(x)).unwrap();
        prop_assert!(read.to_bits() == x.to_bits() || (read.is_nan() && x.is_nan()));
    }

    #[test]
    fn printed_floats_are_near_and_look_like_floats(x in proptest::num::f64::NORMAL | proptest::num::f64::ZERO) {
        let text = print_float(x);
        prop_assert!(text.contains('.'));
        let read: f64 = text.parse().unwrap();
        prop_assert!((read - x).abs() <= x.abs() * 1e-9 + 1e-10);
    }
}
