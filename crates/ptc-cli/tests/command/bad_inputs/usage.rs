use super::{Row, row, table};

/// `ptc eval` with this option.
fn eval(name: &'static str, option: &[&str]) -> Row {
    row(name, 2).args(["eval", "-e", "1"]).args(option)
}

/// `ptc run` with this option.
fn run(name: &'static str, option: &[&str]) -> Row {
    row(name, 2).mission("", &["(return 1)"]).args(["run", "m.toml"]).args(option)
}

fn rows() -> Vec<Row> {
    vec![
        row("no such command", 2).args(["evl"]),
        row("commands that belong to others", 2).args(["submit", "orders"]),
        row("a command that two have", 2).args(["approve", "orders/k1", "2/1"]),
        row("help for no such command", 2).args(["help", "rnu"]),
        row("a file that is not there", 2).args(["eval", "count.clj"]),
        row("no name to look up", 2).args(["doc", ""]),
        eval("no such option", &["--jsn"]),
        eval("a file and a text", &["p.clj"]),
        eval("batch and a text", &["--batch"]),
        eval("an unknown format", &["--format", "xml"]),
        eval("an unknown colour", &["--color", "\u{1b}[31mred"]),
        eval("a seed below 0", &["--seed", "-1"]),
        eval("a seed of letters", &["--seed", "x"]),
        eval("a seed above 64 bits", &["--seed", "99999999999999999999"]),
        eval("no time", &["--limit", "time=0"]),
        eval("time below 0", &["--limit", "time=-1s"]),
        eval("time without a unit that is known", &["--limit", "time=1e99"]),
        eval("no memory", &["--limit", "memory=0MB"]),
        eval("more memory than there is", &["--limit", "memory=99999999999999GB"]),
        eval("fuel below 0", &["--limit", "fuel=-1"]),
        eval("an unknown limit", &["--limit", "tme=5s"]),
        eval("a limit without a value", &["--limit", "fuel"]),
        run("the model as elsewhere", &["--model", "gpt"]),
        run("a preview as elsewhere", &["--dry-run"]),
        run("sampling as elsewhere", &["--temperature", "0"]),
        run("a key as elsewhere", &["--api-key", "k"]),
        run("data that is not there", &["--data", "orders=orders.csv"]),
        run("an output in an unknown format", &["--output=answer.txt"]),
        run("more words as elsewhere", &["--verbose"]),
        run("a letter too many", &["--strea"]),
        run("no timeout", &["--timeout", "0"]),
        run("no timeout, with a unit", &["--timeout", "0s"]),
        run("a timeout below 0", &["--timeout", "-1s"]),
        run("a timeout without a unit", &["--timeout", "5"]),
        run("a timeout of another form", &["--timeout", "1e99"]),
        run("no turns", &["--max-turns", "0"]),
        run("turns below 0", &["--max-turns", "-1"]),
        run("turns of letters", &["--max-turns", "x"]),
        run("more turns than can be counted", &["--max-turns", "99999999999999999999"]),
        run("no time for programs", &["--limit", "time=0"]),
        run("a bound that there is not", &["--limit", "speed=5"]),
        run("an input without a value", &["--set", "x"]),
        run("an input without a name", &["--set", "=1"]),
        run("an input with an invalid name", &["--set", "a \u{1b}[31m=1"]),
        run("an input with a key twice", &["--set", r#"a={"b":1,"b":2}"#]),
        run("no such strategy", &["--compression", "rolling"]),
        run("no such option of a strategy", &["--compression", "rolling-window,windw=2"]),
        run("an option of another kind", &["--compression", "rolling-window,window=x"]),
        run("no such language text", &["--language-spec", "ful"]),
        run("resume without a record", &["--resume"]),
        run("a journal of before", &["--journal", "j"]),
        run("a trace of before", &["--trace", "t"]),
        row("a command of before", 2).args(["trace", "t"]),
        run("typed values of before", &["--json", "--typed"]),
        run("a preview that records", &["--preview", "--record", "x.jsonl"]),
        run("an invalid answer", &["--approve", "maybe"]),
        row("an id with a line break", 2).args(["mission", "status", "a\nerror: b/\u{1b}[2J"]),
        row("an invalid port", 2).args(["view", "--port", "99999"]),
        row("no runs", 2).args(["bench", "-e", "1", "--runs", "0"]),
        row("a suite without runs", 2).args(["eval-suite", "s", "--runs", "-1"]),
        row("an unknown shell", 2).args(["completions", "ksh"]),
        row("init: a name with a slash", 2).args(["init", "x", "--name", "a/b"]),
        row("init: a name with a blank", 2).args(["init", "x", "--name", "a b"]),
        row("init: the folder is a file", 2).file("x", "mine").args(["init", "x"]),
        row("init: what is there stays", 2).file("x/mission.toml", "mine").args(["init", "x"]),
        row("man: the folder is a file", 2).file("x", "mine").args(["man", "--out", "x"]),
    ]
}

#[test]
fn bad_usage() {
    insta::assert_snapshot!("usage", table(rows()));
}
