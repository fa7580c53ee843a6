//! What is shown of result types.

use indexmap::IndexMap;
use ptc_lisp::signature::Signature;

use super::{json_example, json_output};

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
    {"items":[{"id":0,"tags":["..."],"kind":"keyword"}]}
    ```
    "#);
}

#[test]
fn a_map_from_keys_to_values_says_what_its_values_are() {
    assert!(
        shown("{:string -> :int}")
            .contains("Answer with one JSON object with values of type integer and nothing else.")
    );
    assert!(shown("{:string -> :int}").ends_with("```json\n{\"key\":0}\n```"));
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
    {"kind":"dot","at":[]}
    {"kind":"circle","radius":0.0}
    ```
    "#);
    let list = Signature::parse(&format!("[{shape}]")).unwrap();
    assert_eq!(json_example(&list).to_string(), r#"{"items":[{"kind":"dot","at":[]},{"kind":"circle","radius":0.0}]}"#);
    assert!(
        shown("#{:none} | :int").contains("Answer with one JSON value (one of \"none\" or integer) and nothing else.")
    );
}

#[test]
fn examples_are_of_their_types() {
    let of = |text: &str| json_example(&Signature::parse(text).unwrap()).to_string();
    assert_eq!(of("{a :any, b {c :bool}, d [:float]}"), r#"{"a":{},"b":{"c":true},"d":[0.0]}"#);
    assert_eq!(of("[:int]?"), r#"{"items":[0]}"#);
}
