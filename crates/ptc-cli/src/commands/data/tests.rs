use ptc_runner::lisp::Value;
use serde_json::json;

use super::*;

fn entries(json: Json) -> Map {
    Value::from_json(json).as_map().unwrap().clone()
}

#[test]
fn columns_rows_and_what_a_model_reads_are_shown() {
    let rows: Vec<Json> =
        (0..120).map(|n| json!({"id": n, "city": if n % 3 == 0 { "Ulm" } else { "Bonn" }, "_pin": "s3cret"})).collect();
    let entries = entries(json!({ "orders": rows }));
    let mut out = Vec::new();
    as_text(&entries, &[], 2, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("city    string  \"Bonn\" 80 | \"Ulm\" 40"), "{text}");
    assert!(text.contains("data/orders, the first 2 of 120"), "{text}");
    let told = told(&entries);
    assert!(told.contains("(hidden: _pin)") && !told.contains("s3cret"), "{told}");
    let json = as_json(&entries, &[], 2);
    assert_eq!(json["data"][0]["columns"][0], json!({"name": "id", "type": "int", "values": "0..119"}));
    assert_eq!(json["data"][0]["first"].as_array().map(Vec::len), Some(2));
}
