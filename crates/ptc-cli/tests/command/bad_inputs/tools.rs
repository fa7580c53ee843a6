use super::{Row, row, table};

/// A run whose first program calls a tool that is this script; its second program returns.
fn tool(name: &'static str, script: &str) -> Row {
    with(name, 0, script, "timeout = \"200s\"\n")
}

fn with(name: &'static str, exit: i32, script: &str, more: &str) -> Row {
    row(name, exit)
        .mission(
            &format!("[tools.t]\ncommand = [\"./t.sh\"]\nsignature = \"(n :int) -> :int\"\n{more}"),
            &["(def r (tool/t {:n 1}))\n(return r)", "(return 2)"],
        )
        .script("t.sh", &format!("#!/bin/sh\n{script}\n"))
        .args(["run", "m.toml"])
}

fn rows() -> Vec<Row> {
    let late = "timeout = \"300ms\"\n";
    vec![
        with("it hangs", 0, "sleep 1000", late),
        with("something that it started holds its output", 0, "sleep 1000 & echo 5", late),
        with("it writes errors without an end", 0, "cat > /dev/null; yes >&2", late),
        tool("it prints without an end", "cat > /dev/null; yes 1"),
        tool("it ends by a signal", "kill -SEGV $$"),
        tool("it fails with what a terminal would obey", "echo \"boom \\033[31m\" >&2; exit 3"),
        tool("it does not read its input", "exec <&-; echo 5"),
        tool("it lies", "echo '\"five\"'"),
        tool("it prints garbage", "printf '\\033[31m\\377\\000x'"),
        tool("it prints nothing", ":"),
        tool("it prints two values", "echo 1 2"),
        tool("it prints a key twice", "echo '{\"a\":1,\"a\":2}'"),
        tool("it prints NaN", "echo NaN"),
        tool("it prints brackets", "head -c 1000000 /dev/zero | tr '\\0' '['"),
        tool("it goes away", "rm t.sh; echo 5")
            .answers(&["(tool/t {:n 1})", "(tool/t {:n 2})", "(return 2)"])
            .changes(["t.sh"]),
        with("nobody is there to allow it", 2, "echo 5", "approve = true\n"),
        with("it is not allowed", 0, "echo 5", "approve = true\n").args(["--approve", "none"]),
        row("nobody is there to allow programs", 2)
            .mission("", &["(return 1)"])
            .args(["run", "m.toml", "--approve-programs"]),
        with("interrupted while it works", 130, "touch started; exec sleep 1000", "timeout = \"500s\"\n")
            .sh("\"$PTC\" run m.toml --record j & until [ -e started ]; do sleep 0.02; done; kill -INT $!; wait $!")
            .changes(["started", "j"]),
        with("terminated while it works", 143, "touch started; exec sleep 1000", "timeout = \"500s\"\n")
            .sh("\"$PTC\" run m.toml --record j & until [ -e started ]; do sleep 0.02; done; kill -TERM $!; wait $!")
            .changes(["started", "j"]),
        with("the terminal goes while it works", 129, "touch started; exec sleep 1000", "timeout = \"500s\"\n")
            .sh("env --default-signal=HUP \"$PTC\" run m.toml --record j & until [ -e started ]; do sleep 0.02; done; kill -HUP $!; wait $!")
            .changes(["started", "j"]),
    ]
}

#[test]
fn bad_tools() {
    insta::assert_snapshot!("tools", table(rows()));
}
