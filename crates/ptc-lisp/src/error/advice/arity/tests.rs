//! How counts are worded, and that they accept what the arities do.

use proptest::prelude::*;

use super::Counts;

#[test]
fn counts_are_worded_once_each() {
    let worded = |lists: &[&str]| Counts::of_texts(lists).to_string();
    insta::assert_snapshot!(
        [
            worded(&["[]"]),
            worded(&["[x]"]),
            worded(&["[x]", "[x & ys]"]),
            worded(&["[f]", "[f a]", "[f a b & more]"]),
            worded(&["[n coll]", "[n step pad coll]"]),
            worded(&["[]", "[a b]", "[a b c & more]"]),
            worded(&["[[k v] {:keys [a]} & rest]"]),
        ]
        .join("\n"),
        @r"
    0 arguments
    1 argument
    1 or more arguments
    1 or more arguments
    2 or 4 arguments
    0, 2 or 3 or more arguments
    2 or more arguments
    "
    );
}

proptest! {
    #[test]
    fn a_count_is_accepted_when_an_arity_takes_it(arities in prop::collection::vec((0..6_usize, any::<bool>()), 1..5)) {
        let counts = Counts::new(arities.clone());
        for count in 0..8 {
            let takes = arities.iter().any(|(fixed, more)| count == *fixed || *more && count > *fixed);
            prop_assert_eq!(counts.accepts(count), takes, "{} of {:?}", count, arities);
        }
    }
}
