//! The host of random programs: what they find in a session, and what its tools do.

use ptc_lisp::{Map, ToolCall, ToolError, ToolResult, Value};

/// As JSON.
const DATA: &str = r#"{"xs": [5, 1, 4, 2, 6, 3], "ys": [{"k": 1}, {"k": 2}], "zs": [], "m": {"k": 1, "j": 2}, "s": "ab", "n": 2, "r": {"rows": [1, 2], "in": {"xs": [3, 4, 5]}}}"#;

/// Names that programs use whether or not an earlier one has defined them.
pub const PRELUDE: &str = "(def g0 nil) (def g1 [1 2]) (def g2 identity) (defn h0 [& xs] xs) (defn h1 [x & more] x) (defn h2 [& xs] nil) \
    (def at0 (atom 0)) (def at1 (atom nil)) (def at2 (atom identity)) nil";

/// What programs find under `data/`, as a session takes it.
pub fn data() -> Map {
    Value::from_json_str(DATA).ok().as_ref().and_then(Value::as_map).cloned().unwrap_or_default()
}

/// The host: returns its argument, a list, nothing, a number, or an error at every other call.
pub fn answer(call: &ToolCall, calls: u64) -> ToolResult {
    let echo = || call.args.as_map().and_then(|args: &Map| args.get_named("v").cloned()).unwrap_or_default();
    match &*call.name {
        "three" => Ok(Value::vector(vec![Value::Int(1), echo(), Value::Int(3)])),
        "none" => Ok(Value::Nil),
        "fails" if calls.is_multiple_of(2) => Err(ToolError::new("not now")),
        "two" => Ok(Value::Int(2)),
        _ => Ok(echo()),
    }
}
