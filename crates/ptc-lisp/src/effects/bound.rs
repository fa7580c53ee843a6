//! Upper bounds on calls: sums of products of counts of data.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The most products in a sum, and counts in a product, that are still readable.
const MOST: usize = 6;

/// An upper bound on how often something happens.
///
/// It prints as a sum of products of counts of the session's data: `3`, `≤ count(data/orders)`,
/// `≤ 2 × count(data/a) + 1`, `≤ count(data/report :rows)`, `unbounded`. The data is known, so each bound except
/// `unbounded` is also a number, [`CallBound::limit`]. A sum that would be long prints as that number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallBound {
    sum: Option<Sum>,
}

/// The terms, and their total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    /// The coefficient of each product; the empty product is 1.
    terms: BTreeMap<Vec<Count>, u64>,
    limit: u64,
}

/// The number of elements of a part of the data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    /// `data/orders`, or with the keys that lead to the part `data/report :rows`.
    part: Arc<str>,
    size: u64,
}

impl CallBound {
    /// Not bounded.
    pub(crate) const UNBOUNDED: CallBound = CallBound { sum: None };

    /// At most this many times.
    pub(crate) fn of(times: u64) -> CallBound {
        CallBound::from_terms([(Vec::new(), times)])
    }

    /// Once for each element of a part of the data, which has `size` elements.
    pub(crate) fn count(part: &Arc<str>, size: u64) -> CallBound {
        CallBound::from_terms([(vec![Count { part: part.clone(), size }], 1)])
    }

    /// The bound as a number; `None` when there is none.
    #[must_use]
    pub fn limit(&self) -> Option<u64> {
        self.sum.as_ref().map(|sum| sum.limit)
    }

    /// The bound, when it does not depend on data.
    pub(crate) fn constant(&self) -> Option<u64> {
        self.sum.as_ref().filter(|sum| sum.terms.keys().all(Vec::is_empty)).map(|sum| sum.limit)
    }

    /// Whether it never happens.
    pub(crate) fn is_never(&self) -> bool {
        self.sum.as_ref().is_some_and(|sum| sum.terms.is_empty())
    }

    /// The sum of both.
    pub(crate) fn plus(&self, other: &CallBound) -> CallBound {
        self.with(other, u64::checked_add)
    }

    /// A bound on either: for each product, the larger coefficient.
    pub(crate) fn or(&self, other: &CallBound) -> CallBound {
        self.with(other, |one, other| Some(one.max(other)))
    }

    fn with(&self, other: &CallBound, join: fn(u64, u64) -> Option<u64>) -> CallBound {
        let (Some(one), Some(other)) = (&self.sum, &other.sum) else { return CallBound::UNBOUNDED };
        let mut terms = one.terms.clone();
        for (product, times) in &other.terms {
            let known = terms.get(product).copied().unwrap_or(0);
            let Some(joined) = join(known, *times) else { return CallBound::UNBOUNDED };
            terms.insert(product.clone(), joined);
        }
        CallBound::from_terms(terms)
    }

    /// The product of both.
    pub(crate) fn times(&self, other: &CallBound) -> CallBound {
        if self.is_never() || other.is_never() {
            return CallBound::of(0);
        }
        let (Some(one), Some(other)) = (&self.sum, &other.sum) else { return CallBound::UNBOUNDED };
        let mut whole = CallBound::of(0);
        for (product, times) in &one.terms {
            for (factor, more) in &other.terms {
                let mut counts: Vec<Count> = product.iter().chain(factor).cloned().collect();
                counts.sort_unstable();
                let Some(times) = times.checked_mul(*more) else { return CallBound::UNBOUNDED };
                whole = whole.plus(&CallBound::from_terms([(counts, times)]));
            }
        }
        whole
    }

    /// The bound with the smaller number.
    pub(crate) fn least(self, other: CallBound) -> CallBound {
        match (self.limit(), other.limit()) {
            (Some(one), Some(another)) if another < one => other,
            (None, Some(_)) => other,
            _ => self,
        }
    }

