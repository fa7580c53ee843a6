use serde_json::json;

use super::*;

fn program(turn: usize, source: &str, success: bool, result: &str) -> ProgramReport {
    ProgramReport { turn, source: source.to_owned(), success, result: result.to_owned() }
}

fn run(number: usize, problems: &[&str], answer: Json, programs: Vec<ProgramReport>) -> RunReport {
    let problems = problems.iter().map(|problem| (*problem).to_owned()).collect();
    let tokens = Tokens { input: 200, output: 20, cached: 100, ..Tokens::default() };
    let run = RunReport::new(number, vec![answer], problems, Duration::from_millis(1500));
    let mut run = run.of_tokens(programs.len() as u64, &tokens);
    run.turns = programs.len();
    (run.attempts, run.retries, run.programs) = (programs.len(), 1, programs);
    run
}

fn suite() -> Suite {
    let folder = tempfile::tempdir().unwrap();
    let case = |name: &str| format!("[cases.{name}]\nmission = \"How many?\\nCount.\"\nkind = \"integer\"\n");
    std::fs::write(folder.path().join("suite.toml"), "levels = [\"basic\"]").unwrap();
    std::fs::write(folder.path().join("basic.toml"), case("count") + &case("name")).unwrap();
    Suite::load(folder.path()).unwrap()
}

/// A report of a case with a failed and a good run, and one with two good ones.
fn report() -> Report {
    let mut report = Report {
        title: "Orders".to_owned(),
        model: "ollama:qwen3".to_owned(),
        mission: None,
        way: "programs · none".to_owned(),
        version: "0.1.0",
        commit: Some("abc1234".to_owned()),
        seed: 7,
        mode: Some(Mode::Programs),
        compression: Some("none".to_owned()),
        language_spec: None,
        runs: 2,
        is_judged: true,
        prices: Some("input=1,cached=0.5,output=10".parse().unwrap()),
        summary: Summary::default(),
        figures: None,
        differences: Vec::new(),
        cases: Vec::new(),
        unasked: Vec::new(),
    };
    let failed = run(
        1,
        &["wanted 1..100, got 101"],
        json!(101),
        vec![program(1, "(/ 1 0)", false, "division by zero"), program(2, "(return 101)", true, "101")],
    );
    let good = |number| run(number, &[], json!("a|b"), vec![program(1, ";; ```\n(return \"a|b\")", true, "\"a|b\"")]);
    let suite = suite();
    for (case, runs) in suite.cases.iter().zip([[failed, good(2)], [good(1), good(2)]]) {
        runs.into_iter().for_each(|run| report.add(case, run));
    }
    report
}

#[test]
fn the_short_page() {
    insta::assert_snapshot!(report().to_markdown(Detail::Short), @r#"
    # Orders

    ollama:qwen3 · ptc 0.1.0 (abc1234) · data of seed 7 · asked as programs · compression none · 2 runs of each case

    | passed | failed | total | attempts | retries | seconds | requests | input tokens | cached | output tokens | cost |
    |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
    | 3 | 1 | 4 | 5 | 4 | 6.0 | 5 | 800 | 400 | 80 | 0.0014 |

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

/// The same runs twice, as programs and as something else.
fn two() -> [Report; 2] {
    let way = "native-tools".to_owned();
    let other = Report { mode: Some(Mode::NativeTools), way, compression: None, title: "<b>".to_owned(), ..report() };
    let mut reports = [report(), other];
    Report::finish(&mut reports);
    reports
}

#[test]
fn evaluations_stand_side_by_side() {
    let text = comparison(&two());
    let (tables, method) = text.trim_end().rsplit_once("\n\n").unwrap();
    assert!(method.starts_with("In brackets: 95 % intervals. "), "{method}");
    insta::assert_snapshot!(tables, @r"
    | way | passed | failed | total | attempts | retries | seconds | requests | input tokens | cached | output tokens | cost |
    |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
    | programs · none | 3 | 1 | 4 | 5 | 4 | 6.0 | 5 | 800 | 400 | 80 | 0.0014 |
    | native-tools | 3 | 1 | 4 | 5 | 4 | 6.0 | 5 | 800 | 400 | 80 | 0.0014 |

    * native-tools passed 3 of 4 runs, programs · none 3 of 4: no difference is shown: +0.00 (-0.28 to +0.28), p 1.000; a run costs 1.00 (1.00 to 1.00) times as much.

    | way | pass rate | turns | requests | input tokens | cached | output tokens | USD a run | USD a passed run | pass rate against the first | cost against it |
    |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
    | programs · none | 0.75 (0.26 to 0.96) | 1.2 (0.0 to 4.4) | 1.2 (0.0 to 4.4) | 200 (200 to 200) | 100 (100 to 100) | 20 (20 to 20) | 0.00035 (0.00035 to 0.00035) | 0.00047 (0.0000 to 0.0024) | – | – |
    | native-tools | 0.75 (0.26 to 0.96) | 1.2 (0.0 to 4.4) | 1.2 (0.0 to 4.4) | 200 (200 to 200) | 100 (100 to 100) | 20 (20 to 20) | 0.00035 (0.00035 to 0.00035) | 0.00047 (0.0000 to 0.0024) | +0.00 (-0.28 to +0.28), p 1.000 | × 1.00 (1.00 to 1.00) |
    ");
}

#[test]
fn the_page_for_browsers_has_everything_and_runs_nothing() {
    let page = html_page(&two(), &["a <verdict>".to_owned()]);
    for part in [
        "<title>Orders</title>",
        "<td class=\"n bad\">1 of 2</td>",
        "<td class=\"n good\">2 of 2</td>",
        "<summary>count, run 1, programs · none: wanted 1..100, got 101</summary>",
        "<pre>(/ 1 0)</pre>",
        "<svg viewBox=",
        "tools</text>",
        "<p>a &lt;verdict&gt;</p>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(page.contains("default-src 'none'; style-src 'sha256-") && !page.contains("<script"), "{page}");
    let [_, other] = two();
    let page = html_page(&[other], &[]);
    assert!(page.contains("<h1>&lt;b&gt;</h1>") && !page.contains("<b>"), "{page}");
}

#[test]
fn json_has_everything() {
    let mut json = serde_json::to_value(report()).unwrap();
    let cost = json["summary"]["cost"].take().as_f64().unwrap();
    assert!((cost - 0.0014).abs() < 1e-12, "{cost}");
    assert_eq!(
        json.get("summary"),
        Some(&json!({
            "passed": 3, "failed": 1, "total": 4, "attempts": 5, "retries": 4, "turns": 5, "requests": 5,
            "duration_ms": 6000, "input_tokens": 800, "cached_tokens": 400, "output_tokens": 80, "cost": null,
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
