use super::{Row, row, table};

/// A run with these options.
fn run(name: &'static str, exit: i32, options: &[&str]) -> Row {
    row(name, exit).mission("", &["(return 1)"]).args(["run", "m.toml"]).args(options)
}

/// A run by a shell.
fn shell(name: &'static str, exit: i32, script: &str) -> Row {
    row(name, exit).mission("", &["(return 1)"]).sh(script)
}

fn rows() -> Vec<Row> {
    vec![
        shell("eval: a full disk", 2, "exec \"$PTC\" eval -e '(range 10)' > /dev/full"),
        shell("eval: prints to a full disk", 2, "exec \"$PTC\" eval -e '(println 1)' > /dev/full"),
        shell(
            "eval: a full disk loses no definition",
            2,
            "\"$PTC\" eval -e '(def a 1)' --memory n.json > /dev/full; code=$?; grep -q '\"a\"' n.json && exit $code",
        )
        .changes(["n.json"]),
        shell(
            "eval: a reader who has seen enough",
            0,
            "\"$PTC\" eval -e '(range 100000)' | head -c1 > /dev/null; exit ${PIPESTATUS[0]}",
        ),
        shell(
            "eval: a failure whose prints nobody reads",
            1,
            "\"$PTC\" eval -e '(do (println (range 100000)) (fail 1))' | true; exit ${PIPESTATUS[0]}",
        ),
        shell(
            "eval: a failure as JSON that nobody reads",
            1,
            "\"$PTC\" eval --json -e '(do (println (range 100000)) (/ 1 0))' | true; exit ${PIPESTATUS[0]}",
        ),
        shell("check: problems that nobody reads", 1, "\"$PTC\" check --json -e '(foo' | true; exit ${PIPESTATUS[0]}"),
        shell("doc: a reader who has seen enough", 0, "\"$PTC\" doc | head -1 > /dev/null; exit ${PIPESTATUS[0]}"),
        shell("schema: a full disk", 2, "exec \"$PTC\" schema > /dev/full"),
        shell("eval: errors to a full disk", 1, "exec \"$PTC\" eval -e '(foo)' 2> /dev/full"),
        shell("eval: errors to nobody", 1, "exec \"$PTC\" eval -e '(foo)' 2>&-"),
        shell("run: a full disk", 2, "exec \"$PTC\" run m.toml > /dev/full"),
        shell(
            "run: a failure as JSON that nobody reads",
            1,
            "\"$PTC\" run f.toml --json --quiet | true; exit ${PIPESTATUS[0]}",
        )
        .file("f.toml", "mission = \"a\"\nreplay = \"f.jsonl\"\n")
        .file("f.jsonl", "{\"content\":\"(do (println (range 10000)) (fail 1))\"}\n"),
        shell("run: nothing is open", 0, "exec \"$PTC\" run m.toml --record r.jsonl <&- >&- 2>&-").changes(["r.jsonl"]),
        run("run: a record on a full disk", 2, &["--record", "/dev/full", "--quiet"]),
        run("run: requests on a full disk", 1, &["--requests", "/dev/full", "--quiet"]),
        run("run: records are a folder", 2, &["--record", "d"]).folder("d"),
        run("run: records in place of the mission", 2, &["--record", "m.toml", "--force"]),
        run("run: records in place of the answers", 2, &["--record", "./a.jsonl", "--force"]),
        run("run: records in place of others", 2, &["--record", "mine"]).file("mine", "mine"),
        run("run: record and requests in one file", 2, &["--record", "x", "--requests", "./x"]),
        run("run: records where no folder can be", 2, &["--record", "mine/x"]).file("mine", "mine"),
        run("run: records where nobody may write", 2, &["--record", "/proc/x/y"]),
        run("run: runs cannot be kept", 0, &["--quiet"]).file(".ptc", "mine"),
        run("run: no home", 0, &["--quiet"]).env("HOME", None),
        run("run: no place for drafts", 0, &["--quiet"]).env("TMPDIR", Some("/no/such")),
        shell("repl: no home", 0, "\"$PTC\" repl <<< '(+ 1 2)'").env("HOME", None),
    ]
}

#[test]
fn bad_outputs() {
    insta::assert_snapshot!("outputs", table(rows()));
}
