use super::{Row, row, table};

/// After a run that was recorded: its record is in `j`, its step in `s`, its events in `l`.
fn after(name: &'static str, exit: i32, script: &str) -> Row {
    row(name, exit)
        .mission("", &["(def n 2)", "(return (inc n))"])
        .sh(&format!("\"$PTC\" run m.toml --json --record j > s 2> /dev/null; \"$PTC\" show j --events > l; {script}"))
        .changes(["s", "j", "l", "e"])
}

/// The end of a script: the call, after which the file is as before.
fn kept(call: &str) -> String {
    format!("k=$(mktemp); cp e $k; {call}; code=$?; cmp e $k || exit 99; rm $k; exit $code")
}

fn rows() -> Vec<Row> {
    let resume = "\"$PTC\" run m.toml --quiet --record e --resume";
    vec![
        row("show: not there", 2).args(["show", "no"]),
        row("show: a folder", 2).args(["show", "."]),
        row("show: empty", 2).file("e", " \n").args(["show", "e"]),
        row("show: a text", 2).file("e", "hello\u{1b}[31m\n").args(["show", "e"]),
        row("show: other JSON", 2).file("e", "{\"a\":1}").args(["show", "e"]),
        row("show: brackets", 2).file("e", "[".repeat(1_000_000)).args(["show", "e"]),
        row("show: a device without an end", 2).args(["show", "/dev/zero"]).slow(),
        row("show: no run is kept", 2).args(["show"]),
        after("show: a step cut off", 2, "head -c 400 s > e; \"$PTC\" show e"),
        after(
            "show: a step of a later release",
            2,
            "sed 's/\"version\":[0-9]*/\"version\":99/' s > e; \"$PTC\" show e",
        ),
        after("show: a log with a line that is not a record", 2, "cp l e; echo '{}' >> e; \"$PTC\" show e"),
        after("show: a log cut off is shown", 0, "head -c -5 l > e; \"$PTC\" show e"),
        after("show: JSON of a step", 0, "\"$PTC\" show s --json"),
        after("show: a page in place of the step", 2, "cp s e; \"$PTC\" show e --html e --force"),
        after("show: a page on a full disk", 2, "\"$PTC\" show s --html /dev/full"),
        after("replay: a log", 2, "\"$PTC\" replay l"),
        after("replay: plain values", 2, "\"$PTC\" run m.toml --json > e 2> /dev/null; \"$PTC\" replay e"),
        after("replay: no such strategy", 2, "\"$PTC\" replay s --compression nono"),
        after("replay: prices below 0", 2, "\"$PTC\" replay s --prices input=-1"),
        row("view: not there", 2).args(["view", "no"]),
        after(
            "journal: of another mission",
            2,
            &format!("cp j e; {}", kept("\"$PTC\" run o.toml --quiet --record e --resume")),
        )
        .file("o.toml", "mission = \"Sum.\"\nreplay = \"a.jsonl\"\n"),
        after(
            "journal: it holds a run already",
            2,
            &format!("cp j e; {}", kept("\"$PTC\" run m.toml --quiet --record e")),
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
