//! Looking for tools and data from within a program.

use super::*;

fn shop(count: usize, limits: Limits) -> Session {
    let about = "Finds bread. ".repeat(700);
    let tool = |at: usize| ToolSpec::new(format!("tool-{at}")).description(format!("Number {at}. {about}"));
    let data = Value::from_json(serde_json::json!({"_bread": "secret", "list": [1]})).as_map().unwrap().clone();
    Session::new(SessionOptions { tools: (0..count).map(tool).collect(), data, limits, ..SessionOptions::default() })
}

#[test]
fn what_is_found_fits_into_a_print() {
    let shown = answer(&mut shop(300, Limits::default()), r#"(apropos "BREAD finds")"#);
    let limit = Limits::default().print_chars;
    assert!(shown.chars().count() < limit && shown.contains("tool/tool-0  a tool: Number 0. Finds bread."), "{shown}");
    assert!(shown.contains(" more: tool/tool-") && shown.ends_with("...nil"), "{shown}");
    let shown = answer(&mut shop(300, Limits::default()), r#"(apropos "bread")"#);
    assert!(shown.starts_with("data/_bread  input: string\ntool/tool-0") && !shown.contains("secret"), "{shown}");
    assert_eq!(
        answer(&mut shop(1, Limits::default()), r#"(map apropos ["zzz"])"#),
        "no name or description has \"zzz\"[nil]"
    );
}

#[test]
fn a_name_of_another_language_finds_what_it_is_here() {
    for (elsewhere, here) in [("average", "(avg "), ("foldl", "(reduce "), ("length", "(count ")] {
        let shown = answer(&mut shop(0, Limits::default()), &format!("(apropos {elsewhere:?})"));
        assert!(shown.contains(here), "{elsewhere}: {shown}");
    }
}

#[test]
fn every_tool_that_is_searched_costs_fuel() {
    let cost = |count| {
        let mut session = shop(count, Limits::default());
        session.run(r#"(apropos #"^zzz")"#, &mut |_| Err(ToolError::new("no tools"))).usage.fuel
    };
    assert!(cost(200) >= cost(1) + 199);
    let limits = Limits { fuel: 100, ..Limits::default() };
    assert!(answer(&mut shop(300, limits), r#"(apropos "bread")"#).contains("stopped after 100 steps"));
}
