//! `ptc check`, `ptc doc` and `ptc bench` as their users run them.

use std::path::Path;
use std::process::Output;

use serde_json::Value as Json;

fn ptc(args: &[&str]) -> Output {
    super::ptc(Path::new("."), args)
}

/// Exit code, standard output and standard error as one text.
fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!("exit {}\n{}{}", output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn json(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn check_shows_all_problems_with_their_places() {
    insta::assert_snapshot!(told(&ptc(&["check", "-e", "(defn f [x] (inc y))\n(f 1 2)\n(println \"ran\")"])), @r"
    exit 1
    error[undefined_symbol]: undefined symbol 'y'
     --> <command line>:1:18
      |
    1 | (defn f [x] (inc y))
      |                  ^
    error[arity_error]: f: expected 1 argument, got 2
     --> <command line>:2:1
      |
    2 | (f 1 2)
      | ^
    ");
}

#[test]
fn check_runs_nothing_and_keeps_silent_about_a_good_program() {
    assert_eq!(told(&ptc(&["check", "-e", "(println \"ran\") (fail 1)"])), "exit 0\n");
}

#[test]
fn check_shows_warnings_without_failing() {
    let output = ptc(&["check", "-e", "(map inc [1]) 2"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("warning[dropped-result]"), "{}", told(&output));
}

#[test]
fn check_and_eval_warn_of_a_closing_delimiter_too_many() {
    insta::assert_snapshot!(told(&ptc(&["check", "-e", "(+ 1 2))"])), @r"
    exit 0
    warning[surplus-delimiter]: 1 closing delimiter too many: the program ends before it
     --> <command line>:1:8
      |
    1 | (+ 1 2))
      |        ^
    ");
    let evaluated = told(&ptc(&["eval", "-e", "(+ 1 2))"]));
    assert!(evaluated.starts_with("exit 0\n3\n") && evaluated.contains("warning[surplus-delimiter]"), "{evaluated}");
}

#[test]
fn check_for_machines_has_the_shape_of_a_batch_answer() {
    insta::assert_snapshot!(told(&ptc(&["check", "--json", "-e", "(qqqq)\n(vvvv)"])), @r#"
    exit 1
    {"ok":false,"error":{"reason":"undefined_symbol","message":"undefined symbol 'qqqq' at line 1, column 2","line":1,"column":2,"all":[{"reason":"undefined_symbol","message":"undefined symbol 'qqqq' at line 1, column 2","line":1,"column":2},{"reason":"undefined_symbol","message":"undefined symbol 'vvvv' at line 2, column 2","line":2,"column":2}]},"warnings":[]}
    "#);
    let good = json(&ptc(&["check", "--json", "-e", "(map inc [1]) 2"]));
    assert_eq!(
        (&good["ok"], &good["error"], &good["warnings"][0]["code"]),
        (&Json::Bool(true), &Json::Null, &"dropped-result".into())
    );
}

#[test]
fn check_knows_data_and_tools_of_the_command_line() {
    let call = "(tool/rate {:nights data/n})";
    let known = ["check", "-e", call, "--tool", "rate=(nights :int) -> :float", "--data", "n=2"];
    assert_eq!(told(&ptc(&known)), "exit 0\n");
    let unknown = told(&ptc(&["check", "-e", call]));
    assert!(
        unknown.starts_with("exit 1\n") && unknown.contains("tool_not_found") && unknown.contains("data_not_found"),
        "{unknown}"
    );
    assert_eq!(told(&ptc(&["check", "-e", "(tool/any {:x 1})", "--tool", "any"])), "exit 0\n");
    let unreadable = told(&ptc(&["check", "-e", "1", "--tool", "rate=(nights int"]));
    assert!(unreadable.starts_with("exit 2\n") && unreadable.contains("write NAME=SIGNATURE"), "{unreadable}");
    let unnamed = told(&ptc(&["check", "-e", "1", "--tool", "a.b=x"]));
    assert!(
        unnamed.starts_with("exit 2\n") && unnamed.contains("--tool a.b=x: invalid tool name 'a.b': use letters"),
        "{unnamed}"
    );
}

#[test]
fn check_says_which_tools_a_program_reaches() {
    let program = "(doseq [o data/orders] (tool/pay o)) (tool/rows)";
    let known = ["check", "--effects", "--tool", "pay", "--tool", "rows", "--data", "orders=[1,2,3]", "-e"];
    insta::assert_snapshot!(told(&ptc(&[&known[..], &[program]].concat())), @"
    exit 0
    tool/pay   write  ≤ count(data/orders)
    tool/rows  write  1
    ");
    insta::assert_snapshot!(told(&ptc(&[&known[..], &["(map tool/pay (tool/rows))", "--json"]].concat())), @r#"
    exit 0
    {"ok":true,"warnings":[],"effects":[{"name":"pay","effect":"write","at_most":"unbounded","limit":null},{"name":"rows","effect":"write","at_most":"1","limit":1}]}
    "#);
    insta::assert_snapshot!(told(&ptc(&[&known[..], &["1"]].concat())), @"
    exit 0
    calls no tools
    ");
    insta::assert_snapshot!(told(&ptc(&["check", "--effects", "-e", "1"])), @"
    exit 0
    calls no tools; none are known, name them with --tool or --mission
    ");
    assert!(told(&ptc(&["check", "--effects", "-e", "(tool/pay 1)"])).starts_with("exit 1\nerror"));
}

#[test]
fn check_knows_what_a_mission_gives() {
    let folder = tempfile::tempdir().unwrap();
    let mission = "mission = \"m\"\n[data]\nlimit = 3\n[tools.rate]\nsignature = \"(nights :int) -> :float\"\nprogram = \"(* 89.5 nights)\"\n";
    std::fs::write(folder.path().join("m.toml"), mission).unwrap();
    std::fs::write(folder.path().join("a.clj"), "(tool/rate {:nights data/limit})").unwrap();
    assert_eq!(told(&super::ptc(folder.path(), &["check", "--mission", "m.toml", "a.clj"])), "exit 0\n");
    assert!(told(&super::ptc(folder.path(), &["check", "a.clj"])).starts_with("exit 1\n"));
    assert!(told(&super::ptc(folder.path(), &["check", "b.clj"])).starts_with("exit 2\n"));
}

#[test]
fn check_names_the_field_that_no_record_of_a_mission_has() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("trips.csv"), "id,cost\n1,5\n2,7\n").unwrap();
    let mission = "mission = \"m\"\n[data]\ntrips = { file = \"trips.csv\" }\n";
    std::fs::write(folder.path().join("m.toml"), mission).unwrap();
    let check = |source: &str| told(&super::ptc(folder.path(), &["check", "--mission", "m.toml", "-e", source]));
    insta::assert_snapshot!(check("(sum-by :cots data/trips)"), @r"
    exit 1
    error[unknown_field]: no record of data/trips has :cots; did you mean :cost?
     --> <command line>:1:9
      |
    1 | (sum-by :cots data/trips)
      |         ^^^^^
    ");
    assert_eq!(check("(sum-by :cost data/trips)"), "exit 0\n");
}

#[test]
fn check_reads_definitions_and_leaves_them_alone() {
    let folder = tempfile::tempdir().unwrap();
    super::ptc(folder.path(), &["eval", "-e", "(def total 7)", "--memory", "m.json"]);
    let before = std::fs::read_to_string(folder.path().join("m.json")).unwrap();
    assert_eq!(
        told(&super::ptc(folder.path(), &["check", "-e", "(def total (inc total))", "--memory", "m.json"])),
        "exit 0\n"
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("m.json")).unwrap(), before);
}

#[test]
fn doc_describes_a_name_whatever_its_namespace() {
    insta::assert_snapshot!(told(&ptc(&["doc", "clojure.string/join"])), @r#"
    exit 0
    join  (function, also str/join, Strings)
      (join coll)
      (join separator coll)

      The texts of the elements with `separator` between them.

      (join ", " [1 nil "x"])  ;=> "1, , x"
    "#);
    assert_eq!(told(&ptc(&["doc", "str/join"])), told(&ptc(&["doc", "join"])));
    insta::assert_snapshot!(told(&ptc(&["doc", "if-let"])), @r"
    exit 0
    if-let  (macro, Special forms and macros)
      (if-let [name test] then else?)

      As `if`, with the tested value bound in the second form.
    ");
    let set_join = json(&ptc(&["doc", "set/join", "--json"]));
    assert_eq!((&set_join["name"], &set_join["kind"]), (&"set/join".into(), &"function".into()));
}

#[test]
fn doc_suggests_the_name_that_was_meant() {
    insta::assert_snapshot!(told(&ptc(&["doc", "gruop-by"])), @r"
    exit 2
    error: there is no function or special form named gruop-by; did you mean group-by?; `ptc doc` lists all
    ");
}

#[test]
fn doc_lists_each_name_once() {
    let list = told(&ptc(&["doc"]));
    assert_eq!(list.lines().filter(|line| line.starts_with("  group-by ")).count(), 1);
    let all = json(&ptc(&["doc", "--json"]));
    assert_eq!(all.as_array().unwrap().len(), list.lines().filter(|line| line.starts_with("  ")).count());
}

#[test]
fn doc_prints_what_models_are_taught() {
    let text = told(&ptc(&["doc", "--language-spec"]));
    assert_eq!(text, told(&ptc(&["doc", "--language-spec", "lean"])));
    assert!(text.contains("(return"), "{text}");
    assert_eq!(json(&ptc(&["doc", "--language-spec", "minimal", "--json"]))["key"], "minimal");
    let unknown = told(&ptc(&["doc", "--language-spec", "klingon"]));
    assert!(unknown.starts_with("exit 2\n") && unknown.contains("available: lean, full, minimal"), "{unknown}");
}

#[test]
fn bench_gives_medians_fuel_and_memory() {
    let answer = json(&ptc(&[
        "bench",
        "--json",
        "--runs",
        "3",
        "--data",
        "rows=[1, 2, 3]",
        "-e",
        "(reduce + (map inc data/rows))",
    ]));
    let fields: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["compile_ms", "run_ms", "total_ms", "runs", "fuel", "memory"]);
    assert_eq!(answer["runs"], 3);
    let ms = |name: &str| answer[name].as_f64().unwrap();
    assert!(ms("compile_ms") > 0.0 && ms("run_ms") > 0.0 && ms("total_ms") >= ms("run_ms"), "{answer}");
    assert!(answer["fuel"].as_u64().unwrap() >= 4, "{answer}");
    let table = told(&ptc(&["bench", "--runs", "2", "-e", "(+ 1 2)"]));
    let heads: Vec<&str> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(heads, ["exit", "ms", "compile", "run", "total", "2"], "{table}");
}

#[test]
fn bench_of_a_failing_program_shows_its_problem() {
    insta::assert_snapshot!(told(&ptc(&["bench", "-e", "(/ 1 0)"])), @r"
    exit 1
    error[arithmetic_error]: Divide by zero
     --> <command line>:1:1
      |
    1 | (/ 1 0)
      | ^
    ");
    let endless = ptc(&["bench", "--limit", "fuel=1000", "-e", "(loop [] (recur))"]);
    assert_eq!(endless.status.code(), Some(3), "{}", told(&endless));
}

#[test]
fn a_word_that_begins_with_a_bracket_is_the_program() {
    for (program, value) in [("(+ 1 2)", "3\n"), ("[1 2]", "[1 2]\n"), ("{:a 1}", "{:a 1}\n"), ("#{1}", "#{1}\n")] {
        assert_eq!(told(&ptc(&["eval", program])), format!("exit 0\n{value}"), "{program}");
    }
    // A file of that name wins.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("(a)"), "(+ 2 3)").unwrap();
    assert_eq!(told(&super::ptc(folder.path(), &["eval", "(a)"])), "exit 0\n5\n");
    assert_eq!(told(&ptc(&["check", "(inc 1)"])), told(&ptc(&["check", "-e", "(inc 1)"])));
}

#[test]
fn without_a_command_it_says_what_to_do_first() {
    let output = ptc(&[]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("  ptc init shop ") && text.lines().count() < 12, "{text}");
}

#[test]
fn what_a_program_is_compiled_from_and_to_is_printed() {
    let show = |what: &[&str]| {
        let program = ["eval", "-e", "(defn f [x] (if (< x 10) 1 x)) (println (count (filter odd? [1 2])))", "--show"];
        let output = ptc(&[&program[..], what].concat());
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(show(&["passes"]).contains("last-uses"));
    assert!(show(&["optimized"]).contains("(each fold"));
    assert!(show(&["optimized", "--without", "fusion"]).contains("(each filter"));
    let instructions = show(&["instructions"]);
    assert!(instructions.starts_with("f: ") && instructions.contains("LessInt r0 10\n"), "{instructions}");
    assert_ne!(instructions, show(&["instructions", "--without", "fusion"]));
    let wrong = ptc(&["eval", "--show", "instructions", "-e", "(nope)"]);
    assert_eq!((wrong.status.code(), wrong.stdout.len()), (Some(1), 0));
}
