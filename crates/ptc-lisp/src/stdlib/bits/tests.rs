//! Bits compared with the two's complement of `num-bigint` and the words of the processor.

use insta::assert_snapshot;
use num_bigint::BigInt;
use proptest::prelude::*;

use crate::stdlib::show::tests::{call, check};
use crate::value::Value;

/// Integers around the places where representations change.
fn integers() -> BoxedStrategy<i128> {
    let near = |at: u32| {
        (-3_i128..4).prop_flat_map(move |by| prop_oneof![Just((1_i128 << at) + by), Just(-(1_i128 << at) + by)])
    };
    prop_oneof![
        any::<i64>().prop_map(i128::from),
        any::<i128>().prop_map(|n| n >> 1),
        -9_i128..10,
        near(31),
        near(32),
        near(62),
        near(63),
        near(64)
    ]
    .boxed()
}

fn value(n: i128) -> Value {
    Value::integer(BigInt::from(n))
}

fn number(result: Result<Value, String>) -> i128 {
    match result {
        Ok(Value::Int(n)) => i128::from(n),
        Ok(Value::Big(n)) => i128::try_from(&*n).unwrap(),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn bits_of_any_size(x in integers(), y in integers(), z in integers()) {
        let (a, b, c) = (value(x), value(y), value(z));
        prop_assert_eq!(number(call("bit-and", &[a.clone(), b.clone(), c.clone()])), x & y & z);
        prop_assert_eq!(number(call("bit-or", &[a.clone(), b.clone(), c.clone()])), x | y | z);
        prop_assert_eq!(number(call("bit-xor", &[a.clone(), b.clone(), c.clone()])), x ^ y ^ z);
        prop_assert_eq!(number(call("bit-and-not", &[a.clone(), b, c])), x & !y & !z);
        prop_assert_eq!(number(call("bit-not", &[a])), !x);
    }

    #[test]
    fn one_bit(x in integers(), n in 0_i64..126) {
        let args = [value(x), Value::Int(n)];
        prop_assert_eq!(number(call("bit-set", &args)), x | 1 << n);
        prop_assert_eq!(number(call("bit-clear", &args)), x & !(1 << n));
        prop_assert_eq!(number(call("bit-flip", &args)), x ^ 1 << n);
        prop_assert!(matches!(call("bit-test", &args), Ok(Value::Bool(set)) if set == (x >> n & 1 == 1)));
    }

    #[test]
    fn shifts_of_words(x in any::<i64>(), n in 0_u32..64) {
        let args = |x: i128| [value(x), Value::Int(i64::from(n))];
        prop_assert_eq!(number(call("bit-shift-left", &args(x.into()))), i128::from(x << n));
        prop_assert_eq!(number(call("bit-shift-right", &args(x.into()))), i128::from(x >> n));
        prop_assert_eq!(number(call("unsigned-bit-shift-right", &args(x.into()))), i128::from(((x as u64) >> n) as i64));
        // Unsigned from 2^63 on.
        let word = x as u64 | 1 << 63;
        prop_assert_eq!(number(call("bit-shift-left", &args(word.into()))), i128::from(word << n));
        for right in ["bit-shift-right", "unsigned-bit-shift-right"] {
            prop_assert_eq!(number(call(right, &args(word.into()))), i128::from(word >> n));
        }
    }

    #[test]
    fn arithmetic_that_wraps(x in integers(), y in integers()) {
        let (a, b) = (value(x), value(y));
        let (long, other) = (x as i64, y as i64);
        prop_assert_eq!(number(call("unchecked-add", &[a.clone(), b.clone()])), i128::from(long.wrapping_add(other)));
        prop_assert_eq!(number(call("unchecked-subtract", &[a.clone(), b.clone()])), i128::from(long.wrapping_sub(other)));
        prop_assert_eq!(number(call("unchecked-multiply", &[a.clone(), b.clone()])), i128::from(long.wrapping_mul(other)));
        prop_assert_eq!(number(call("unchecked-inc", std::slice::from_ref(&a))), i128::from(long.wrapping_add(1)));
        prop_assert_eq!(number(call("unchecked-dec", std::slice::from_ref(&a))), i128::from(long.wrapping_sub(1)));
        prop_assert_eq!(number(call("unchecked-negate", std::slice::from_ref(&a))), i128::from(long.wrapping_neg()));
        let (int, other) = (x as i32, y as i32);
        prop_assert_eq!(number(call("unchecked-add-int", &[a.clone(), b.clone()])), i128::from(int.wrapping_add(other)));
        prop_assert_eq!(number(call("unchecked-subtract-int", &[a.clone(), b.clone()])), i128::from(int.wrapping_sub(other)));
        prop_assert_eq!(number(call("unchecked-multiply-int", &[a.clone(), b])), i128::from(int.wrapping_mul(other)));
        prop_assert_eq!(number(call("unchecked-int", &[a])), i128::from(int));
    }

    #[test]
    fn words(x in prop_oneof![any::<i64>(), (0_u32..64).prop_map(|n| 1 << n), Just(0)], n in any::<i64>()) {
        let turn = |width: i64| n.rem_euclid(width) as u32;
        let long = |name: &str, rest: &[Value]| number(call(name, &[&[Value::Int(x)], rest].concat()));
        prop_assert_eq!(long("Long/bitCount", &[]), i128::from(x.count_ones()));
        prop_assert_eq!(long("Long/numberOfTrailingZeros", &[]), i128::from(x.trailing_zeros()));
        prop_assert_eq!(long("Long/numberOfLeadingZeros", &[]), i128::from(x.leading_zeros()));
        prop_assert_eq!(long("Long/reverse", &[]), i128::from(x.reverse_bits()));
        prop_assert_eq!(long("Long/rotateLeft", &[Value::Int(n)]), i128::from(x.rotate_left(turn(64))));
        prop_assert_eq!(long("Long/rotateRight", &[Value::Int(n)]), i128::from(x.rotate_right(turn(64))));
        let highest = if x == 0 { 0 } else { 1_i64 << (63 - x.leading_zeros()) };
        prop_assert_eq!(long("Long/highestOneBit", &[]), i128::from(highest));
        prop_assert_eq!(long("Long/lowestOneBit", &[]), i128::from(x & x.wrapping_neg()));

        let x = x as i32;
        let int = |name: &str, rest: &[Value]| number(call(name, &[&[Value::Int(x.into())], rest].concat()));
        prop_assert_eq!(int("Integer/bitCount", &[]), i128::from(x.count_ones()));
        prop_assert_eq!(int("Integer/numberOfTrailingZeros", &[]), i128::from(x.trailing_zeros()));
        prop_assert_eq!(int("Integer/numberOfLeadingZeros", &[]), i128::from(x.leading_zeros()));
        prop_assert_eq!(int("Integer/reverse", &[]), i128::from(x.reverse_bits()));
        prop_assert_eq!(int("Integer/rotateLeft", &[Value::Int(n)]), i128::from(x.rotate_left(turn(32))));
        prop_assert_eq!(int("Integer/rotateRight", &[Value::Int(n)]), i128::from(x.rotate_right(turn(32))));
        let highest = if x == 0 { 0 } else { 1_i32 << (31 - x.leading_zeros()) };
        prop_assert_eq!(int("Integer/highestOneBit", &[]), i128::from(highest));
        prop_assert_eq!(int("Integer/lowestOneBit", &[]), i128::from(x & x.wrapping_neg()));
    }
}

#[test]
fn masks_are_integers_of_any_size() {
    assert_snapshot!(check("[(bit-and 18446744073709551615 255) (bit-xor 0xcbf29ce484222325 97) (bit-and -1 0xffffffffffffffff)]"), @"[255 14695981039346656068 18446744073709551615]");
    assert_snapshot!(check("[(bit-set 0 63) (bit-clear -1 63) (bit-test -1 1000) (bit-test 5 64) (bit-flip (bit-flip 7 200) 200)]"), @"[9223372036854775808 -9223372036854775809 true false 7]");
    assert_snapshot!(check("(bit-set 0 9223372036854775807)"), @"! argument_error bit-set: the bit number must be below 536870912, the bits that a program may hold, got 9223372036854775807");
    assert_snapshot!(check("(bit-and 0xffffffffffffffff nil)"), @"! type_error bit-and: expected integers, got nil");
}

#[test]
fn shifts_have_64_bits() {
    assert_snapshot!(check("(bit-shift-left 18446744073709551616 1)"), @"! argument_error bit-shift-left: shifts work on 64 bits, got a larger integer; (bit-and x 0xffffffffffffffff) keeps the lowest 64, (* x (bit-set 0 n)) and (quot x (bit-set 0 n)) shift one of any size");
    assert_snapshot!(check("(bit-shift-right -9223372036854775809 1)"), @"! argument_error bit-shift-right: shifts work on 64 bits, got a larger integer; (bit-and x 0xffffffffffffffff) keeps the lowest 64, (* x (bit-set 0 n)) and (quot x (bit-set 0 n)) shift one of any size");
    assert_snapshot!(check("(bit-shift-left nil 1)"), @"! type_error bit-shift-left: expected integers, got nil");
    assert_snapshot!(check("[(bit-shift-left 0x8000000000000001 1) (bit-shift-right 0xffffffffffffffff 63) (unsigned-bit-shift-right -1 63)]"), @"[2 1 1]");
}

#[test]
fn words_of_another_size() {
    assert_snapshot!(check("[(Long/bitCount 0xffffffffffffffff) (Long/rotateLeft 0x8000000000000000 1) (Integer/rotateLeft 0x80000000 1) (Long/toHexString 0xcbf29ce484222325)]"), @r#"[64 1 1 "cbf29ce484222325"]"#);
    assert_snapshot!(check("(Integer/bitCount 4294967296)"), @"! argument_error Integer/bitCount: 4294967296 is beyond 32 bits; write (Long/bitCount n) or (bit-and n 0xffffffff)");
    assert_snapshot!(check("(Long/bitCount 18446744073709551616)"), @"! type_error Long/bitCount: expected an integer, got 18446744073709551616, which is beyond 64 bits");
    assert_snapshot!(check("(Long/bitCount 1.5)"), @"! type_error Long/bitCount: expected an integer, got the float 1.5; (int x), (round x) or quot gives an integer");
    assert_snapshot!(check("[(unchecked-add 1.5 2) (unchecked-long 2.9) (unchecked-int -2.9)]"), @"[3.5 2 -2]");
    assert_snapshot!(check("(unchecked-add nil 2)"), @"! type_error unchecked-add: expected integers, got nil");
}

/// Published check values: FNV-1a of "a" and "foobar", CRC-32 of "123456789", the first outputs of xorshift64.
#[test]
fn hashes_and_generators_are_written_as_elsewhere() {
    assert_snapshot!(check(r#"(defn fnv [s] (reduce (fn [h c] (bit-and (* (bit-xor h (int c)) 0x100000001b3) 0xffffffffffffffff)) 0xcbf29ce484222325 s)) (map #(format "%x" (fnv %)) ["a" "foobar"])"#), @r#"["af63dc4c8601ec8c" "85944171f73967e8"]"#);
    assert_snapshot!(check(r#"(defn fnv [s] (reduce (fn [h c] (unchecked-multiply (bit-xor h (int c)) 1099511628211)) -3750763034362895579 s)) (map #(Long/toHexString (fnv %)) ["a" "foobar"])"#), @r#"["af63dc4c8601ec8c" "85944171f73967e8"]"#);
    assert_snapshot!(check(r#"(defn crc [s] (bit-xor 0xffffffff (reduce (fn [c b] (nth (iterate #(if (odd? %) (bit-xor 0xedb88320 (bit-shift-right % 1)) (bit-shift-right % 1)) (bit-xor c (int b))) 8)) 0xffffffff s))) (format "%08x" (crc "123456789"))"#), @r#""cbf43926""#);
    let masked = check(
        "(def mask 0xffffffffffffffff) (defn step [x] (let [x (bit-xor x (bit-and mask (bit-shift-left x 13))) x (bit-xor x (bit-shift-right x 7))] (bit-xor x (bit-and mask (bit-shift-left x 17))))) (map #(unchecked-long %) (take 100 (rest (iterate step 88172645463325252))))",
    );
    let signed = check(
        "(defn step [x] (let [x (bit-xor x (bit-shift-left x 13)) x (bit-xor x (unsigned-bit-shift-right x 7))] (bit-xor x (bit-shift-left x 17)))) (take 100 (rest (iterate step 88172645463325252)))",
    );
    assert_eq!(masked, signed);
    assert!(masked.starts_with("[8748534153485358512 3040900993826735515 3453997556048239312"), "{masked}");
}
