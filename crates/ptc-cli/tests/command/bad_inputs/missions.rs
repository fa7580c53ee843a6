use super::{Row, row, table};

const HEAD: &str = "mission = \"Count.\"\nreplay = \"a.jsonl\"\n";

/// A mission file that `ptc run` refuses.
fn file(name: &'static str, content: impl AsRef<[u8]>) -> Row {
    row(name, 2).answers(&["(return 1)"]).file("m.toml", content).args(["run", "m.toml"])
}

/// The same for a mission that is fine except for these lines.
fn with(name: &'static str, lines: &str) -> Row {
    file(name, format!("{HEAD}{lines}"))
}

fn files() -> Vec<Row> {
    vec![
        row("not there", 2).args(["run", "no.toml"]),
        row("a folder", 2).folder("m.toml").args(["run", "m.toml"]),
        file("empty", ""),
        file("UTF-16", b"\xfe\xff\0m\0i"),
        file("a byte 0", b"mission = \"a\0b\"\n"),
        file("a quote that never closes", "mission = \"a\n"),
        with("lists in lists", &format!("[data]\nx = {}\n", "[".repeat(100_000))),
        with("names in names", &format!("[data]\n{}b = 1\n", "a.".repeat(100_000))),
        with("a number that is too large", "[data]\nx = 1e999\n"),
        with("a number of 100,000 digits", &format!("[data]\nx = {}\n", "9".repeat(100_000))),
        row("200 MB of zeros", 2).zeros("m.toml", 200 << 20).args(["run", "m.toml"]),
        row("a device without an end", 2).link("m.toml", "/dev/zero").args(["run", "m.toml"]),
        row("checked: a device without an end", 2).link("m.toml", "/dev/zero").args(["check", "m.toml"]),
        row("checked: two mistakes", 1)
            .file("m.toml", "mission = \"a {{jhar}}\"\nmax_turns = 0\nsignature = \"(jahr :int) -> :itn\"\n")
            .args(["check", "m.toml"]),
        row("checked: what a terminal would obey", 0)
            .mission("[data]\n\"a\\u001b[31m\" = 1\n", &[])
            .args(["check", "m.toml"]),
    ]
}

fn contents() -> Vec<Row> {
    vec![
        file(
            "a placeholder that is nearly an input",
            "mission = \"In {{jhar}}\"\nreplay = \"a.jsonl\"\nsignature = \"(jahr :int) -> :int\"\n[data]\njahr = 3\n",
        ),
        with("system text: a device without an end", "system_prompt = { file = \"/dev/zero\" }\n"),
        with("a tool: not there", "[tools.t]\ncommand = [\"./no.sh\"]\n"),
        with("a tool: a folder", "[tools.t]\ncommand = [\"./d\"]\n").folder("d"),
        with("a tool: calls without an end", "[tools.t]\nanswers = { file = \"/dev/zero\" }\n"),
        with("servers: no object", "mcp_servers = \"s.json\"\n").file("s.json", "[]"),
        file("no model", "mission = \"a\"\n"),
        file("a provider without its key", "mission = \"a\"\nllm = \"openai:gpt-5\"\n"),
        file("a variable names no provider", "mission = \"a\"\n").env("PTC_LLM", Some("olama:x")),
        file("a variable that is not an address", "mission = \"a\"\nllm = \"ollama:x\"\n")
            .env("OLLAMA_HOST", Some("::::")),
        file("a key with a line break", "mission = \"a\"\nllm = \"openai:x\"\n").env("OPENAI_API_KEY", Some("a\nb")),
        row("an empty mission works, with a warning", 0)
            .answers(&["(return 1)"])
            .file("m.toml", "mission = \" \"\nreplay = \"a.jsonl\"\n")
            .args(["run", "m.toml", "--quiet"]),
        row("braces that never close work, with a warning", 0)
            .answers(&["(return 1)"])
            .file("m.toml", "mission = \"a\\n b {{x\"\nreplay = \"a.jsonl\"\n")
            .args(["run", "m.toml", "--quiet"]),
    ]
}

fn answers() -> Vec<Row> {
    let with = |name, exit, answers: &[u8]| {
        row(name, exit).file("m.toml", HEAD).file("a.jsonl", answers).args(["run", "m.toml", "--quiet"])
    };
    vec![
        row("answers: not there", 2).file("m.toml", HEAD).args(["run", "m.toml"]),
        row("answers: no name", 2).file("m.toml", HEAD).args(["run", "m.toml", "--llm", "replay:"]),
        row("answers: a device without an end", 2)
            .file("m.toml", "mission = \"a\"\nreplay = \"/dev/zero\"\n")
            .args(["run", "m.toml"])
            .slow(),
        with("answers: none", 1, b""),
        with("answers: too few", 1, b"{\"content\":\"(def a 1)\"}\n"),
        with("answers: another type", 2, b"{\"content\":1}\n"),
        with("answers: cut off", 2, b"{\"content\":\"x\"\n"),
        with("answers: both", 2, b"{\"content\":\"x\",\"error\":{}}\n"),
        with("answers: a key twice", 2, b"{\"content\":\"x\",\"content\":\"y\"}\n"),
        with("answers: not UTF-8", 2, b"\n{\"content\":\"\xe9\"}\n"),
        with("answers: brackets", 2, format!("{{\"content\":{}", "[".repeat(100_000)).as_bytes()),
        with("answers: an unknown key works, with a warning", 0, b"{\"content\":\"(return 1)\",\"conent\":1}\n"),
        with("answers: no program", 1, b"{\"content\":\"\\u001b[31mhello\"}\n"),
    ]
}

#[test]
fn bad_mission_files() {
    insta::assert_snapshot!("mission_files", table(files()));
}

#[test]
fn bad_missions() {
    insta::assert_snapshot!("missions", table(contents()));
}

#[test]
fn bad_recorded_answers() {
    insta::assert_snapshot!("recorded_answers", table(answers()));
}
