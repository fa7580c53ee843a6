//! Where a lost bracket or quote belongs, by the indentation of the lines.

use proptest::prelude::*;

use super::*;

#[test]
fn a_lost_closer_is_named_where_the_lines_step_back() {
    assert_snapshot!(check("(defn f [x]\n  (let [y (inc x)]\n    (* y y))\n\n(f 2)"), @"!! Unexpected end of input: '(' opened at line 1, column 1 was never closed; by the indentation, ')' is missing at the end of line 3 (bracket opened at line 1, column 1)");
    assert_snapshot!(check("(map (fn [x]\n       (inc x)\n     xs)\n(f)"), @"!! Unexpected end of input: '(' opened at line 1, column 1 was never closed; by the indentation, ')' is missing at the end of line 2 (bracket opened at line 1, column 6)");
    assert_snapshot!(check("(let [a (f 1\n      b 2]\n  a)"), @"!! expected ')' to close '(' opened at line 1, column 9, found ']' at line 2, column 10");
}

#[test]
fn a_closer_lost_at_the_end_is_named_there() {
    assert_snapshot!(check("(defn f [x]\n  (let [y x]\n    (* y y))"), @"!! Unexpected end of input: '(' opened at line 1, column 1 was never closed; the lines are indented as if ')' were missing at the end, on line 3");
    assert_snapshot!(check("(f (g 1)"), @"!! Unexpected end of input: '(' opened at line 1, column 1 was never closed");
}

#[test]
fn a_bracket_closed_too_early_is_named_by_what_follows() {
    assert_snapshot!(check("(let [a (map inc\n             (f)))\n      b 2]\n  a)"), @"!! expected ']' to close '[' opened at line 1, column 6, found ')' at line 2, column 18");
    assert_snapshot!(check("{:a (f (g 1)))\n :b 2}"), @"!! expected '}' to close '{' opened at line 1, column 1, found ')' at line 1, column 14");
}

#[test]
fn a_doubled_opener_is_pointed_at() {
    assert_snapshot!(check("(defn f [x]\n  ((let [y x]\n    (* y y)))"), @"!! Unexpected end of input: '(' opened at line 1, column 1 was never closed; the lines are indented as if ')' were missing at the end, on line 3; or is a '(' too many at line 2, column 3?");
    assert_snapshot!(check("(defn f [x]\n  ((comp g h) x\n  (y))"), @"!! Unexpected end of input: '(' opened at line 1, column 1 was never closed; by the indentation, ')' is missing at the end of line 2 (bracket opened at line 2, column 3)");
}

#[test]
fn a_lost_brace_is_named_by_the_keyword_behind_it() {
    assert_snapshot!(check("(let [a 1]\n  (f a)\n  :total a\n   :more 2})"), @"!! expected ')' to close '(' opened at line 1, column 1, found '}' at line 4, column 11; is '{' missing before the keyword at line 3, column 3?");
    assert_snapshot!(check("(f :a 1})"), @"!! expected ')' to close '(' opened at line 1, column 1, found '}' at line 1, column 8");
}

#[test]
fn a_lost_quote_is_named_where_its_string_runs_on() {
    assert_snapshot!(check("(println \"total)\n(println \"sum\" 1)"), @"!! Unexpected end of input: string opened at line 2, column 14 was never closed; the string opened at line 1, column 10 continues past the end of its line; is its closing quote missing on line 1?");
    assert_snapshot!(check("(f \"a)\n(g \"1x\" 2)"), @"!! invalid number '1x' (a blank or a bracket must follow a number, and names do not start with a digit) at line 2, column 5; the string opened at line 1, column 4 continues past the end of its line; is its closing quote missing on line 1?");
    assert_snapshot!(check("(f \"two\nlines\")\n(g \"open)"), @"!! Unexpected end of input: string opened at line 3, column 4 was never closed; the string opened at line 1, column 4 continues past the end of its line; is its closing quote missing on line 1?");
}

#[test]
fn strings_comments_and_characters_hold_no_brackets() {
    assert_snapshot!(check("(f \")\" ; )\n   \\) #\")\"\n(g)"), @"!! Unexpected end of input: '(' opened at line 1, column 1 was never closed; by the indentation, ')' is missing at the end of line 2 (bracket opened at line 1, column 1)");
}

#[test]
fn unusual_indentation_of_a_whole_program_is_no_sign() {
    assert_snapshot!(check("    (f 1)\n    (g (h 2)"), @"!! Unexpected end of input: '(' opened at line 2, column 5 was never closed");
}

/// The warning about a surplus bracket at top level, which is not an error.
fn surplus(source: &str) -> String {
    let parsed = parse(source).expect("brackets too many are ignored");
    parsed.surplus.map_or_else(String::new, |surplus| surplus.note())
}

#[test]
fn a_bracket_too_many_is_found_where_the_lines_step_in() {
    assert_snapshot!(surplus("(->> xs\n     (map f))\n     (filter g))"), @"there is one closing bracket too many at line 3, column 16: by the indentation, the form that ends at line 2, column 13 is closed too early");
    assert_snapshot!(surplus("(f 1)) (g)"), @"there is one closing bracket too many at line 1, column 6");
    assert_eq!(surplus("(f 1)\n  (g)"), "");
}

proptest! {
    /// The layout of any text can be analyzed, and hints start and end in it.
    #[test]
    fn any_text_has_a_layout(source in "[()\\[\\]{}\"\\\\; \na-c#é]{0,60}") {
        if let Err(error) = parse(&source) {
            let lines = source.lines().count();
            for (_, number) in error.message.match_indices("line ").map(|(at, word)| (at, &error.message[at + word.len()..])) {
                let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
                if let Ok(line) = digits.parse::<usize>() {
                    prop_assert!(line <= lines.max(1), "{}", error.message);
                }
            }
        }
    }
}
