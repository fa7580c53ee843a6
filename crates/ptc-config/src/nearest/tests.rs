use super::*;

fn check(key: &str) -> &'static str {
    nearest(key, &["mission", "max_turns", "retry_turns", "timeout", "llm", "tools"]).unwrap_or("-")
}

#[test]
fn habits_and_slips() {
    assert_eq!(check("prompt"), "mission");
    assert_eq!(check("model"), "llm");
    assert_eq!(check("max_steps"), "max_turns");
    assert_eq!(check("maxTurns"), "max_turns");
    assert_eq!(check("max-turns"), "max_turns");
    assert_eq!(check("mision"), "mission");
    assert_eq!(check("time_out"), "timeout");
    assert_eq!(check("tool"), "tools");
}

#[test]
fn nothing_alike() {
    assert_eq!(check("flavour"), "-");
    assert_eq!(check("x"), "-");
}

#[test]
fn a_habit_counts_only_where_its_new_name_is_known() {
    assert_eq!(nearest("prompt", &["file", "value"]), None);
}
