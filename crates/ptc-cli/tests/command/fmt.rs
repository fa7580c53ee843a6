//! `ptc fmt` as its users run it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use ptc_runner::lisp::syntax::tokens;

use crate::{command, ptc};

/// Exit code, standard output and standard error as one text.
fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!("exit {}\n{}{}", output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn piped(args: &[&str], input: &str) -> String {
    let mut command = command(Path::new("."), args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    told(&child.wait_with_output().unwrap())
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    insta::assert_snapshot!(piped(&["fmt"], "(let [a 1]\n(inc  a)) ; one"), @"
    exit 0
    (let [a 1]
      (inc a)) ; one
    ");
    insta::assert_snapshot!(piped(&["fmt", "-", "--check"], "(inc  1)"), @"
    exit 1
    <stdin>
    ");
    assert_eq!(piped(&["fmt", "--check"], "(inc 1)\n"), "exit 0\n");
    insta::assert_snapshot!(piped(&["fmt"], "(inc 1\n"), @"
    exit 1
    error[parse_error]: Unexpected end of input: '(' opened at line 1, column 1 was never closed
     --> <stdin>:1:1
      |
    1 | (inc 1
      | ^
    ");
}

#[test]
fn files_are_rewritten_where_they_change() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for (name, text) in
        [("a.clj", "(+  1 2)"), ("b.clj", "(+ 1 2)\n"), ("c.clj", "(+ 1  2))"), ("d.md", "```clojure\n(+  1 2)\n```\n")]
    {
        fs::write(file(name), text).unwrap();
    }
    let names = ["a.clj", "b.clj", "c.clj", "d.md"];
    let check = ["fmt", "--check"].iter().chain(&names).copied().collect::<Vec<_>>();
    insta::assert_snapshot!(told(&ptc(folder.path(), &check)), @"
    exit 1
    a.clj
    d.md
    error[parse_error]: this closing bracket closes nothing
     --> c.clj:1:9
      |
    1 | (+ 1  2))
      |         ^
    ");
    assert_eq!(fs::read_to_string(file("a.clj")).unwrap(), "(+  1 2)");
    let write = ["fmt"].iter().chain(&names).copied().collect::<Vec<_>>();
    assert_eq!(ptc(folder.path(), &write).status.code(), Some(1), "c.clj is not a program");
    assert_eq!(fs::read_to_string(file("a.clj")).unwrap(), "(+ 1 2)\n");
    assert_eq!(fs::read_to_string(file("c.clj")).unwrap(), "(+ 1  2))");
    assert_eq!(fs::read_to_string(file("d.md")).unwrap(), "```clojure\n(+ 1 2)\n```\n");
    assert_eq!(told(&ptc(folder.path(), &["fmt", "--check", "a.clj", "b.clj", "d.md"])), "exit 0\n");
    insta::assert_snapshot!(told(&ptc(folder.path(), &["fmt", "a.clj", "-"])), @"
    exit 2
    error: `-` is standard input: format it alone, or name only files
    ");
    insta::assert_snapshot!(told(&ptc(folder.path(), &["fmt", "nowhere.clj"])), @"
    exit 2
    error: cannot read nowhere.clj: No such file or directory (os error 2)
    ");
}

/// The programs of the language's own tests: same tokens, same comments, and formatted once is formatted.
#[test]
fn the_programs_of_the_tests_stay_what_they_are() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/lang")];
    let mut programs: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => programs.extend(path.extension().is_some_and(|ending| ending == "clj").then_some(path)),
            }
        }
    }
    assert!(programs.len() > 100, "{}", programs.len());
    let folder = tempfile::tempdir().unwrap();
    let copies: Vec<String> = (0..programs.len()).map(|number| format!("{number}.clj")).collect();
    for (copy, program) in copies.iter().zip(&programs) {
        fs::copy(program, folder.path().join(copy)).unwrap();
    }
    let args =
        |first: &'static [&str]| first.iter().copied().chain(copies.iter().map(String::as_str)).collect::<Vec<_>>();
    let done = ptc(folder.path(), &args(&["fmt"]));
    let again = ptc(folder.path(), &args(&["fmt", "--check"]));
    assert_eq!((again.status, again.stdout.as_slice()), (done.status, [].as_slice()));
    let mut changed = 0;
    for (copy, program) in copies.iter().zip(&programs) {
        let (before, after) =
            (fs::read_to_string(program).unwrap(), fs::read_to_string(folder.path().join(copy)).unwrap());
        let texts = |text: &str| -> Vec<String> {
            tokens(text)
                .iter()
                .map(|token| text[token.span.start as usize..token.span.end as usize].trim_end().to_owned())
                .collect()
        };
        assert_eq!(texts(&after), texts(&before), "{}", program.display());
        changed += usize::from(after != before);
    }
    assert!(changed > 10, "{changed} of {} are formatted", programs.len());
}
