use super::{Row, row, table};

/// A gateway file, and calls of the gateway.
fn gateway(name: &'static str, exit: i32, file: &str, args: &[&str]) -> Row {
    row(name, exit).file("g.toml", file).args(args).changes([".ptc"])
}

/// A command of a durable engine that is not there.
fn engine(name: &'static str, args: &[&str]) -> Row {
    row(name, 2).args(args).args(["--engine", "http://127.0.0.1:1"])
}

/// A worker of a mission, until its arguments are refused.
fn worker(name: &'static str, args: &[&str]) -> Row {
    row(name, 2)
        .file("m.toml", "mission = \"Count.\"\nllm = \"http://127.0.0.1:1/v1#m\"\n")
        .args(["worker", "m.toml", "--listen", "127.0.0.1:0"])
        .args(args)
}

/// A suite with this level.
fn suite(name: &'static str, exit: i32, level: &str, args: &[&str]) -> Row {
    row(name, exit)
        .file("s/suite.toml", "levels = [\"x\"]\n")
        .file("s/x.toml", level)
        .args(["eval-suite", "s"])
        .args(args)
}

fn rows() -> Vec<Row> {
    let server = "[mcp.x]\ncommand = [\"cat\"]\ntimeout = \"300ms\"\n";
    // Without `required` the gateway continues without the server.
    let with = |command: &str| {
        format!("[mcp.x]\ncommand = [\"sh\", \"-c\", {command:?}]\ntimeout = \"300ms\"\nrequired = true\n")
    };
    let case = "[cases.a]\nmission = \"x\"\nkind = \"integer\"\nexpect = { eq = 1 }\n";
    vec![
        row("gateway: not there", 2).args(["mcp", "no.toml"]),
        row("gateway: a folder", 2).args(["mcp", "."]),
        row("gateway: a device without an end", 2).args(["mcp", "/dev/zero"]),
        gateway("gateway: an unknown key", 2, "[servers.x]\n", &["mcp", "g.toml"]),
        gateway("gateway: not TOML", 2, "hello", &["mcp", "g.toml"]),
        row("gateway: not UTF-8", 2).file("g.toml", b"a = \"\xe9\"").args(["mcp", "g.toml"]),
        row("gateway: JSON of another shape", 2).file("g.json", "[]").args(["mcp", "g.json"]),
        gateway("gateway: an invalid address", 2, server, &["mcp", "g.toml", "--http", "here"]),
        gateway(
            "gateway: no such server",
            2,
            "[mcp.x]\ncommand = [\"./no\"]\nrequired = true\n",
            &["mcp", "tools", "g.toml"],
        ),
        gateway(
            "gateway: a server that ends",
            2,
            &with("read request; exit 3").replace("300ms", "200s"),
            &["mcp", "tools", "g.toml"],
        ),
        gateway("gateway: a server that is silent", 2, &with("sleep 1000"), &["mcp", "tools", "g.toml"]),
        gateway("gateway: a server of garbage", 2, &with("yes"), &["mcp", "tools", "g.toml"]),
        gateway("gateway: a server without line ends", 2, &with("cat /dev/zero"), &["mcp", "tools", "g.toml"]),
        row("gateway: no state", 2).args(["mcp", "waiting"]),
        row("gateway: no such question", 2).folder(".ptc").folder(".ptc/mcp").args(["mcp", "approve", "x\u{1b}[31m"]),
        engine("engine: not there", &["mission", "submit", "m"]),
        engine("engine: a key with a blank", &["mission", "submit", "m", "--key", "a b"]),
        engine("engine: no name", &["mission", "submit", ""]),
        engine("engine: an invalid id", &["mission", "status", "x"]),
        engine("engine: edited arguments that are not JSON", &["mission", "approve", "x/y", "1/1", "--edit", "foo"]),
        engine("engine: edited arguments that are a list", &["mission", "approve", "x/y", "1/1", "--edit", "[1]"]),
        row("engine: an invalid address", 2).args(["mission", "status", "x/y"]).env("PTC_ENGINE", Some("foo")),
        row("worker: not there", 2).args(["worker", "no"]),
        row("worker: an empty folder", 2).folder("d").args(["worker", "d"]),
        row("worker: recorded answers", 2).mission("", &[]).args(["worker", "m.toml"]),
        worker("worker: an invalid limit", &["--limit", "openai=-1"]),
        worker("worker: nothing at once", &["--missions", "0"]),
        worker("worker: a time below 0", &["--suspend-after", "-1s"]),
        worker("worker: an unknown store", &["--blobs", "foo://x"]),
        row("suite: not there", 2).args(["eval-suite", "no"]),
        row("suite: a file", 2).file("s", "").args(["eval-suite", "s"]),
        suite("suite: no question", 2, "[cases.a]\n", &[]),
        suite("suite: no recording", 2, case, &[]),
        suite("suite: no such case", 2, case, &["--case", "no"]),
        suite("suite: an invalid price", 2, case, &["--prices", "input=x"]),
        suite("suite: no such level", 2, case, &["--level", "no"]),
    ]
}

#[test]
fn bad_servers_engines_and_suites() {
    insta::assert_snapshot!("engines", table(rows()));
}
