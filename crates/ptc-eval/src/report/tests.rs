use serde_json::json;

use super::*;

fn program(turn: usize, source: &str, success: bool, result: &str) -> ProgramReport {
    ProgramReport { turn, source: source.to_owned(), success, result: result.to_owned() }
}

fn run(number: usize, problems: &[&str], answer: Json, programs: Vec<ProgramReport>) -> RunReport {
    let problems = problems.iter().map(|problem| (*problem).to_owned()).collect();
    let mut run = RunReport::new(number, answer, problems, Duration::from_millis(1500), (200, 20));
    (run.attempts, run.retries, run.programs) = (programs.len(), 1, programs);
    run
}

/// A report of a case with a failed and a good run, and one with two good ones.
fn report() -> Report {
    let mut report = Report {
        title: "Orders".to_owned(),
        model: "ollama:qwen3".to_owned(),
        version: "0.1.0",
        commit: Some("abc1234".to_owned()),
        seed: 7,
        compression: Some("none".to_owned()),
        language_spec: None,
        runs: 2,
        summary: Summary::default(),
        cases: Vec::new(),
    };
    let failed = run(
        1,
        &["wanted 1..100, got 101"],
        json!(101),
        vec![program(1, "(/ 1 0)", false, "division by zero"), program(2, "(return 101)", true, "101")],
    );
    let good = |number| run(number, &[], json!("a|b"), vec![program(1, ";; ```\n(return \"a|b\")", true, "\"a|b\"")]);
    for (name, passed, runs) in [("count", false, vec![failed, good(2)]), ("name", true, vec![good(1), good(2)])] {
        let (name, level, question) = (name.to_owned(), "basic".to_owned(), "How many?\nCount.".to_owned());
        report.add(CaseReport { name, level, description: None, question, passed, runs }, Some((1.0, 10.0)));
    }
    report
}

#[test]
fn the_short_page() {
    insta::assert_snapshot!(report().to_markdown(Detail::Short), @r#"
    # Orders

    ollama:qwen3 · ptc 0.1.0 (abc1234) · data of seed 7 · compression none · 2 runs of each case

    | passed | failed | total | attempts | retries | seconds | input tokens | output tokens | cost |
    |---:|---:|---:|---:|---:|---:|---:|---:|---:|
    | 3 | 1 | 4 | 5 | 4 | 6.0 | 800 | 80 | 0.0016 |

    ## Results

    | level | case | result | attempts | retries | answer |
    |---|---|---|---:|---:|---|
    | basic | count | **passed 1 of 2**, not 1 | 3 | 2 | `101` |
    | basic | name | passed 2 of 2 | 2 | 2 | `"a\|b"` |

    ## Failures

    ### count, run 1

    > How many?
    > Count.

    * wanted 1..100, got 101

    Turn 1 failed: `division by zero`

    ```clojure
    (/ 1 0)
    ```

    Turn 2 gave `101`

    ```clojure
    (return 101)
    ```
    "#);
}

#[test]
fn the_whole_page_has_all_programs() {
    let whole = report().to_markdown(Detail::Whole);
    let (short, programs) = whole.split_once("\n## All programs\n").unwrap();
    assert_eq!(short, report().to_markdown(Detail::Short));
    insta::assert_snapshot!(programs, @r#"

    ### count, run 1

    > How many?
    > Count.

    Turn 1 failed: `division by zero`

    ```clojure
    (/ 1 0)
    ```

    Turn 2 gave `101`

    ```clojure
    (return 101)
    ```

    ### count, run 2

    > How many?
    > Count.

    Turn 1 gave `"a|b"`

    ````clojure
    ;; ```
    (return "a|b")
    ````

    ### name, run 1

    > How many?
    > Count.

    Turn 1 gave `"a|b"`

    ````clojure
    ;; ```
    (return "a|b")
    ````

    ### name, run 2

    > How many?
    > Count.

    Turn 1 gave `"a|b"`

    ````clojure
    ;; ```
    (return "a|b")
    ````
    "#);
}

#[test]
fn evaluations_stand_side_by_side() {
    let other = Report { compression: None, language_spec: Some("minimal".to_owned()), ..report() };
    insta::assert_snapshot!(comparison(&[report(), other]), @"
    | compression | language text | passed | failed | total | attempts | retries | seconds | input tokens | output tokens | cost |
    |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
    | none | auto | 3 | 1 | 4 | 5 | 4 | 6.0 | 800 | 80 | 0.0016 |
    | per case | minimal | 3 | 1 | 4 | 5 | 4 | 6.0 | 800 | 80 | 0.0016 |
    ");
}

#[test]
fn json_has_everything() {
    let json = serde_json::to_value(report()).unwrap();
    assert_eq!(
        json.get("summary"),
        Some(&json!({
            "passed": 3, "failed": 1, "total": 4, "attempts": 5, "retries": 4, "duration_ms": 6000,
            "input_tokens": 800, "output_tokens": 80, "cost": 0.0016,
        }))
    );
    assert_eq!(json.pointer("/cases/0/runs/0/problems/0"), Some(&json!("wanted 1..100, got 101")));
    assert_eq!(json.pointer("/cases/0/runs/0/programs/0/success"), Some(&json!(false)));
    assert_eq!((json.pointer("/commit"), json.pointer("/language_spec")), (Some(&json!("abc1234")), None));
    assert_eq!(json.pointer("/cases/0/runs/0/step"), None);
}

#[test]
fn long_results_are_cut() {
    assert_eq!(shortened(&"ä".repeat(500), MAX_RESULT), "ä".repeat(500));
    assert_eq!(shortened(&"ä".repeat(501), MAX_RESULT), format!("{}...", "ä".repeat(500)));
}
