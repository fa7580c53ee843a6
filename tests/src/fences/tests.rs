use super::{of, shell};

#[test]
fn fences_have_their_line_kind_notes_and_text() {
    let page = "# A\n\n```sh,example\nls\n```\n\n* b\n\n  ````text\n  ```\n    c\n  ````\n";
    let fences = of("a.md", page);
    let seen: Vec<_> =
        fences.iter().map(|fence| (fence.place(), &*fence.kind, fence.is("example"), &*fence.text)).collect();
    assert_eq!(seen, [("a.md:3".into(), "sh", true, "ls\n"), ("a.md:9".into(), "text", false, "```\n  c\n")]);
}

#[test]
fn commands_are_words_without_what_only_a_shell_reads() {
    let commands = shell::commands(
        "# all\nA=1 ptc run m.toml \\\n  --set 'x=a b' > out.json  # why\ncat < in | jq \".a\" && b#c\n",
    );
    let words: Vec<Vec<&str>> = commands.iter().map(|words| words.iter().map(String::as_str).collect()).collect();
    assert_eq!(words, [vec!["ptc", "run", "m.toml", "--set", "x=a b"], vec!["cat"], vec!["jq", ".a"], vec!["b#c"]]);
}
