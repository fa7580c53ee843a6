//! What is shown of result types.

use indexmap::IndexMap;
use ptc_lisp::signature::Signature;

use super::{json_example, json_output, text_output};

fn shown(signature: &str) -> String {
    json_output(&Signature::parse(signature).unwrap(), &IndexMap::new())
}

#[test]
fn a_list_is_asked_for_as_items_of_an_object() {
    insta::assert_snapshot!(shown("[{id :int, tags [:string], kind :keyword?}]"), @r#"
    # Expected Output

    Answer with one JSON object whose `items` are an array of object and nothing else.

    Fields:
    - `id` (integer)
    - `tags` (array of string)
    - `kind` (string, optional)

    Example:

    ```json
    {"items":[{"id":42,"tags":["result"],"kind":"ok"}]}
    ```
    "#);
}

#[test]
fn a_map_from_keys_to_values_says_what_its_values_are() {
    assert!(
        shown("{:string -> :int}")
            .contains("Answer with one JSON object with values of type integer and nothing else.")
    );
    assert!(shown("{:string -> :int}").ends_with("```json\n{\"key\":42}\n```"));
    assert!(shown("{n {:string -> [:int]}}").contains("- `n` (object with values of type array of integer)"));
}

#[test]
fn a_scalar_has_no_fields() {
    assert!(shown(":int").contains("Answer with one JSON integer and nothing else."));
    assert!(!shown(":int").contains("Fields"));
}

#[test]
fn alternatives_have_an_example_each() {
    let shape = "{kind #{:dot}, at [:int | :float]} | {kind #{:circle}, radius :float}";
    insta::assert_snapshot!(shown(shape), @r#"
    # Expected Output

    Answer with one JSON object and nothing else.

    Fields:
    - `kind` (one of "dot", "circle")
    - `at` (array of integer or number, optional)
    - `radius` (number, optional)

    Examples, one of each kind:

    ```json
    {"kind":"dot","at":[42,3.14]}
    {"kind":"circle","radius":3.14}
    ```
    "#);
    let list = Signature::parse(&format!("[{shape}]")).unwrap();
    assert_eq!(
        json_example(&list).to_string(),
        r#"{"items":[{"kind":"dot","at":[42,3.14]},{"kind":"circle","radius":3.14}]}"#
    );
    assert!(
        shown("#{:none} | :int").contains("Answer with one JSON value (one of \"none\" or integer) and nothing else.")
    );
}

#[test]
fn examples_are_of_their_types() {
    let of = |text: &str| json_example(&Signature::parse(text).unwrap()).to_string();
    assert_eq!(of("{a :any, b {c :bool}, d [:float]}"), r#"{"a":{},"b":{"c":true},"d":[3.14]}"#);
    assert_eq!(of("[:int]?"), r#"{"items":[42]}"#);
}

#[test]
fn everything_that_the_signature_knows_is_said() {
    let stay = r#"{on :string (date) "The first night", stars :int? (1 to 5), tags [:string (at most 9 characters)] (distinct items),
        rooms [{no :int (above 0) "On the door", at [:float, :float]}], by {#{"a" "b"} -> {n :int}}, kind #{:new}}"#;
    insta::assert_snapshot!(shown(stay), @r#"
    # Expected Output

    Answer with one JSON object and nothing else.

    Fields:
    - `on` (string (date)) - The first night
    - `stars` (integer (1 to 5), optional)
    - `tags` (array of string (at most 9 characters) (distinct items))
    - `rooms` (array of object)
    - `rooms[].no` (integer (above 0)) - On the door
    - `rooms[].at` (array of 2 items: number, then number)
    - `by` (object with keys one of "a", "b" and values of type object)
    - `by.*.n` (integer)
    - `kind` (one of "new")

    Example:

    ```json
    {"on":"2024-03-01","stars":1,"tags":["result"],"rooms":[{"no":42,"at":[3.14,3.14]}],"by":{"a":{"n":42}},"kind":"new"}
    ```
    "#);
    assert!(shown(":string (date)").contains("Answer with one JSON string (date) and nothing else."));
    assert!(shown("[:int (1 to 5)] (2 items)").ends_with("{\"items\":[1,1]}\n```"));
    insta::assert_snapshot!(Signature::parse(stay).unwrap().result_schema(), @r#"{"type":"object","properties":{"on":{"type":"string","description":"The first night (date)"},"stars":{"type":"integer","description":"1 to 5"},"tags":{"type":"array","items":{"type":"string","description":"at most 9 characters"},"description":"distinct items"},"rooms":{"type":"array","items":{"type":"object","properties":{"no":{"type":"integer","description":"On the door (above 0)"},"at":{"type":"array","items":{"type":"number"},"description":"2 items: float, then float"}},"required":["no","at"],"additionalProperties":false}},"by":{"type":"object","additionalProperties":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false},"description":"keys \"a\", \"b\""},"kind":{"type":"string","enum":["new"]}},"required":["on","tags","rooms","by","kind"],"additionalProperties":false}"#);
    let text = |signature: &str| text_output(&Signature::parse(signature).unwrap());
    insta::assert_snapshot!(text(":string? (date)").unwrap(), @"
    # Expected Output

    Answer with one text (date) and nothing else.

    Example:

    2024-03-01
    ");
    assert_eq!([":string", ":int (1 to 5)", "[:string (date)]"].map(text), [None, None, None]);
}
