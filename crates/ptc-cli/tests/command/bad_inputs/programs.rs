use super::{Row, row, table};

/// A program in a file.
fn file(name: &'static str, exit: i32, content: impl AsRef<[u8]>) -> Row {
    row(name, exit).file("p.clj", content).args(["eval", "p.clj"])
}

fn rows() -> Vec<Row> {
    vec![
        row("a file that is not there", 2).args(["eval", "no.clj"]),
        row("a folder", 2).folder("d").args(["eval", "d"]),
        file("an empty file is nil", 0, ""),
        file("white space is nil", 0, " \n\t\r\n"),
        row("nothing at all is nil", 0).args(["eval", "/dev/null"]),
        file("not UTF-8", 2, b"(+ 1\n \"\xe9\")"),
        file("a byte order mark is fine", 0, b"\xef\xbb\xbf(+ 1 2)"),
        file("UTF-16", 2, b"\xff\xfe(\x00+\x00"),
        file("a byte 0", 1, b"(+ 1 \0 2)"),
        file("what a terminal would obey", 1, b"(foo\x1b[31m \xc2\x9b2J)"),
        file("10 MB", 2, "(+ 1 2)\n".repeat(1_250_000)),
        file("a million brackets", 1, "(".repeat(1_000_000)),
        file("a million digits", 1, "9".repeat(1_000_000)),
        file("brackets as deep as they fit", 1, "(".repeat(100_000)),
        row("200 MB of zeros", 2).zeros("p.clj", 200 << 20).args(["eval", "p.clj"]),
        row("a device without an end", 2).args(["eval", "/dev/zero"]),
        row("links in a circle", 2).link("a", "b").link("b", "a").args(["eval", "a"]),
        row("a pipe that somebody writes to", 0).sh("mkfifo f; echo '(+ 1 2)' > f & \"$PTC\" eval f; rm f"),
        row("a name that a terminal would obey", 2).args(["eval", "a\nerror: b\u{1b}[31m.clj"]),
        row("a name that is not UTF-8", 2).sh("exec \"$PTC\" eval $'a\\xff.clj'"),
        row("a name of 4000 letters", 2).args(["eval", &"a".repeat(4_000)]),
        row("standard input is not UTF-8", 2).args(["eval"]).stdin(b"(+ 1\xff"),
        row("standard input without an end", 2).sh("exec \"$PTC\" eval < /dev/zero"),
        row("standard input is closed", 0).sh("exec \"$PTC\" eval <&-"),
        row("a program that never ends", 3).args(["eval", "-e", "(loop [] (recur))", "--limit", "time=50ms"]),
        row("a program that fails", 1).args(["eval", "-e", "(fail \"no\u{1b}[2J\")"]),
        row("a name that nothing defines", 1).args(["eval", "-e", "(prinln 1)"]),
        row("check: not there", 2).args(["check", "no.clj"]),
        row("check: a device without an end", 2).args(["check", "/dev/zero"]),
        row("check: a bad signature", 2).args(["check", "-e", "1", "--tool", "rate=(nights"]),
        row("bench: not there", 2).args(["bench", "no.clj"]),
        row("bench: it fails", 1).args(["bench", "-e", "(/ 1 0)", "--runs", "2"]),
        row("doc: no such function", 2).args(["doc", "redcue\u{1b}[31m"]),
        row("memory: garbage", 2).file("n.json", "hello").args(["eval", "-e", "(def a 1)", "--memory", "n.json"]),
        row("memory: a folder", 2).folder("n").args(["eval", "-e", "(def a 1)", "--memory", "n"]),
        row("memory: half of it", 2).file("n.json", r#"{"a":{"value":{"t":"int","#).args([
            "eval",
            "-e",
            "(def a 1)",
            "--memory",
            "n.json",
        ]),
        row("memory: a program that fails leaves it", 1)
            .file("n.json", r#"{"a":{"value":{"t":"int","v":"1"},"order":1}}"#)
            .args(["eval", "-e", "(do (def b 2) (/ a 0))", "--memory", "n.json"]),
        row("memory: its folder is not there", 2).args(["eval", "-e", "(def a 1)", "--memory", "no/n.json"]),
        row("repl: a form that is not closed", 1).args(["repl"]).stdin("(+ 1 2)\n(foo\n"),
        row("repl: not UTF-8", 2).args(["repl"]).stdin(b"\xff\xfe\n"),
        row("repl: input without an end", 2).sh("exec \"$PTC\" repl < /dev/zero"),
        row("repl: no such mission", 2).args(["repl", "no.toml"]),
        row("batch: a line that is not a request", 0).args(["eval", "--batch"]).stdin("x\n[]\n{\"source\":5}\n\n{}\n"),
        row("batch: a line without an end", 2).sh("exec \"$PTC\" eval --batch < /dev/zero").slow(),
    ]
}

#[test]
fn bad_programs() {
    insta::assert_snapshot!("programs", table(rows()));
}
