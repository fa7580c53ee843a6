use super::{Row, row, table};

/// After a run that was recorded in every form: the step is in `s`, its journal in `j`, its log in `l`.
fn after(name: &'static str, exit: i32, script: &str) -> Row {
    row(name, exit)
        .mission("", &["(def n 2)", "(return (inc n))"])
        .sh(&format!("\"$PTC\" run m.toml --json --typed --journal j --trace l > s 2> /dev/null; {script}"))
        .changes(["s", "j", "l", "e"])
}

/// The end of a script: the call, after which the file is as before.
fn kept(call: &str) -> String {
    format!("k=$(mktemp); cp e $k; {call}; code=$?; cmp e $k || exit 99; rm $k; exit $code")
}

fn rows() -> Vec<Row> {
    let resume = "\"$PTC\" run m.toml --quiet --journal e --resume";
    vec![
        row("trace: not there", 2).args(["trace", "no"]),
        row("trace: a folder", 2).args(["trace", "."]),
        row("trace: empty", 2).file("e", " \n").args(["trace", "e"]),
        row("trace: a text", 2).file("e", "hello\u{1b}[31m\n").args(["trace", "e"]),
        row("trace: other JSON", 2).file("e", "{\"a\":1}").args(["trace", "e"]),
        row("trace: brackets", 2).file("e", "[".repeat(1_000_000)).args(["trace", "e"]),
        row("trace: a device without an end", 2).args(["trace", "/dev/zero"]).slow(),
        row("trace: no run is kept", 2).args(["trace"]),
        after("trace: a step cut off", 2, "head -c 400 s > e; \"$PTC\" trace e"),
        after(
            "trace: a step of a later release",
            2,
            "sed 's/\"version\":[0-9]*/\"version\":99/' s > e; \"$PTC\" trace e",
        ),
        after("trace: a log with a line that is not a record", 2, "cp l e; echo '{}' >> e; \"$PTC\" trace e"),
        after("trace: a log cut off is shown", 0, "head -c -5 l > e; \"$PTC\" trace e"),
        after("trace: JSON of a step", 2, "\"$PTC\" trace s --json"),
        after("trace: a page in place of the step", 2, "cp s e; \"$PTC\" trace e --html e --force"),
        after("trace: a page on a full disk", 2, "\"$PTC\" trace s --html /dev/full"),
        after("replay: a log", 2, "\"$PTC\" replay l"),
        after("replay: plain values", 2, "\"$PTC\" run m.toml --json > e 2> /dev/null; \"$PTC\" replay e"),
        after("replay: no such strategy", 2, "\"$PTC\" replay s --compression nono"),
        after("replay: prices below 0", 2, "\"$PTC\" replay s --prices input=-1"),
        row("view: not there", 2).args(["view", "no"]),
        after(
            "journal: of another mission",
            2,
            &format!("cp j e; {}", kept("\"$PTC\" run o.toml --quiet --journal e --resume")),
        )
        .file("o.toml", "mission = \"Sum.\"\nreplay = \"a.jsonl\"\n"),
        after(
            "journal: it holds a run already",
            2,
            &format!("cp j e; {}", kept("\"$PTC\" run m.toml --quiet --journal e")),
        ),
        after("journal: the run has ended", 0, &format!("cp j e; {}", kept(resume))),
        after("journal: torn at its end", 0, &format!("head -c -5 j > e; {resume}")),
        after(
            "journal: torn in the middle",
            2,
            &format!("(head -n 2 j; echo '{{\"x'; tail -n 1 j) > e; {}", kept(resume)),
        ),
        after(
            "journal: of a later release",
            2,
            &format!("sed '1s/\"version\":[0-9]*/\"version\":99/' j > e; {}", kept(resume)),
        ),
        after("journal: another file", 2, &format!("echo mine > e; {}", kept(resume))),
        after("journal: locked by another run", 2, &format!("cp j e; exec 9<> e; flock 9; {resume}")),
    ]
}

#[test]
fn bad_records() {
    insta::assert_snapshot!("records", table(rows()));
}
