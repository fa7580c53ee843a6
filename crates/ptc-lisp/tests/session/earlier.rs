//! What earlier programs left: results and errors.

use insta::assert_snapshot;
use ptc_lisp::Value;

use super::{check, host, session, shown};

#[test]
fn earlier_results_are_at_hand() {
    assert_snapshot!(check(&["*1", "10", "20", "(/ 1 0)", "30", "[*1 *2 *3]", "*1", "(count *1)"]), @r"
    nil
    10
    20
    ! arithmetic_error Divide by zero at line 1, column 1
    30
    [30 20 10]
    [30 20 10]
    3
    ");
}

#[test]
fn the_last_error_stays_at_hand() {
    assert_snapshot!(check(&[
        "*e",
        "(/ 1 0)",
        "[(ex-message *e) (ex-data *e)]",
        "(ex-message *e)",
        "(def old (fn [] (ex-message *e)))",
        "(throw (ex-info \"no room\" {:room 7 :again (fn [] 1)}))",
        "[(ex-message *e) (ex-data *e) (old)]",
        "(nope 1)",
        "[(ex-message *e) (:reason (ex-data *e))]",
        "(fail {:left 2})",
        "(ex-message *e)",
        "(return 1)",
        "(try (throw *e) (catch Exception e (ex-message e)))",
    ]), @r#"
    nil
    ! arithmetic_error Divide by zero at line 1, column 1
    ["Divide by zero" {:reason :arithmetic_error}]
    "Divide by zero"
    #'old
    ! exception no room at line 1, column 1
    ["no room" {:reason :exception} "Divide by zero"]
    ! undefined_symbol undefined symbol 'nope' at line 1, column 2
    ["undefined symbol 'nope'" :undefined_symbol]
    fail {:left 2}
    "{:left 2}"
    1
    "{:left 2}"
    "#);
}

#[test]
fn the_last_error_is_data() {
    let mut session = session();
    assert_snapshot!(shown(&session.run("data/fail", &mut host)), @"nil");
    session.set_fail(Value::map_from([(Value::keyword("reason"), Value::keyword("timeout"))])).unwrap();
    assert_snapshot!(shown(&session.run("data/fail", &mut host)), @"{:reason :timeout}");
}
