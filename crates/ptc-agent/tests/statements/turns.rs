//! Turns, endings and tasks: what `turns`, `brief_turns`, `minimal_turns`, `one_turn`, `practice` and `tasks` say.

use crate::proof::Expect::{Asks, Calls, Hides, Returns, Shows};
use crate::proof::Proof::{self, Gives, Run, Test};
use crate::world::{agent, histories, run, run_with_tasks};
use crate::{Statement, row};

const FAILS: Proof = Gives(r#"(fail {:reason :word :message "why"}) 1"#, r#"failed {:reason :word :message "why"}"#);

/// What was printed before is there after the next print.
const AGAIN: Proof = Run(
    &["(println \"said first\")", "(println \"said then\")", "(return 1)"],
    &[Shows(3, "said first"), Shows(3, "said then")],
);

/// Of too many prints the newest stay.
const NEWEST: Proof = Run(
    &["(doseq [n (range 600)] (println \"line\" n \"of many, to be cut\"))", "(return 1)"],
    &[Shows(2, "line 599 of"), Hides(2, "line 1 of")],
);

pub(crate) const STATEMENTS: &[Statement] = &[
    row(
        "You work in turns until `(return value)`",
        &[Run(&["(def a 1)", "(return a)", "(return 2)"], &[Asks(2), Returns("1")])],
    ),
    row("or `(fail {:reason :word :message \"why\"})` when the mission cannot be done", &[FAILS]),
    row("or with `(fail {:reason :word :message \"why\"})`", &[FAILS]),
    row("Either ends the run at once", &[Run(&["(return 1) (tool/weigh {:id 1})"], &[Calls(0), Returns("1")]), FAILS]),
    row("the value must fit the expected output", &[Test("", must_fit)]),
    row(
        "Return in the very program that computes the answer when its own checks hold; otherwise print what you must see: `(if (= (count ids) (count rows)) (return total) (println (take 3 rows)))`",
        &[
            Run(
                &[
                    "(def ids [1 2 3]) (def rows data/parcels) (def total 7) (if (= (count ids) (count rows)) (return total) (println (take 3 rows)))",
                ],
                &[Asks(1), Returns("7")],
            ),
            Run(
                &[
                    "(def ids [1 2]) (def rows data/parcels) (def total 7) (if (= (count ids) (count rows)) (return total) (println (take 3 rows)))",
                    "(return 8)",
                ],
                &[Asks(2), Shows(2, "Rome"), Returns("8")],
            ),
        ],
    ),
    row("Earlier prints are shown again, the oldest dropped first", &[AGAIN, NEWEST]),
    row("A program may print and return.", &[Run(&["(println 1) (return 2)"], &[Asks(1), Returns("2")])]),
    row(
        "Only prints are shown, never the value of a program",
        &[Run(&[r#"(println "seen") (* 111 111)"#, "(return 1)"], &[Shows(2, "seen"), Hides(2, "12321")])],
    ),
    row(
        "Only what `println` prints is shown to you",
        &[Run(&[r#"(println "seen") (* 111 111)"#, "(return 1)"], &[Shows(2, "seen"), Hides(2, "12321")])],
    ),
    row(
        "Only what `println` prints is shown",
        &[Run(&[r#"(println "seen") (* 111 111)"#, "(return 1)"], &[Shows(2, "seen"), Hides(2, "12321")])],
    ),
    row("earlier prints come again, the oldest are dropped", &[AGAIN, NEWEST]),
    row(
        "long ones cut: print counts, keys and one record together",
        &[Run(&["(println (join (repeat 40000 \"long \")))", "(return 1)"], &[Shows(2, "more characters not shown")])],
    ),
    row(
        "a failed program leaves nothing, but its calls did happen",
        &[Run(
            &["(def a 1) (tool/weigh {:id 1}) (+ 1 nil)", "(return a)", "(return 0)"],
            &[Calls(1), Shows(3, "undefined symbol 'a'"), Returns("0")],
        )],
    ),
    row(
        "when its own checks hold, else print what you must see",
        &[Run(&["(if (= 1 2) (return 1) (println \"seen\"))", "(return 2)"], &[Asks(2), Shows(2, "seen")])],
    ),
    row("print counts, keys and a few whole records, several in one `println`", &[Gives("(println 1 {:a 2})", "nil")]),
    row(
        "Definitions stay: what `def` and `defn` made is there in later turns",
        &[Run(&["(def a 1) (defn f [x] (+ a x))", "(println 0)", "(return (f 2))"], &[Returns("3")])],
    ),
    row(
        "what `def` and `defn` made stays for later turns",
        &[Run(&["(def a 1) (defn f [x] (+ a x))", "(println 0)", "(return (f 2))"], &[Returns("3")])],
    ),
    row(
        "A failed program leaves none",
        &[Run(&["(def a 1) (+ 1 nil)", "(return a)", "(return 0)"], &[Shows(3, "undefined symbol 'a'"), Returns("0")])],
    ),
    row(
        "its tool calls did happen, so do not repeat those that change something",
        &[Run(&["(tool/weigh {:id 1}) (+ 1 nil)", "(return 0)"], &[Calls(1), Shows(2, "weigh")])],
    ),
    row(
        "earlier programs may not be, only the names of what they defined, as a rule with type and docstring",
        &[Test("", docstrings_stay)],
    ),
    row("say there what shape the data has", &[]),
    row("The message counts the turns left", &[Test("", turns_are_counted)]),
    row("In the last one you must return or fail", &[Test("", the_last_turn_ends)]),
    row("You have a single turn and will not see what it prints", &[Test("", one_turn_is_one_request)]),
    row(
        "Compute the answer in one program and end it with `(return value)`, or with `(fail {:reason :word :message \"why\"})` when the mission cannot be done",
        &[Run(&["(return (count data/parcels))"], &[Returns("3")]), FAILS],
    ),
    row(
        "End with `(return value)` in the very program that computes the answer",
        &[Run(&["(return (count data/parcels))"], &[Asks(1), Returns("3")])],
    ),
    row(
        "Look at data that you do not know before you compute with it; where its shape is listed, compute at once.",
        &[],
    ),
    row(
        "Data comes from tools once, then from your definition.",
        &[Run(&["(def w (tool/weigh {:id 1}))", "(println w)", "(return (:kg w))"], &[Calls(1), Returns("2.5")])],
    ),
    row(
        "Make independent calls in one turn.",
        &[Run(&["(return (count (pmap #(tool/weigh {:id %}) [1 2 3])))"], &[Calls(3), Asks(1)])],
    ),
    row(
        "The error of a failed program is in the next message and in `data/fail`",
        &[Run(
            &["(+ 1 nil)", "(return (:reason data/fail))"],
            &[Shows(2, "expected numbers"), Returns("\"type_error\"")],
        )],
    ),
    row(
        "The sections of the message are the record: your definitions (`user/`), the tool calls made, the output",
        &[Test("user/", sections)],
    ),
    row(
        "`(budget/remaining)` gives the turns that are left as numbers",
        &[Run(&["(return (:turns (budget/remaining)))"], &[Returns("5")])],
    ),
    row("Reason in `;;` comments inside the program", &[Gives("1 ;; one", "1")]),
    row(
        "`(task \"id\" expr)` runs `expr` once: later uses of the id give the stored value and run nothing, also after a failed turn",
        &[Test("(task id expr)", tasks_run_once)],
    ),
    row("Put it around tool calls that must not happen twice.", &[]),
    row("An error stores nothing.", &[Test("", tasks_run_once)]),
    row("`(task-reset \"id\")` forgets the stored value", &[Test("task-reset", tasks_are_forgotten)]),
    row(
        "`(step-done \"id\" \"summary\")` ticks off a step of the plan, with one line about its result",
        &[Test("step-done", steps_are_ticked_off)],
    ),
    row("It counts when the turn succeeds.", &[Test("", steps_of_failed_turns_are_open)]),
    row("A first program may look at the data and keep what will be needed:", &[]),
    row("A later one computes, checks, and returns:", &[]),
    row(
        "Long output is cut, and the place of the cut says what is missing",
        &[Run(
            &["(println \"first\") (doseq [n (range 600)] (println \"line\" n \"of many, to be cut\"))", "(return 1)"],
            &[Shows(2, "not shown"), Returns("1")],
        )],
    ),
    row(
        "its prints are shown",
        &[Run(
            &["(println \"before it\") (+ 1 nil)", "(return 1)"],
            &[Shows(2, "Output before the error:\nbefore it"), Returns("1")],
        )],
    ),
];

fn check(holds: bool, found: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(found()) }
}

fn must_fit() -> Result<(), String> {
    let seen = run(agent().signature("(parcels [:map]) -> :int").retry_turns(1), &["(return \"three\")", "(return 3)"]);
    check(seen.requests.len() == 2 && seen.step.value::<i64>().is_ok_and(|value| value == 3), || {
        format!("{:?}", seen.step.result)
    })
}

fn docstrings_stay() -> Result<(), String> {
    let program =
        "(def rows \"maps with :id and :kg\" data/parcels) (defn heavy? \"True from 3 kg on\" [p] (>= (:kg p) 3))";
    histories().into_iter().try_for_each(|(name, history)| {
        let seen = run(agent().compression(history), &[program, "(def b 1)", "(return 0)"]);
        let request = seen.request(3);
        // The smallest view has names only.
        let wanted = if name == "aggressive" { "(heavy? [p])" } else { "True from 3 kg on" };
        check(request.contains("heavy?") && request.contains(wanted), || format!("{name}: {request}"))
    })
}

fn turns_are_counted() -> Result<(), String> {
    histories().into_iter().try_for_each(|(name, history)| {
        let seen = run(agent().compression(history), &["(def a 1)", "(return a)"]);
        let request = seen.request(2);
        check(["Turns left: 4", "(4 remaining)"].iter().any(|line| request.contains(line)), || {
            format!("{name}: {request}")
        })
    })
}

fn the_last_turn_ends() -> Result<(), String> {
    let seen = run(agent().max_turns(2), &["(def a 1)", "(def b 2)", "(return 3)"]);
    check(seen.requests.len() == 2 && seen.step.value::<i64>().is_err(), || {
        format!("{} {:?}", seen.requests.len(), seen.step.result)
    })
}

fn one_turn_is_one_request() -> Result<(), String> {
    let seen = run(agent().max_turns(1), &["(println 1)", "(return 3)"]);
    check(seen.requests.len() == 1, || format!("{:?}", seen.step.result))
}

fn sections() -> Result<(), String> {
    let seen = run(agent().compression(true), &["(def kg (:kg (tool/weigh {:id 1}))) (println kg)", "(return kg)"]);
    let request = seen.request(2);
    let found = ["user/", ";; Tool calls made:", ";; Output:"].into_iter().find(|section| !request.contains(section));
    check(found.is_none(), || format!("no {found:?} in {request}"))
}

/// The last message after a first turn with this program, of an agent with a plan of one step.
fn after(program: &str) -> String {
    run(agent().plan(["Weigh all parcels"]), &[program, "(return 1)"]).request(2)
}

fn steps_are_ticked_off() -> Result<(), String> {
    let request = after("(step-done \"1\" \"7.5 kg in all\")");
    let line = request.lines().find(|line| line.contains("[x]")).unwrap_or_default();
    check(line.contains("Weigh all parcels") && line.contains("7.5 kg in all"), || request.clone())
}

fn steps_of_failed_turns_are_open() -> Result<(), String> {
    let request = after("(step-done \"1\" \"7.5 kg\") (+ 1 nil)");
    check(request.contains("Weigh all parcels") && !request.contains("[x]"), || request.clone())
}

fn tasks_run_once() -> Result<(), String> {
    let first = "(task \"w\" (:kg (tool/weigh {:id 7}))) (+ 1 nil)";
    let seen = run_with_tasks(agent(), &[first, "(return (task \"w\" (:kg (tool/weigh {:id 8}))))"]);
    let calls: usize = seen.step.turns().iter().map(|turn| turn.tool_calls().len()).sum();
    check(calls == 1 && seen.step.value::<f64>().is_ok_and(|kg| kg == 2.5), || {
        format!("{calls} calls, {:?}", seen.step.result)
    })?;
    let seen = run_with_tasks(agent(), &["(task \"w\" (:kg (tool/weigh {:id -1})))", "(return (task \"w\" 5))"]);
    check(seen.step.value::<i64>().is_ok_and(|kept| kept == 5), || format!("{:?}", seen.step.result))
}

fn tasks_are_forgotten() -> Result<(), String> {
    let seen = run_with_tasks(agent(), &["(task \"w\" 1)", "(task-reset \"w\")", "(return (task \"w\" 2))"]);
    check(seen.step.value::<i64>().is_ok_and(|kept| kept == 2), || format!("{:?}", seen.step.result))
}
