use insta::assert_snapshot;

use super::*;

fn check(signature: &str, descriptions: &[(&str, &str)]) -> String {
    let descriptions = descriptions.iter().map(|(field, text)| ((*field).to_owned(), (*text).to_owned())).collect();
    expected_output(&Signature::parse(signature).unwrap(), &descriptions)
}

#[test]
fn without_descriptions() {
    assert_snapshot!(check("(limit :int) -> {kept :int}", &[]), @r"
    # Expected Output

    The answer must have the type `{kept :int}`.

    Finish with `(return {:kept 42})`.
    ");
}

#[test]
fn only_described_fields_are_listed_in_their_order() {
    let text = check("{total :float, rooms [:int]}", &[("unknown", "x"), ("total", "Price of\nthe whole stay")]);
    assert_snapshot!(text, @r"
    # Expected Output

    The answer must have the type `{total :float, rooms [:int]}`.

    Fields:
      - `total`: Price of the whole stay

    Finish with `(return {:total 3.14, :rooms []})`.
    ");
}
