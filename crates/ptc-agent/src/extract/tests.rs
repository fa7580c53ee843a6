mod corpus;

use insta::assert_snapshot;
use proptest::prelude::*;

use super::{ExtractError, extract_program};

fn check(answer: &str) -> String {
    extract_program(answer).unwrap_or_else(|error| format!("{error:?}"))
}

#[test]
fn tagged_blocks() {
    assert_snapshot!(check("```clojure\n(+ 1 2)\n```"), @"(+ 1 2)");
    assert_snapshot!(check("First this.\n```lisp\n(f)\n```\nThen that."), @"(f)");
    assert_snapshot!(check("```clojure\n42\n```"), @"42");
    assert_snapshot!(check("```clojure (return 1)```"), @"(return 1)");
    assert_snapshot!(check("```clojure\n(return 1)\n</clojure>"), @"(return 1)");
    assert_snapshot!(check("```clojure\n(a)\n```\n```\n(b)\n```"), @"(a)");
    assert_snapshot!(check("```clojure\n(a)\n```\n```clojure\n(b)\n```"), @"Multiple(2)");
    assert_snapshot!(check("```clojure\n(return 7)"), @"(return 7)");
}

#[test]
fn other_blocks_must_start_with_a_parenthesis() {
    assert_snapshot!(check("```\n(count data/x)\n```"), @"(count data/x)");
    assert_snapshot!(check("```clj\n(return 1)\n```"), @"(return 1)");
    assert_snapshot!(check("```python\nprint(1)\n```"), @r#"OtherLanguage("python")"#);
    assert_snapshot!(check("```\n42\n```"), @"NoCode");
    assert_snapshot!(check("```\n(a)\n```\n```\n(b)\n```\n```\n(c)\n```"), @"Multiple(3)");
    assert_snapshot!(check("<clojure>(return 1)</clojure>"), @"(return 1)");
    assert_snapshot!(check("<lisp>(a)</lisp> or <clojure>(b)</clojure>"), @"Multiple(2)");
}

#[test]
fn comments_may_go_before_a_program() {
    assert_snapshot!(check(";; look first\n\n  ; twice\n(return 1)"), @r"
    ;; look first

      ; twice
    (return 1)
    ");
    assert_snapshot!(check("```\n; look\n(f)\n```"), @r"
    ; look
    (f)
    ");
    assert_snapshot!(check("; a remark and nothing else"), @"NoCode");
    assert_snapshot!(check(";; look\nThe answer is (f)"), @"NoCode");
}

#[test]
fn fences_in_strings_belong_to_the_program() {
    let reports = [
        r#"(return {:report "```clojure\n(+ 1 2)\n```"})"#,
        "(return {:report \"# Code\n```clojure\n(+ 1 2)\n```\n\"})",
        r#"(println \" "```") ; say "hi"#,
        "(str “``` \\\" ```” 1)",
    ];
    for program in reports {
        assert_eq!(
            check(&format!("So:\n```clojure\n{program}\n```\nThis writes a \"report\".")),
            program.replace(['“', '”'], "\"")
        );
        assert_eq!(check(&format!("```\n{program}\n```")), program.replace(['“', '”'], "\""));
        assert_eq!(check(&format!("```clojure\n{program}")), program.replace(['“', '”'], "\""), "never closed");
        assert_eq!(check(program), program.replace(['“', '”'], "\""), "bare");
    }
    // A quote is missing: the first fence ends the program, and the message about it says so.
    assert_snapshot!(check("```clojure\n(println \"abc)\n```\nThis prints."), @r#"(println "abc)"#);
    assert_snapshot!(check("```clojure\n(a \"</clojure>\")\n</clojure>"), @r#"(a "</clojure>")"#);
    assert_eq!(check("```clojure\n(a) ; don\"t\n```\n```clojure\n(b)\n```"), "Multiple(2)");
}

#[test]
fn the_same_code_written_twice_is_one_program() {
    let two =
        |first: &str, second: &str| check(&format!("```clojure\n{first}\n```\nAgain:\n```clojure\n{second}\n```"));
    let first = "(def a 1)\n(return [a, \"x  y\"])";
    for second in ["(def a 1) (return [a \"x  y\"])", ";; the same\n(def a\n  1)\n\n(return [a \"x  y\"]) ; done"] {
        assert_eq!(two(first, second), first, "the first");
        assert_eq!(two(second, first), second, "the first");
    }
    for other in ["(def a 1) (return [a \"x y\"])", "(def a 1) (return a \"x  y\")", "(defa 1) (return [a \"x  y\"])"] {
        assert_eq!(two(first, other), "Multiple(2)");
    }
}

#[test]
fn whole_answers() {
    assert_snapshot!(check("(return 1)"), @"(return 1)");
    assert_snapshot!(check("Sure! (return 1)"), @"NoCode");
    assert_snapshot!(check(""), @"Empty");
    assert_snapshot!(check("\u{FEFF}\r\n(return 1)\r\n"), @"(return 1)");
}

#[test]
fn odd_characters_are_mended_outside_of_strings_only() {
    assert_snapshot!(check("(return “five stars”)"), @r#"(return "five stars")"#);
    assert_snapshot!(check("(return \"a “b” \u{A0}c\")"), @"(return \"a “b” \u{A0}c\")");
    assert_snapshot!(check("(return\u{A0}1\u{200B})"), @"(return 1)");
    assert_snapshot!(check("(return ’x)"), @"(return 'x)");
    assert_snapshot!(check(r#"(str \" “x”)"#), @r#"(str \" "x")"#);
    assert_eq!(check("(f ; isn’t “it”\n 1)"), "(f ; isn’t “it”\n 1)");
    assert_snapshot!(check("(return “a\\\"b”)"), @r#"(return "a\"b")"#);
}

#[test]
fn refusals_say_what_to_write() {
    assert_snapshot!(ExtractError::NoCode, @"no program was found in your answer. Write exactly one fenced block tagged `clojure`, or an answer that starts with `(`");
    assert_snapshot!(ExtractError::Multiple(2), @"2 programs were found in your answer, exactly one is required. Merge the code into one `clojure` block: separate blocks do not share variables");
    assert_snapshot!(ExtractError::Empty, @"your answer is empty. Write exactly one fenced block tagged `clojure`");
    assert_snapshot!(ExtractError::OnlyThoughts, @"your answer has thoughts and nothing after them. Think less, then write exactly one fenced block tagged `clojure`");
    assert_snapshot!(ExtractError::OtherLanguage("python".into()), @"your answer has a block of `python`, but programs here are Clojure. Write exactly one fenced block tagged `clojure`");
    assert_snapshot!(ExtractError::ProgramInCall("run".into()), @"your answer has its program in a call of the native tool `run`, which does not exist. Write exactly one fenced block tagged `clojure` with the program itself");
    let calls =
        ExtractError::NativeCalls { tools: vec!["lookup".into()], programs: vec!["(tool/lookup {:id 3})".into()] };
    assert_snapshot!(calls, @"your answer calls `lookup` in the format of native tools, but an answer here is a program. Write exactly one fenced block tagged `clojure`, in which such a call is (tool/lookup {:id 3})");
}

proptest! {
    #[test]
    fn a_plain_program_comes_back_as_it_is(body in "[a-z0-9 \\[\\]{}]{0,40}", fenced in any::<bool>()) {
        let program = format!("(do{body})");
        let answer = if fenced { format!("Here:\n```clojure\n{program}\n```\nDone.") } else { program.clone() };
        prop_assert_eq!(extract_program(&answer), Ok(program));
    }

    #[test]
    fn no_answer_breaks_it(answer in "[`()<>a-z\"\\\\;\n“”\u{200B}\u{A0}]{0,60}") {
        if let Ok(program) = extract_program(&answer) {
            prop_assert_eq!(program.trim(), program.as_str());
        }
    }
}
