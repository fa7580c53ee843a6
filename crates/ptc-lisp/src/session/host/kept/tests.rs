use proptest::prelude::*;
use serde_json::json;

use super::*;

fn call(name: &str, args: serde_json::Value) -> ToolCall {
    let args = Value::from_json(args);
    ToolCall { seq: 1, name: name.into(), args: args.clone(), surface: args }
}

fn taken(kept: &mut KeptAnswers, call: &ToolCall) -> Option<i64> {
    kept.take(call).and_then(|value| if let Value::Int(n) = value { Some(n) } else { None })
}

#[test]
fn equal_calls_have_the_same_tool_and_equal_arguments() {
    let mut kept = KeptAnswers::default();
    kept.keep(&call("look", json!({"a": 1, "b": [2]})), &Value::Int(5));
    kept.begin_program();
    for other in [
        call("look", json!({"a": 1, "b": [3]})),
        call("peek", json!({"a": 1, "b": [2]})),
        call("look", json!({"a": 1})),
    ] {
        assert_eq!(taken(&mut kept, &other), None);
    }
    assert_eq!(taken(&mut kept, &call("look", json!({"b": [2], "a": 1}))), Some(5));
    kept.clear();
    kept.begin_program();
    assert_eq!(taken(&mut kept, &call("look", json!({"a": 1, "b": [2]}))), None);
}

#[test]
fn a_newer_answer_replaces_those_that_were_not_asked_for() {
    let (mut kept, look) = (KeptAnswers::default(), call("look", json!({})));
    [1, 2, 3].into_iter().for_each(|answer| kept.keep(&look, &Value::Int(answer)));
    kept.begin_program();
    assert_eq!(taken(&mut kept, &look), Some(1));
    kept.keep(&look, &Value::Int(9));
    assert_eq!(taken(&mut kept, &look), None);
    kept.begin_program();
    assert_eq!([(); 3].map(|()| taken(&mut kept, &look)), [Some(1), Some(9), None]);
}

proptest! {
    /// Programs that make calls in any order get the earliest answers to each of them; missing answers are requested
    /// once.
    #[test]
    fn programs_get_the_answers_in_their_order(programs in prop::collection::vec(prop::collection::vec(0..4i64, 0..12), 1..5)) {
        let mut kept = KeptAnswers::default();
        let mut answers: Vec<Vec<i64>> = vec![Vec::new(); 4];
        let mut made = 0;
        for program in programs {
            kept.begin_program();
            let mut asked = [0; 4];
            for n in program {
                let (look, place) = (call("look", json!({"n": n})), n as usize);
                let known = taken(&mut kept, &look);
                prop_assert_eq!(known, answers[place].get(asked[place]).copied());
                if known.is_none() {
                    made += 1;
                    kept.keep(&look, &Value::Int(made));
                    answers[place].push(made);
                }
                asked[place] += 1;
            }
        }
    }
}
