use num_bigint::{BigInt, BigUint, Sign};
use proptest::prelude::*;

use super::{parsed, product, quotient, text};
use crate::limits::meter::Meter;

/// Integers of up to 8,000 limbs: some of random limbs, some of equal ones, some next to a power of two.
fn long() -> impl Strategy<Value = BigInt> {
    (any::<bool>(), prop::collection::vec(any::<u32>(), 1..5), 1..2_500_usize, 0..3_u32, -1..2_i32).prop_map(
        |(minus, unit, times, kind, near)| {
            let mut n = match kind {
                0 => BigUint::new(unit.iter().copied().cycle().take(unit.len() * times).collect()),
                1 => BigUint::new(vec![u32::MAX; 4 * times]),
                _ => BigUint::from(unit[0]) << (128 * times),
            };
            if near > 0 {
                n += 1_u32;
            } else if near < 0 && n > BigUint::from(1_u32) {
                n -= 1_u32;
            }
            BigInt::from_biguint(if minus { Sign::Minus } else { Sign::Plus }, n)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn steps_give_what_the_library_gives(x in long(), y in long()) {
        let mut meter = Meter::host();
        prop_assert!(product(&x, &y, &mut meter).unwrap() == &x * &y);
        if y != BigInt::ZERO {
            prop_assert!(quotient(&x, &y, &mut meter).unwrap() == (&x / &y, &x % &y));
        }
    }

    #[test]
    fn digits_are_written_and_read_in_parts(x in long()) {
        let mut meter = Meter::host();
        let digits = text(&x, &mut meter).unwrap();
        prop_assert!(digits == x.to_string());
        let read = parsed(digits.trim_start_matches('-').as_bytes(), &mut meter).unwrap();
        prop_assert!(read.as_ref() == Some(x.magnitude()));
    }
}

#[test]
fn zeros_inside_are_written() {
    let n = BigInt::from(10).pow(100_000);
    assert_eq!(text(&n, &mut Meter::host()).unwrap(), n.to_string());
    assert_eq!(text(&(n - 1), &mut Meter::host()).unwrap(), "9".repeat(100_000));
}
