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
    let (mut out, shapes) = (Vec::new(), DataShapes::with_columns(&entries));
    as_text(&entries, &shapes, &[], 2, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("city    string  \"Bonn\" 80 | \"Ulm\" 40"), "{text}");
    assert!(text.contains("data/orders, the first 2 of 120"), "{text}");
    let told = told(&entries, &shapes);
    assert!(text.ends_with(&format!("{told}\n")), "{text}");
    assert!(told.contains("(hidden: _pin)") && !told.contains("s3cret"), "{told}");
    let json = as_json(&entries, &shapes, &[], 2);
    assert_eq!(json["data"][0]["columns"][0], json!({"name": "id", "type": "int", "values": "0..119"}));
    assert_eq!(json["data"][0]["first"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_log_is_shown_by_the_shapes_of_its_lines() {
    let log: String = (0..300).map(|n| format!("10:{:02} INFO request {n} took {} ms\n", n % 60, n % 7)).collect();
    let entries = entries(json!({ "app": log }));
    let shapes = DataShapes::with_columns(&entries);
    let told = told(&entries, &shapes);
    let line = r##"in 300 lines, lines: "#:# INFO request # took # ms" 300 as in "10:00 INFO request 0 took 0 ms""##;
    assert!(told.ends_with(line), "{told}");
    assert_eq!(as_json(&entries, &shapes, &[], 2)["model_reads"], json!(told));
}
