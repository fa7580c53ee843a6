//! Pages of made-up figures.

use std::collections::BTreeMap;

use ptc_tests::outside::{Figures, Injection, Live, Outside, Played, PlayedWay, Share, Task, WAYS};
use ptc_tests::study::{Cost, Price};

use super::page::Group;
use super::{Reasons, files, live, page};

/// A task whose ways cost these amounts.
fn task(name: &str, calls: usize, costs: [f64; WAYS.len()]) -> Task {
    let way = |cost: f64| Figures {
        requests: calls,
        input: 100,
        shared: 50,
        output: 10,
        costs: vec![Cost { cached: cost, uncached: 2.0 * cost }],
    };
    Task {
        suite: "bfcl-base".to_owned(),
        task: name.to_owned(),
        class: "MathAPI".to_owned(),
        tools: 20,
        texts: 1,
        calls,
        results: 300,
        read: 0,
        unseen: 0,
        taken: 1,
        natively: 1,
        exception: None,
        ways: costs.map(way).to_vec(),
    }
}

fn outside() -> Outside {
    let refused = Task {
        exception: Some("measured".to_owned()),
        ways: Vec::new(),
        ..task("multi_turn_base_3", 1, [0.0; WAYS.len()])
    };
    let injection = |in_plan, hidden| Injection {
        suite: "agentdojo-slack".to_owned(),
        task: "1".to_owned(),
        injection: "2".to_owned(),
        in_plan,
        placed: 10,
        reached: [30, 20, 10, hidden],
    };
    Outside {
        counter: "o200k".to_owned(),
        prices: vec![Price {
            name: "some, list of 2026-01-01".to_owned(),
            input: 1.0,
            cached: 0.1,
            write: 1.0,
            output: 4.0,
        }],
        tasks: vec![
            task("multi_turn_base_1", 1, [1.0, 1.0, 2.0, 2.0, 3.0, 4.0]),
            task("multi_turn_base_2", 6, [4.0, 3.0, 2.0, 1.0, 3.0, 5.0]),
            refused,
        ],
        injections: vec![injection(false, 0), injection(true, 7)],
    }
}

fn page() -> String {
    let reasons = Reasons::from([(
        "bfcl-base".to_owned(),
        BTreeMap::from([("multi_turn_base_3".to_owned(), "refused".to_owned())]),
    )]);
    page::of(&outside(), &reasons)
}

#[test]
fn the_first_lines_say_what_scripts_prove() {
    let page = page();
    let head: Vec<&str> = page.lines().take(6).collect();
    assert!(head.join(" ").contains("**Scripted trajectories prove mechanics**"), "{head:?}");
}

#[test]
fn losses_are_listed_by_name() {
    let page = page();
    assert!(page.contains("One by one, 1 of 2 tasks:\n\n* bfcl-base (1 of 2): 1\n"), "{page}");
    assert!(
        page.contains(
            "relative to direct calls one by one: 0.80; relative to batches: 1.00. Without a cache: 0.80; 1.00."
        ),
        "{page}"
    );
    assert!(
        page.contains("cheaper than direct calls one by one in 50 % of the tasks, and cheaper than batches in 50 %"),
        "{page}"
    );
}

#[test]
fn a_hybrid_is_compared_with_programs_alone() {
    let page = page();
    assert!(page.contains("(*hybrid*) cost 1.50 of programs alone"), "{page}");
    assert!(page.contains("and 2.25 if it made single calls natively"), "{page}");
    assert!(page.contains("does 2 of 2 texts natively"), "{page}");
    assert!(page.contains("it would pay 0.75 of\n  programs"), "{page}");
    assert!(page.contains("| 1.50 | 2.00 |\n"), "{page}");
}

#[test]
fn exceptions_have_their_written_reason() {
    assert!(page().contains("* bfcl-base multi_turn_base_3: refused\n"));
    assert!(page::of(&outside(), &Reasons::new()).contains("* bfcl-base multi_turn_base_3: measured\n"));
}

#[test]
fn hidden_names_are_counted_where_the_plan_does_not_contain_the_text() {
    let page = page();
    assert!(page.contains("| direct calls | 2 | 60 |\n"), "{page}");
    assert!(page.contains("| the same, results under hidden names | 0 | 0 |\n"), "{page}");
    assert!(page.contains("Not in the last row: 1 tasks of agentdojo-slack (1),"), "{page}");
}

#[test]
fn every_task_has_a_line_with_as_many_cells_as_the_head() {
    let files = files(&outside(), &Reasons::new());
    let (_, table) = files.iter().find(|(path, _)| path.extension().is_some_and(|ending| ending == "csv")).unwrap();
    let cells: Vec<usize> = table.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(cells, [11 + 4 * WAYS.len(); 3]);
}

#[test]
fn groups_have_bounds_and_are_never_empty() {
    let outside = outside();
    let tasks = page::measured(&outside);
    let groups = Group::by_bounds(&tasks, &[1.0, 3.0], |task| task.calls as f64);
    let names: Vec<(&str, usize)> = groups.iter().map(|group| (group.name.as_str(), group.tasks.len())).collect();
    assert_eq!(names, [("up to 1", 1), ("above 3", 1)]);
    assert_eq!(groups.iter().map(|group| group.sums()[0].requests).collect::<Vec<_>>(), [1, 6]);
}

#[test]
fn every_refusal_of_a_run_is_read() {
    let share = Share { value: 1.0, low: 0.5, high: 1.0 };
    let way = |passed| PlayedWay {
        passed,
        problems: Vec::new(),
        texts: 1,
        calls: 1,
        failed: Vec::new(),
        figures: Figures::default(),
    };
    let played =
        Played { suite: "bfcl-base".to_owned(), task: "multi_turn_base_1".to_owned(), ways: [way(false), way(true)] };
    let runs = Live {
        counter: "o200k".to_owned(),
        prices: Vec::new(),
        rates: Vec::new(),
        difference: share,
        ratios: Vec::new(),
        tasks: vec![played],
    };
    let problems = |readings: &str| {
        let problems = live::unread(&runs, &toml::from_str(readings).unwrap());
        problems.into_iter().map(|problem| problem.text).collect::<Vec<_>>()
    };
    assert_eq!(problems(""), ["bfcl-base multi_turn_base_1, programs: refused, and not read"]);
    assert_eq!(problems("[bfcl-base.multi_turn_base_1]\nprograms = \"why\""), [""; 0]);
    assert_eq!(
        problems("[bfcl-base.multi_turn_base_1]\nprograms = \"why\"\nnative-calls = \"why\""),
        ["bfcl-base multi_turn_base_1, native-calls: read, and not refused"]
    );
}
