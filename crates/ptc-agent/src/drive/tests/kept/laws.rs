//! What holds for kept answers, whatever programs do.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// What programs are made of; 13, 4 and 6 fail in their ways.
fn any_form() -> impl Strategy<Value = String> {
    let id = || prop_oneof![4 => 1..4i64, 1 => Just(13i64)];
    let paid = prop_oneof![2 => 1..4i64, 1 => Just(4i64), 1 => Just(6i64)];
    prop_oneof![
        4 => id().prop_map(|id| format!("(tool/look {{:id {id}}})")),
        1 => id().prop_map(|id| format!("(try (tool/look {{:id {id}}}) (catch Exception e nil))")),
        2 => paid.clone().prop_map(|id| format!("(tool/pay {{:id {id}}})")),
        1 => paid.prop_map(|id| format!("(try (tool/pay {{:id {id}}}) (catch Exception e nil))")),
        2 => prop::collection::vec(id(), 1..5).prop_map(|ids| format!("(pmap (fn [n] (tool/look {{:id n}})) {ids:?})").replace(',', "")),
        1 => prop::collection::vec(1..6i64, 1..5)
            .prop_map(|ids| format!("(pmap (fn [n] (if (= n 5) (tool/pay {{:id 1}}) (tool/look {{:id n}}))) {ids:?})").replace(',', "")),
    ]
}

/// Some calls, and an error at the end or none.
fn any_program() -> impl Strategy<Value = String> {
    let end = prop_oneof![3 => Just("(count 5)"), 2 => Just("1"), 1 => Just("(tool/nope {})")];
    (prop::collection::vec(any_form(), 0..5), end).prop_map(|(forms, end)| format!("{} {end}", forms.join(" ")))
}

fn any_programs() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any_program(), 1..7).prop_map(|mut programs| {
        programs.push("(return 1)".to_owned());
        programs
    })
}

fn texts(programs: &[String]) -> Vec<&str> {
    programs.iter().map(String::as_str).collect()
}

fn all_calls(step: &Step) -> impl Iterator<Item = &ToolRecord> {
    step.turns().iter().flat_map(Turn::tool_calls)
}

fn id_of(call: &ToolRecord) -> i64 {
    call.args.to_json().expect("JSON")["id"].as_i64().expect("a number")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// As long as only the run itself changes the world, kept answers are those that the tools would return now. What
    /// is recorded as called was called, in that order, and nothing else was: each write, and each look that is not
    /// kept.
    #[test]
    fn a_program_cannot_tell_a_kept_answer_from_a_new_one(programs in any_programs()) {
        let seen = check(&texts(&programs));
        let mut paid = 0;
        for call in all_calls(&seen.step) {
            match (&*call.name, &call.error) {
                ("look", None) => prop_assert_eq!(call.result.to_json().expect("JSON"), json!(paid), "{}", seen.turns()),
                ("pay", _) => {
                    prop_assert!(!call.from_failed_turn);
                    prop_assert_eq!(call.took_effect(), id_of(call) != 4);
                    paid += i64::from(call.took_effect());
                }
                _ => {}
            }
        }
        let made = all_calls(&seen.step).filter(|call| !call.from_failed_turn).map(|call| format!("{} {}", call.name, id_of(call)));
        prop_assert_eq!(made.collect::<Vec<_>>(), seen.called);
    }

    /// A call that had an answer in a failed program is not made by the next one, unless something was written in
    /// between.
    #[test]
    fn nothing_is_read_twice(programs in any_programs()) {
        let seen = check(&texts(&programs));
        // How often each look was answered since the last good turn and the last write.
        let mut known: HashMap<i64, usize> = HashMap::new();
        for turn in seen.step.turns() {
            let mut asked: HashMap<i64, usize> = HashMap::new();
            let has_written = turn.tool_calls().iter().any(ToolRecord::took_effect);
            for call in turn.tool_calls().iter().filter(|call| &*call.name == "look" && call.error.is_none()) {
                let count = asked.entry(id_of(call)).or_default();
                *count += 1;
                if !has_written {
                    let expected = *count <= known.get(&id_of(call)).copied().unwrap_or(0);
                    prop_assert_eq!(call.from_failed_turn, expected, "{}", seen.turns());
                }
            }
            if turn.is_success() || has_written {
                // What was read after the last write stays known; how much of it, this test does not count.
                known.clear();
                if has_written && !turn.is_success() {
                    break;
                }
            } else {
                for (id, count) in asked {
                    let most = known.entry(id).or_default();
                    *most = count.max(*most);
                }
            }
        }
    }
}
