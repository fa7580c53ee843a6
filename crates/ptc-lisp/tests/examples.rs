//! The examples run and print what they should.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros, reason = "tests are hosts")]

use std::process::Command;

/// What an example prints; `None` when it is not there or fails.
fn output(name: &str) -> Option<String> {
    // Cargo builds examples before tests, and puts them beside the folder of the test programs.
    let test = std::env::current_exe().ok()?;
    let example = test.parent()?.parent()?.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(example).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn lisp_only_runs_programs_one_after_another() {
    let wanted = "\
> (defn price [{:keys [room nights]}] (* nights (tool/rate {:room room})))
#'price
> (map price data/stays)
[180 240]
> (println \"all:\" (apply + (map price data/stays)))
all: 420
nil
> (price {:room \"cellar\" :nights 1})
tool 'rate' failed: there is no room cellar at line 1, column 1 (in price)
> (pirce (first data/stays))
undefined symbol 'pirce'. Did you mean 'price'? at line 1, column 2
> (loop [] (recur))
stopped after 1000000 steps: the program loops too long; work on less data or end the loop at line 1, column 10
";
    assert_eq!(output("lisp_only").as_deref(), Some(wanted));
}

#[test]
fn rules_are_compiled_once_and_called_from_threads() {
    let wanted = "\
4 parts, 201372
>: expected numbers, got string
at line 6, column 10, in score
  |
6 |      (if (> total 1000) 50 0)
  |          ^
";
    assert_eq!(output("rules").as_deref(), Some(wanted));
}

#[test]
fn plugins_share_functions_and_stay_in_a_file() {
    let wanted = "\
may root: [true false]
found: [\"root\"]
a lone function: the definition of borrowed holds #fn[user], a function of another session: run its text here, or begin this session with the definitions of that one (`SessionOptions::definitions`)
stopped: true
too much: memory limit of 16777216 bytes exceeded: keep counts and samples instead of whole collections at line 1, column 35
still there: 2
left out: 0
after a restart: [2 true]
";
    assert_eq!(output("plugins").as_deref(), Some(wanted));
}
