//! Parts of vectors.

use super::*;

fn numbers(range: std::ops::Range<i64>) -> Vector {
    range.map(Value::Int).collect()
}

/// The numbers; nil is `None`.
fn shown(vector: &Vector) -> Vec<Option<i64>> {
    vector.iter().map(|item| if let Value::Int(n) = item { Some(*n) } else { None }).collect()
}

fn announced(work: impl FnOnce(&mut Meter)) -> u64 {
    let mut meter = Meter::host();
    work(&mut meter);
    meter.charged
}

#[test]
fn the_rest_of_a_shared_vector_copies_no_elements() {
    let whole = numbers(0..10_000);
    let mut rest = whole.clone();
    let bytes = announced(|meter| {
        for _ in 0..7_000 {
            // With another holder, no step is in place.
            let mut next = rest.clone();
            next.keep(1, usize::MAX, meter).unwrap();
            rest = next;
        }
    });
    assert!(bytes <= 7_000 * 100, "{bytes}");
    assert!(shown(&rest) == shown(&numbers(7_000..10_000)));
    assert!(rest.whole().is_some_and(|of| of.address() == whole.address()));
}

#[test]
fn the_elements_of_a_vector_that_others_hold_are_copied_out_of_it() {
    let inner = Value::Vector(numbers(0..2));
    let whole: Vector = [Value::Int(7), inner, Value::Int(9)].into_iter().collect();
    let held = || if let Some(Value::Vector(inner)) = whole.get(1) { inner.clone() } else { unreachable!() };
    for others in [vec![], vec![whole.clone()]] {
        let mut vector = whole.clone();
        if others.is_empty() {
            vector = vector.to_vec().into();
        }
        vector.keep(1, usize::MAX, &mut Meter::host()).unwrap();
        let mut places = [Value::Int(1), Value::Int(2), Value::Int(3)];
        vector.take_apart(&mut places);
        assert!(matches!(&places[0], Value::Vector(items) if items.address() == held().address()));
        assert!(matches!(places[1..], [Value::Int(9), Value::Nil]));
        assert_eq!(shown(&whole), [Some(7), None, Some(9)]);
    }
}

#[test]
fn a_part_keeps_no_more_than_four_times_its_elements_alive() {
    let mut meter = Meter::host();
    let whole = numbers(0..1_000);
    for count in 1..1_000 {
        let mut part = whole.clone();
        part.keep(3, 3 + count, &mut meter).unwrap();
        assert!(shown(&part) == shown(&numbers(3..(3 + count as i64).min(1_000))), "{count}");
        assert!(part.whole().is_none_or(|of| of.len() <= 4 * count), "{count}");
    }
}

#[test]
fn a_part_that_is_written_to_leaves_the_whole_as_it_is() {
    let mut meter = Meter::host();
    for length in [40, 4_000] {
        let whole = numbers(0..length);
        let mut part = whole.clone();
        part.keep(1, usize::MAX, &mut meter).unwrap();
        part.push(Value::Nil, &mut meter).unwrap();
        *part.get_mut(0, &mut meter).unwrap().unwrap() = Value::Nil;
        part.push_front(Value::Int(-1), &mut meter).unwrap();
        assert!(shown(&whole) == shown(&numbers(0..length)));
        assert_eq!(part.len() as i64, length + 1);
        assert_eq!(shown(&part)[..3], [Some(-1), None, Some(2)]);
    }
}

#[test]
fn what_only_a_part_holds_counts_once() {
    let mut meter = Meter::host();
    let mut part = numbers(0..1_000);
    let other = part.clone();
    part.keep(1, usize::MAX, &mut meter).unwrap();
    drop(other);
    let mut count = crate::value::LiveCount::new();
    let parts = [Value::Vector(part.clone()), Value::Vector(part)];
    parts.iter().for_each(|part| count.add(part));
    assert!((16_000..18_000).contains(&count.bytes()), "{}", count.bytes());
}
