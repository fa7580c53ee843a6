use ptc_runner::chat::Tokens;
use ptc_runner::lisp::Value;
use ptc_runner::transcript::{TurnFields, failure_value};

use super::*;

fn fields(program: Option<&str>) -> TurnFields {
    TurnFields { program: program.map(Into::into), ..TurnFields::new(2, "…", Value::Nil) }
}

#[test]
fn a_turn_is_one_line() {
    let tokens = Some(Tokens { input: 800, output: 12, ..Tokens::default() });
    let good = Turn::success(TurnFields { tokens, ..fields(Some("(def kept\n  (filter odd? data/rows))")) });
    assert_eq!(line(&good, 5), "turn 2 of 5: (def kept (filter odd? data/rows)) · 812 tokens");
    let bad = Turn::failure(TurnFields { result: failure_value("type_error", "no"), ..fields(Some(&"x ".repeat(60))) });
    assert_eq!(
        line(&bad, 5),
        format!("turn 2 of 5: {}x... · type_error", "x ".repeat(30).trim_end().to_owned() + " ").replace("x x...", "x ...")
    );
    assert_eq!(line(&Turn::success(fields(None)), 5), "turn 2 of 5: no program");
}