    /// A sum too long to read becomes its number, or unbounded where the number overflows.
    fn from_terms(terms: impl IntoIterator<Item = (Vec<Count>, u64)>) -> CallBound {
        let mut terms: BTreeMap<_, _> = terms.into_iter().filter(|(_, times)| *times > 0).collect();
        let value = |(product, times): (&Vec<Count>, &u64)| {
            product.iter().try_fold(*times, |value, count| value.checked_mul(count.size))
        };
        let limit = terms.iter().map(value).try_fold(0_u64, |sum, value| sum.checked_add(value?));
        if terms.len() > MOST || terms.keys().any(|product| product.len() > MOST) {
            terms = limit.filter(|limit| *limit > 0).map(|limit| (Vec::new(), limit)).into_iter().collect();
        }
        CallBound { sum: limit.map(|limit| Sum { terms, limit }) }
    }
}

impl fmt::Display for CallBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Sum { terms, limit }) = &self.sum else { return f.write_str("unbounded") };
        if self.constant().is_some() {
            return write!(f, "{limit}");
        }
        // The constant comes last, as is usual.
        let (constants, counts): (Vec<_>, Vec<_>) = terms.iter().partition(|(product, _)| product.is_empty());
        for (at, (product, times)) in counts.into_iter().chain(constants).enumerate() {
            f.write_str(if at == 0 { "≤ " } else { " + " })?;
            let factors = product.iter().map(|count| format!("count({})", count.part));
            let times = (*times != 1 || product.is_empty()).then(|| times.to_string());
            f.write_str(&times.into_iter().chain(factors).collect::<Vec<_>>().join(" × "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;

    fn data(name: &str, size: u64) -> CallBound {
        CallBound::count(&format!("data/{name}").into(), size)
    }

    #[test]
    fn a_bound_prints_as_a_sum_of_products() {
        let (a, b) = (data("a", 2), data("b", 3));
        assert_snapshot!(CallBound::of(0), @"0");
        assert_snapshot!(CallBound::of(3), @"3");
        assert_snapshot!(a, @"≤ count(data/a)");
        assert_snapshot!(CallBound::of(2).times(&a).plus(&CallBound::of(1)), @"≤ 2 × count(data/a) + 1");
        assert_snapshot!(b.times(&a).plus(&b), @"≤ count(data/a) × count(data/b) + count(data/b)");
        assert_snapshot!(CallBound::UNBOUNDED, @"unbounded");
        assert_snapshot!(CallBound::of(u64::MAX).plus(&CallBound::of(1)), @"unbounded");
        assert_snapshot!(data("a", u64::MAX).times(&data("b", 2)), @"unbounded");
        assert_snapshot!(CallBound::UNBOUNDED.times(&CallBound::of(0)), @"0");
    }

    fn bound() -> impl Strategy<Value = CallBound> {
        let leaf = prop_oneof![
            8 => (0..5_u64).prop_map(CallBound::of),
            8 => (0..3_u8).prop_map(|at| data(["x", "y", "z"][usize::from(at)], u64::from(at) * 2)),
            1 => Just(CallBound::UNBOUNDED),
        ];
        leaf.prop_recursive(3, 12, 2, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| a.plus(&b)),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| a.times(&b)),
                (inner.clone(), inner).prop_map(|(a, b)| a.or(&b)),
            ]
        })
    }

    /// Whether the computed bound covers the number, where `None` is unbounded.
    fn covers(bound: &CallBound, number: Option<u64>) -> bool {
        bound.limit().is_none_or(|limit| number.is_some_and(|number| limit >= number))
    }

    proptest! {
        #[test]
        fn sums_and_products_cover_those_of_the_numbers(one in bound(), other in bound()) {
            let both = one.limit().zip(other.limit());
            prop_assert!(covers(&one.plus(&other), both.map(|(a, b)| a + b)));
            prop_assert!(covers(&one.or(&other), both.map(|(a, b)| a.max(b))));
            let product = match (one.limit(), other.limit()) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (a, b) => a.zip(b).map(|(a, b)| a * b),
            };
            prop_assert!(covers(&one.times(&other), product));
            prop_assert_eq!(one.plus(&other), other.plus(&one));
            prop_assert_eq!(one.or(&one), one);
        }
    }
}
