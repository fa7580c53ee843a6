use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::signature::{Limit, Limits, Literal, Measure, Rule, Signature, Type};

/// The text form of the parsed signature, or the message.
fn check(text: &str) -> String {
    match Signature::parse(text) {
        Ok(signature) => format!("{signature} | {} params", signature.params().len()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn reads_every_form() {
    assert_snapshot!(check("(room :int, nights :int) -> {total :float}"), @"(room :int, nights :int) -> {total :float} | 2 params");
    assert_snapshot!(check("[{id :int, tags [:string]}]"), @"[{id :int, tags [:string]}] | 0 params");
    assert_snapshot!(check("() -> :any"), @"() -> :any | 0 params");
    assert_snapshot!(check("(q {a :int?, b {c :string}}) -> :map"), @"(q {a :int?, b {c :string}}) -> :map | 1 params");
    assert_snapshot!(check(" \n( a\t:keyword ,b :bool? )->[ :any ]? \r\n"), @"(a :keyword, b :bool?) -> [:any]? | 2 params");
    assert_snapshot!(check("{_a-1 {}?, größe [{}]}"), @"{_a-1 :map?, größe [:map]} | 0 params");
}

#[test]
fn commas_may_be_left_out() {
    assert_snapshot!(check("(a :int b [:string] c {d :int e :int}) -> :int"), @"(a :int, b [:string], c {d :int, e :int}) -> :int | 3 params");
    assert_snapshot!(check("{a :int?b :int}"), @"signature, line 1, column 9: expected `,` or `}`, found `b :int}`");
    assert_snapshot!(check("{a :int,, b :int}"), @"signature, line 1, column 9: expected a name made of letters, digits, `-` and `_`, found `, b :int}`");
    assert_snapshot!(check("{a :int,}"), @"signature, line 1, column 9: expected a name made of letters, digits, `-` and `_`, found `}`");
}

#[test]
fn empty_braces_are_any_map() {
    assert_eq!(Type::parse("{ }"), Ok(Type::Map));
    assert_eq!(Type::parse("[{}]"), Ok(Type::List(Box::new(Type::Map))));
}

#[test]
fn maps_from_keys_to_values() {
    assert_snapshot!(check("{:string -> :int}"), @"{:string -> :int} | 0 params");
    assert_snapshot!(check("(rates { :keyword ->{rate :float?, days [{:int -> :any}]} }? ) -> :int"), @"(rates {:keyword -> {rate :float?, days [{:int -> :any}]}}?) -> :int | 1 params");
    assert_snapshot!(check("{:string :int}"), @"signature, line 1, column 2: expected a name made of letters, digits, `-` and `_`, found `:string :int}`; a name carries no colon and comes before its type: write `name :int`, or `{:string -> :int}` for a map from keys to values");
    assert_snapshot!(check("{:string -> int}"), @"signature, line 1, column 13: expected a type, found `int}`; a type starts with a colon: write `:int`");
    assert_snapshot!(check("{:text -> :int}"), @"signature, line 1, column 2: expected a type, found `:text -> :int}`; write `:string` instead of `:text`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    assert_snapshot!(check("{[:int] -> :int}"), @"signature, line 1, column 2: expected a name made of letters, digits, `-` and `_`, found `[:int] -> :int}`");
    assert_snapshot!(check("{:string -> :int, b :int}"), @"signature, line 1, column 17: expected `}`, found `, b :int}`");
    assert_snapshot!(check("{:string ->}"), @"signature, line 1, column 12: expected a type, found `}`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    assert_eq!(Type::parse(&"{:int -> ".repeat(1_000_000)).unwrap_err().column, 64 * 9 + 1);
}

#[test]
fn alternatives_have_bars_between_them() {
    assert_snapshot!(check("(at :int|[:int] |#{:all}, b {kind #{:dot}} | {r :float}? ) -> :string | :int"), @"(at :int | [:int] | #{:all}, b {kind #{:dot}} | {r :float}?) -> :string | :int | 2 params");
    assert_snapshot!(check(":int? | :string"), @":int | :string? | 0 params");
    assert_snapshot!(check(":int | :int | #{:a} | :any"), @":any | 0 params");
    assert_snapshot!(check("#{:a} | :int | #{:b}"), @"#{:a :b} | :int | 0 params");
    assert_snapshot!(check("{k #{:a}, n :int} | {k #{:b}, n :int} | {k #{:c}}"), @"{k #{:a :b}, n :int} | {k #{:c}} | 0 params");
    assert_snapshot!(check("(at :int |, b :int) -> :any"), @"signature, line 1, column 11: expected a type, found `, b :int) -> :any`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    assert_snapshot!(check("(at :int | #{:all} = :all (1 to 9)) -> :any"), @"(at :int (1 to 9) | #{:all} = :all) -> :any | 1 params");
}

#[test]
fn no_list_differs_from_an_empty_list() {
    let bare = Signature::parse(":int").unwrap();
    let empty = Signature::parse("() -> :int").unwrap();
    assert!(!bare.declares_params());
    assert!(empty.declares_params());
    assert_ne!(bare, empty);
    assert_eq!(Signature::parse_tool("-> :int").unwrap(), bare);
    assert_eq!(Signature::parse_tool("(a :int) -> :int").unwrap(), Signature::parse("(a :int) -> :int").unwrap());
}

#[test]
fn mistakes_say_where_what_and_what_instead() {
    assert_snapshot!(check(""), @"signature, line 1, column 1: expected a type or `(name type, …) -> type`, found the end of the text; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    assert_snapshot!(check("[]"), @"signature, line 1, column 2: expected a type, found `]`; a list names its element type: write `[:any]`");
    assert_snapshot!(check("-> :int"), @"signature, line 1, column 1: expected a type or `(name type, …) -> type`, found `-> :int`; only a tool's signature may start with `->`: write the type alone");
    assert_snapshot!(check("(a :int)"), @"signature, line 1, column 9: expected `->`, found the end of the text");
    assert_snapshot!(check("(a :int) :int"), @"signature, line 1, column 10: expected `->`, found `:int`");
    assert_snapshot!(check("(a int) -> :int"), @"signature, line 1, column 4: expected a type, found `int) -> :int`; a type starts with a colon: write `:int`");
    assert_snapshot!(check("{a: :int}"), @"signature, line 1, column 3: expected a type, found `: :int}`; a name carries no colon: write `name :int`, not `name: int`");
    assert_snapshot!(check("{:a :int}"), @"signature, line 1, column 2: expected a name made of letters, digits, `-` and `_`, found `:a :int}`; a name carries no colon and comes before its type: write `name :int`, or `{:string -> :int}` for a map from keys to values");
    assert_snapshot!(check("{fits? :bool}"), @"signature, line 1, column 6: expected a type, found `? :bool}`; `?` comes after a type, not in a name: write `done :bool?`");
    assert_snapshot!(check("{a :int\n b :int"), @"signature, line 2, column 8: expected `,` or `}`, found the end of the text");
    assert_snapshot!(check("{a :int,\n a :string}"), @"signature, line 2, column 2: expected a name that is not taken yet, found `a :string}`");
    assert_snapshot!(check(":int and much more than twenty characters"), @"signature, line 1, column 6: expected the end of the text, found `and much more than t...`");
}

#[test]
fn unknown_words_get_advice() {
    assert_snapshot!(check("{n :number}"), @"signature, line 1, column 4: expected a type, found `:number}`; write `:float` instead of `:number`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    assert_snapshot!(check(":list"), @"signature, line 1, column 1: expected a type or `(name type, …) -> type`, found `:list`; write `[:any]` instead of `:list`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    assert_snapshot!(check("(a :object) -> :boolean"), @"signature, line 1, column 4: expected a type, found `:object) -> :boolean`; write `:map` instead of `:object`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    assert_snapshot!(check("{ü :integer}"), @"signature, line 1, column 4: expected a type, found `:integer}`; write `:int` instead of `:integer`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
    assert_snapshot!(check("[:uid]"), @"signature, line 1, column 2: expected a type, found `:uid]`; `:uid` is not a type; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
}

/// Only the hints, without the list of types that may follow.
#[test]
fn names_and_formats_get_what_to_write() {
    let hint =
        |text: &str| Signature::parse(text).unwrap_err().hint.unwrap().split("; types are").next().unwrap().to_owned();
    assert_snapshot!(hint("{Invoice No :int}"), @r#"a name with other characters has quotes: write `"Invoice No" :string`, with its type"#);
    assert_snapshot!(hint("[{n :int, Preis (€) :float}]"), @r#"a name with other characters has quotes: write `"Preis (€)" :string`, with its type"#);
    assert_snapshot!(hint("{2024 :int, note :string}"), @r#"a name with other characters has quotes: write `"2024" :string`, with its type"#);
    assert!(hint("{a 1, b :int}").starts_with("types are "));
    assert_snapshot!(hint("(day :date) -> :int"), @"write `:string (date)` instead of `:date`");
    assert_snapshot!(hint("[:datetime]"), @"write `:string (date-time)` instead of `:datetime`");
    assert_snapshot!(hint("(kind #{:low :high}, at :uuid) -> :int"), @"write `:string (uuid)` instead of `:uuid`");
}

#[test]
fn rules_are_read_back_or_are_hints() {
    assert_snapshot!(check("(n :int = 3 ( 1 to 50 ), f :float?(above 0 and at most 1.5)) -> :any"), @"(n :int = 3 (1 to 50), f :float? (above 0 and at most 1.5)) -> :any | 2 params");
    assert_snapshot!(check("(tags [:string] (at least 1 items;distinct  items; each at most 20 character)) -> :any"), @"(tags [:string (at most 20 characters)] (at least 1 item; distinct items)) -> :any | 1 params");
    assert_snapshot!(check(r#"(zip :string (matches "^[0-9]{5}(-x)?$"), d :string (YYYY-MM-DD, local time)) -> :any"#), @r#"(zip :string (matches "^[0-9]{5}(-x)?$"), d :string (YYYY-MM-DD, local time)) -> :any | 2 params"#);
    assert_snapshot!(check("(n :int (matches [0-9]) -> :any"), @r##"signature, line 1, column 18: expected a pattern in quotes: `matches "^[0-9]+$"`, found `[0-9]) -> :any`"##);
    assert_snapshot!(check("(n :int (1 to 5;)) -> :any"), @"signature, line 1, column 17: expected a rule such as `1 to 50` or `at most 3 items`, or words for the reader, found `)) -> :any`");
    assert_snapshot!(check("(n :int (1 to 5 (really))) -> :any"), @"signature, line 1, column 17: expected `;` or `)`, found `(really))) -> :any`");
    let error = Signature::parse(&format!("(n :int ({}1 to 5)) -> :any", "each ".repeat(1_000_000))).unwrap_err();
    assert_eq!(error.column, 10 + 64 * 5);
}

#[test]
fn rules_stand_after_each_type() {
    assert_snapshot!(check("(day :string? (date), at [:int (1 to 5)?]) -> :any"), @"(day :string? (date), at [:int? (1 to 5)]) -> :any | 2 params");
    assert_snapshot!(check("(day :string (date)) -> [:int (1 to 5)] (at most 3 items)"), @"(day :string (date)) -> [:int (1 to 5)] (at most 3 items) | 1 params");
    assert_snapshot!(check(":string (date) | :int? (1 to 5)"), @":string (date) | :int? (1 to 5) | 0 params");
    assert_snapshot!(check(":int (1 to 5) | :string?"), @":int (1 to 5) | :string? | 0 params");
    // What is not about the last alternative, is about the others.
    assert_snapshot!(check("(n :int | :string (1 to 5; email) = 3) -> :any"), @"(n :int (1 to 5) | :string (email) = 3) -> :any | 1 params");
    assert_snapshot!(check("{:string (date) -> :int (at least 0)} (1 entry)"), @"{:string (date) -> :int (at least 0)} (1 entry) | 0 params");
    assert_snapshot!(check(r#"{#{"a" "b"} -> [:int] (each 1 to 5)}"#), @r#"{#{"a" "b"} -> [:int (1 to 5)]} | 0 params"#);
    assert_snapshot!(check("(x :int (at most 3 items), y :any (each 1 to 5)) -> :any"), @"(x :int, y :any (each 1 to 5)) -> :any | 2 params");
}

#[test]
fn tuples_have_types_by_place() {
    assert_snapshot!(check("[:int, :string? (date), [:float,:float]]"), @"[:int, :string? (date), [:float, :float]] | 0 params");
    assert_snapshot!(check("[:int, ]"), @"signature, line 1, column 8: expected a type, found `]`; a list names its element type: write `[:any]`");
    assert_snapshot!(check("[:int :string]"), @"signature, line 1, column 7: expected `]`, found `:string]`; the types of a list by place have commas: write `[:int, :string]`");
    assert_snapshot!(check("{:string -> #{nil}}"), @"{:string -> #{nil}} | 0 params");
    assert_snapshot!(check(r#"#{"a" nil} | #{nil} | [:int, #{nil 1}]"#), @r#"#{"a"} | [:int, #{1}?]? | 0 params"#);
    let lengths = [vec![], vec![Type::Int], vec![Type::Int, Type::Int]];
    assert_eq!(
        lengths.map(|parts| Type::tuple(parts).to_string()),
        ["[:any] (0 items)", "[:int] (1 item)", "[:int, :int]"]
    );
}

#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| format!("{}:int{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(Type::parse(&nested(64)).unwrap().to_string(), nested(64));
    assert_snapshot!(check(&nested(65)), @"signature, line 1, column 65: expected at most 64 levels of nesting, found `[:int]]]]]]]]]]]]]]]...`; write `:map` or `:any` for the inner part");
    let error = Type::parse(&"{a ".repeat(1_000_000)).unwrap_err();
    assert_eq!((error.line, error.column), (1, 64 * 3 + 1));
}

/// Types with all that they can have.
pub(crate) fn any_type() -> impl Strategy<Value = Type> {
    type_with(any_rule())
}

/// Types without rules and tuples.
pub(crate) fn any_shape() -> impl Strategy<Value = Type> {
    type_of(|inner| inner.boxed(), any_key().boxed())
}

/// Types with these rules.
pub(crate) fn type_with(rule: impl Strategy<Value = Rule> + Clone + 'static) -> impl Strategy<Value = Type> {
    let set = prop::collection::hash_set("[a-z]{1,3}".prop_map(Literal::String), 1..3);
    let keys = prop_oneof![any_key(), set.prop_map(|values| Type::OneOf(values.into_iter().collect()))];
    let keys = (keys, prop::option::of(rule.clone())).prop_map(|(key, rule)| key.ruled(rule));
    let ruled = move |inner: BoxedStrategy<Type>| {
        prop_oneof![
            2 => (inner.clone(), prop::collection::vec(rule.clone(), 1..3)).prop_map(|(ty, rules)| ty.ruled(rules)),
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Type::tuple),
        ]
        .boxed()
    };
    type_of(ruled, keys.boxed())
}

fn type_of(
    more: impl Fn(BoxedStrategy<Type>) -> BoxedStrategy<Type> + 'static,
    key: BoxedStrategy<Type>,
) -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        Just(Type::String),
        Just(Type::Int),
        Just(Type::Float),
        Just(Type::Bool),
        Just(Type::Keyword),
        Just(Type::Any),
        Just(Type::JsonOrText),
        Just(Type::Map),
        Just(Type::OneOf(vec![Literal::Nil])),
        prop::collection::hash_set(any_literal(), 1..4).prop_map(|values| Type::OneOf(values.into_iter().collect())),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            more(inner.clone().boxed()),
            inner.clone().prop_map(Type::optional),
            inner.clone().prop_map(|ty| Type::List(Box::new(ty))),
            (key.clone(), inner.clone()).prop_map(|(key, value)| Type::MapOf(Box::new(key), Box::new(value))),
            any_fields(inner.clone(), 1).prop_map(Type::Record),
            prop::collection::vec(inner, 1..4).prop_map(Type::union),
        ]
    })
}

fn any_literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        "[ -~é]{0,8}".prop_map(Literal::String),
        "[a-z][a-z0-9_-]{0,6}".prop_map(Literal::Keyword),
        any::<i64>().prop_map(|number| Literal::Number(number.into())),
        (-1e9..1e9).prop_filter_map("a number", |number| Some(Literal::Number(serde_json::Number::from_f64(number)?))),
        any::<bool>().prop_map(Literal::Bool),
    ]
}

fn any_key() -> impl Strategy<Value = Type> + Clone {
    prop_oneof![Just(Type::String), Just(Type::Int), Just(Type::Keyword), Just(Type::Any)]
}

fn any_fields(ty: impl Strategy<Value = Type>, at_least: usize) -> impl Strategy<Value = Vec<crate::signature::Field>> {
    let name = prop_oneof![3 => "[a-z_é][a-z0-9_-]{0,6}", 1 => "[ -~]{0,6}"];
    prop::collection::btree_map(name, ty, at_least..5)
        .prop_map(|fields| fields.into_iter().map(|(name, ty)| crate::signature::Field::new(name, ty)).collect())
}

/// Rules that a schema can have.
pub(crate) fn any_rule() -> impl Strategy<Value = Rule> + Clone {
    let number = prop_oneof![
        any::<i64>().prop_map(serde_json::Number::from),
        (-1e9..1e9).prop_filter_map("a number", serde_json::Number::from_f64),
    ];
    let limit = |number: BoxedStrategy<serde_json::Number>| {
        (number, any::<bool>()).prop_map(|(number, is_excluded)| Limit { number, is_excluded })
    };
    let measure = prop::sample::select(vec![Measure::Number, Measure::Characters, Measure::Items, Measure::Entries]);
    let limit = limit(number.clone().boxed());
    let limits = (measure, prop::option::of(limit.clone()), prop::option::of(limit))
        .prop_filter("a limit", |(_, least, most)| least.is_some() || most.is_some())
        .prop_map(|(of, least, most)| Rule::Within(Limits { of, least, most }));
    prop_oneof![
        4 => limits,
        1 => number.prop_map(Rule::MultipleOf),
        1 => Just(Rule::Distinct),
        1 => "[ -~é]{0,9}".prop_map(Rule::Matches),
        1 => "[f-l][a-z0-9-]{0,9}".prop_map(Rule::Hint),
    ]
}

/// Fields with all that only parameters of tools have.
fn any_params() -> impl Strategy<Value = Vec<crate::signature::Field>> {
    let default = prop_oneof![
        "[ -~é]{0,9}".prop_map(Json::from),
        any_literal().prop_map(|literal| literal.to_json()),
        prop::collection::vec(any::<bool>(), 0..2).prop_map(Json::from),
    ];
    let more = (prop::option::of(default), prop::option::of("[ -~é\n]{0,9}"));
    prop::collection::vec((any_fields(any_type(), 1), more), 0..3).prop_map(|groups| {
        let mut params: Vec<crate::signature::Field> = Vec::new();
        for (fields, (default, description)) in groups {
            let mut taken = params.iter().map(|param| param.name.clone()).collect::<Vec<_>>();
            for field in fields.into_iter().filter(|field| !taken.contains(&field.name)).collect::<Vec<_>>() {
                taken.push(field.name.clone());
                let field = default.as_ref().map_or(field.clone(), |default| field.with_default(default.clone()));
                params.push(crate::signature::Field { description: description.clone(), ..field });
            }
        }
        params
    })
}

pub(crate) fn any_signature() -> impl Strategy<Value = Signature> {
    (prop::option::of(any_params()), any_type(), any::<bool>()).prop_map(|(params, result, is_open)| {
        let has_params = params.is_some();
        let signature = Signature::new(params, result);
        if is_open && has_params { signature.open() } else { signature }
    })
}

proptest! {
    #[test]
    fn text_form_reads_back(signature in any_signature()) {
        let text = signature.to_string();
        prop_assert_eq!(Signature::parse(&text), Ok(signature.clone()));
        prop_assert_eq!(Signature::parse_tool(&format!(" {text}\n")), Ok(signature));
    }

    #[test]
    fn commas_never_matter(signature in (prop::option::of(prop::collection::vec(any_fields(any_shape(), 1), 1)), any_shape())) {
        let (params, result) = signature;
        let signature = Signature::new(params.map(|mut params| params.remove(0)), result);
        prop_assume!(!signature.to_string().contains('"'));
        let text = signature.to_string().replace(',', " ");
        prop_assert_eq!(Signature::parse(&text), Ok(signature));
    }

    #[test]
    fn any_text_gives_a_signature_or_a_place_inside_it(text in "[(){}\\[\\]:?,> \\n\"a-cü-]{0,40}|\\PC{0,40}") {
        if let Err(error) = Signature::parse(&text) {
            let line = text.split('\n').nth(error.line - 1).expect("line exists");
            prop_assert!((1..=line.chars().count() + 1).contains(&error.column));
        }
    }
}
