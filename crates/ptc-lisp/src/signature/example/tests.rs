use proptest::prelude::*;

use crate::signature::parse::tests::type_with;
use crate::signature::{ExtraFields, Limit, Limits, Measure, Rule, Type, validate};
use crate::value::Value;
use crate::{Session, SessionOptions};

fn example(text: &str) -> String {
    Type::parse(text).expect("a type").example()
}

#[test]
fn an_example_keeps_each_kind_of_rule() {
    assert_eq!(example(":int (1 to 5)"), "1");
    assert_eq!(example(":int (above 0 and below 2)"), "1");
    assert_eq!(example(":int (at most 99; a multiple of 7)"), "42");
    assert_eq!(example(":float (above 0.1 and below 0.2)"), "0.11");
    assert_eq!(example(":float (at least 10; a multiple of 0.25)"), "10.0");
    assert_eq!(example(":string (at most 3 characters)"), "\"res\"");
    assert_eq!(example(":string (at least 9 characters)"), "\"result re\"");
    assert_eq!(example(":string (uuid)"), "\"810f5868-02e7-4a33-8e40-dd2247a97481\"");
    assert_eq!(example(r#":string (matches "^(AB|CD)-\\d{2,}x?$")"#), "\"AB-00\"");
    assert_eq!(example(r#":string (matches "^[a-z]+$"; at least 4 characters)"#), "\"aaaa\"");
    assert_eq!(example("[:int (at least 50)] (2 items; distinct items)"), "[50 51]");
    assert_eq!(example("[:string (date)] (2 items; distinct items)"), "[\"2024-03-01\" \"2024-03-02\"]");
    assert_eq!(example(r#"{:string (date) -> :int} (2 entries)"#), r#"{"2024-03-01" 42, "2024-03-02" 42}"#);
    assert_eq!(example("[:int, :string? (time), [:float, #{nil}]]"), "[42 \"10:30:01\" [3.14 nil]]");
    assert_eq!(example("#{1 50} (at least 9)"), "50");
    assert_eq!(example("[:any]"), "[]");
    assert_eq!(
        Type::parse("{a [:any], b [:int, :keyword]}").expect("a type").example_json().to_string(),
        r#"{"a":[],"b":[42,"ok"]}"#
    );
}

/// The types of tools come from servers that nobody knows.
#[test]
fn an_example_of_a_hostile_type_is_soon_made() {
    let lists = |rule: &str| (0..30).fold(":bool".to_owned(), |inner, _| format!("[{inner}] ({rule})"));
    for ty in [lists("20 items"), lists("20 items; distinct items"), lists("at least 9000000000 items")] {
        assert!(example(&ty).len() < 200_000, "{ty}");
    }
    for pattern in ["(|a){1000000000}", "((a*){1000}){1000}", "(((a{1000}){1000}){1000}){1000}"] {
        assert!(example(&format!(":string (matches \"{pattern}\")")).len() < 2_000, "{pattern}");
    }
}

/// Rules that some value of each type keeps.
fn rule() -> impl Strategy<Value = Rule> + Clone {
    let limits = |of, sizes: std::ops::Range<i64>| {
        (sizes, 2..9_i64, any::<bool>(), any::<bool>()).prop_map(move |(least, more, has_least, has_most)| {
            let limit = |number: i64, is_excluded| Some(Limit { number: number.into(), is_excluded });
            let is_excluded = of == Measure::Number && has_least == has_most;
            let least_limit = limit(least, is_excluded).filter(|_| has_least || !has_most);
            Rule::Within(Limits { of, least: least_limit, most: limit(least + more, is_excluded).filter(|_| has_most) })
        })
    };
    let formats = crate::signature::formats::FORMATS.map(|(name, _)| Rule::Hint(name.to_owned())).to_vec();
    let patterns = ["^[A-Z]{2,}$", "a|b", "^\\d+(\\.\\d+)?$", "[^a-z]", "x*y", "^\\S\\w*$"];
    prop_oneof![
        limits(Measure::Number, -90..90),
        limits(Measure::Items, 0..4),
        limits(Measure::Entries, 0..4),
        prop::sample::select(formats),
        prop::sample::select(patterns.map(|pattern| Rule::Matches(pattern.to_owned())).to_vec()),
    ]
}

/// One rule of each kind, which do not contradict each other.
fn has_clear_rules(ty: &Type) -> bool {
    let parts: Vec<&Type> = match ty {
        Type::Ruled(inner, rules) => {
            let numbers = rules.iter().filter(|rule| matches!(rule, Rule::Within(_))).count();
            let texts = rules.iter().filter(|rule| matches!(rule, Rule::Matches(_) | Rule::Hint(_))).count();
            if numbers > 1
                || texts > 1
                || !matches!(**inner, Type::Int | Type::Float | Type::String | Type::List(_) | Type::Map)
            {
                return false;
            }
            vec![inner]
        }
        Type::Optional(inner) | Type::List(inner) => vec![inner],
        Type::MapOf(key, value) => vec![key, value],
        Type::Tuple(parts) | Type::Union(parts) => parts.iter().collect(),
        Type::Record(fields) => fields.iter().map(|field| &field.ty).collect(),
        _ => Vec::new(),
    };
    parts.into_iter().all(has_clear_rules)
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::default() })]

    /// The text of an example is a program whose value has the type, and so is its JSON.
    #[test]
    fn an_example_is_a_value_of_its_type(ty in type_with(rule()).prop_filter("clear rules", has_clear_rules)) {
        let text = ty.example();
        let value = Session::new(SessionOptions::default()).run(&text, &mut crate::no_tools).into_result();
        let value = value.map_err(|problem| TestCaseError::fail(format!("{text}: {problem}")))?;
        prop_assert_eq!(validate(&value, &ty, ExtraFields::Rejected), [], "{} of {}", text, ty);
        let json = ty.example_json();
        let coerced = crate::signature::coerce(&Value::from_json(json.clone()), &ty);
        prop_assert!(coerced.is_ok(), "{json} of {ty}: {coerced:?}");
    }
}
