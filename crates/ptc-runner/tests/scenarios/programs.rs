//! Scenarios 13 to 16: turns that fail, and how a program is found in an answer.

use super::{agent, data, fail_now, play, play_on};

#[test]
fn s13_a_failed_turn_defines_nothing() {
    let programs = ["(def a 1)", "(def b 2) (foo)", "(def b 2) (tool/fail-now {})", "(return [a])"];
    let played = play(agent().tool(fail_now()), &programs);
    assert_eq!(played.end(), "return [1]");
    assert_eq!(played.outcomes(), "ok undefined_symbol tool_error ok");
    assert_eq!((played.defined(2), played.defined(3)), (vec!["a".to_owned()], vec!["a".to_owned()]));
    assert!(played.turn(2).tool_calls().is_empty());
    let [call] = played.turn(3).tool_calls() else { panic!("one call") };
    assert_eq!((&*call.name, call.error.as_deref()), ("fail-now", Some("the desk is closed")));
}

#[test]
fn s14_no_code_then_recovery() {
    let played = play_on(agent(), data(), ["I think so.", "(return 1)"]);
    assert_eq!(played.end(), "return 1");
    assert_eq!((played.outcomes().as_str(), played.turn(1).program()), ("parse_error ok", None));
    let told = played.message(2);
    assert!(
        told.contains("one fenced block tagged `clojure`") && told.contains("an answer that starts with `(`"),
        "{told}"
    );
}

#[test]
fn s15_two_code_blocks() {
    let two = "```clojure\n(def a 1)\n```\nand then\n```clojure\n(return a)\n```";
    let played = play_on(agent(), data(), [two, "(return 1)"]);
    assert_eq!((played.end().as_str(), played.outcomes().as_str()), ("return 1", "parse_error ok"));
    assert_eq!(played.turn(1).program(), None);
    assert!(played.message(2).contains("2 programs were found"), "{}", played.message(2));
}

#[test]
fn s16_every_way_to_write_a_program() {
    let answers = [
        "```clj\n(return 4)\n```",
        "```\n(return 4)\n```",
        "<clojure>\n(return 4)\n</clojure>",
        "<lisp>(return 4)</lisp>",
        "(return 4)",
        "```clojure\r\n(return\r\n  4)\r\n```\r\n",
        "```clojure\n(return (count “four”))\n```",
        "\u{feff}(return 4)",
        "Here is \u{200b}my program:\n```clojure\n(return\u{a0}4)\n```\nDone.",
        "```clojure\n(return (+ #_ x 1 #_#_ (a) b 3))\n```",
    ];
    for answer in answers {
        assert_eq!(play_on(agent(), data(), [answer]).end(), "return 4", "{answer:?}");
    }
}
