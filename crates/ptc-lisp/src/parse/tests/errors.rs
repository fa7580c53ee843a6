//! Every way in which a text fails to be a program, with the words that explain it.

use super::*;

#[test]
fn input_ends_inside_a_form() {
    assert_snapshot!(check("(+ 1 2"), @"!! Unexpected end of input: '(' opened at line 1, column 1 was never closed");
    assert_snapshot!(check("(let [x 1]\n    (+ x"), @"!! Unexpected end of input: '(' opened at line 2, column 5 was never closed");
    assert_snapshot!(check_each(&["[1", "{:a 1", "#{1", "#(+ %", "(f '", "(f #_", "(f ^:a"]), @"
    !! Unexpected end of input: '[' opened at line 1, column 1 was never closed
    !! Unexpected end of input: '{' opened at line 1, column 1 was never closed
    !! Unexpected end of input: '#{' opened at line 1, column 1 was never closed
    !! Unexpected end of input: '#(' opened at line 1, column 1 was never closed
    !! Unexpected end of input: '(' opened at line 1, column 1 was never closed
    !! Unexpected end of input: '(' opened at line 1, column 1 was never closed
    !! Unexpected end of input: '(' opened at line 1, column 1 was never closed
    ");
}

#[test]
fn input_ends_inside_a_string() {
    assert_snapshot!(check("(println \"abc)"), @"!! Unexpected end of input: string opened at line 1, column 10 was never closed");
    assert_snapshot!(check("1\n\"a\\"), @"!! Unexpected end of input: string opened at line 2, column 1 was never closed");
    assert_snapshot!(check("#\"a\\\""), @"!! Unexpected end of input: regex opened at line 1, column 1 was never closed");
}

#[test]
fn marks_need_a_form() {
    assert_snapshot!(check_each(&["'", "1 @", "#_", "^:a", "^", "(f ')", "[1 #_]", "{:a ^:b}", "#_ )"]), @"
    !! Unexpected end of input: expected a form after ' at line 1, column 1
    !! Unexpected end of input: expected a form after @ at line 1, column 3
    !! Unexpected end of input: expected a form after #_ at line 1, column 1
    !! Unexpected end of input: expected a form after the metadata that '^' begins at line 1, column 1
    !! Unexpected end of input: expected a form after ^ at line 1, column 1
    !! expected a form after ', found ')' at line 1, column 5
    !! expected a form after #_, found ']' at line 1, column 6
    !! expected a form after the metadata that '^' begins, found '}' at line 1, column 8
    !! expected a form after #_, found ')' at line 1, column 4
    ");
}

#[test]
fn wrong_closers() {
    assert_snapshot!(check("  [1 (2)) 3]"), @"!! expected ']' to close '[' opened at line 1, column 3, found ')' at line 1, column 9");
    assert_snapshot!(check("#{1 ]"), @"!! expected '}' to close '#{' opened at line 1, column 1, found ']' at line 1, column 5");
    assert_snapshot!(check("(let [x 1)\n x]"), @"!! expected ']' to close '[' opened at line 1, column 6, found ')' at line 1, column 10");
}

#[test]
fn odd_maps() {
    assert_snapshot!(check("(f\n {:a 1 :b})"), @"!! map literal needs an even number of forms, got 3 at line 2, column 2");
    assert_snapshot!(check("{:a #_1}"), @"!! map literal needs an even number of forms, got 1 at line 1, column 1");
}

#[test]
fn numbers_that_are_none() {
    assert_snapshot!(check_each(&["1/3", "(+ 1 -2/4)", "12abc", "1_000", "5.", "-5.", "5%", "2024-05-01", "12:30", "1.2.3", "0xZZ", "37r1", "2r12", "1'", "1@a"]), @r#"
    !! invalid number '1/3' (ratios are not supported; write (/ 1 3)) at line 1, column 1
    !! invalid number '-2/4' (ratios are not supported; write (/ -2 4)) at line 1, column 6
    !! invalid number '12abc' (a blank or a bracket must follow a number, and names do not start with a digit) at line 1, column 1
    !! invalid number '1_000' (write 1000, without underscores) at line 1, column 1
    !! invalid number '5.' (write 5.0) at line 1, column 1
    !! invalid number '-5.' (write -5.0) at line 1, column 1
    !! invalid number '5%' (write a percentage as a fraction: 0.05 for 5%) at line 1, column 1
    !! invalid number '2024-05-01' (write dates, times and versions as strings: "2024-05-01") at line 1, column 1
    !! invalid number '12:30' (write dates, times and versions as strings: "2024-05-01") at line 1, column 1
    !! invalid number '1.2.3' (write dates, times and versions as strings: "2024-05-01") at line 1, column 1
    !! invalid number '0xZZ' (a blank or a bracket must follow a number, and names do not start with a digit) at line 1, column 1
    !! invalid number '37r1' (the radix is 2 to 36) at line 1, column 1
    !! invalid number '2r12' (radix 2 has no such digit) at line 1, column 1
    !! invalid number '1'' (a blank or a bracket must follow a number, and names do not start with a digit) at line 1, column 1
    !! invalid number '1@a' (a blank or a bracket must follow a number, and names do not start with a digit) at line 1, column 1
    "#);
    assert_snapshot!(check("##Infinity"), @"!! unknown number '##Infinity' (write ##Inf, ##-Inf or ##NaN) at line 1, column 1");
}

#[test]
fn names_that_are_none() {
    assert_snapshot!(check_each(&["{name: 1}", "::a/b", ":", "{\"a\": 1}", ":a/", ":/a", ":a:", "a::b", "#'", "#'1", "#'str/join"]), @r#"
    !! invalid name 'name:' (a keyword starts with its colon; write :name) at line 1, column 2
    !! invalid keyword '::a/b' (write :a/b) at line 1, column 1
    !! ':' without a name (a keyword is written :name, a map {:key value}) at line 1, column 1
    !! ':' without a name (a keyword is written :name, a map {:key value}) at line 1, column 5
    !! invalid keyword ':a/' (it may not end with ':', hold '::', or start or end with '/') at line 1, column 1
    !! invalid keyword ':/a' (it may not end with ':', hold '::', or start or end with '/') at line 1, column 1
    !! invalid keyword ':a:' (it may not end with ':', hold '::', or start or end with '/') at line 1, column 1
    !! invalid name 'a::b' (a name may not hold '::') at line 1, column 1
    !! expected a name after #', got '' at line 1, column 1
    !! expected a name after #', got '1' at line 1, column 1
    !! a var has no namespace (write #'join, or str/join for its value) at line 1, column 1
    "#);
}

#[test]
fn texts_that_are_none() {
    assert_snapshot!(check("(f \"a\\\nb\")"), @"!! a backslash before a line break in a string (write \\n, or leave it out) at line 1, column 6");
    assert_snapshot!(check(r#""x\ud800y""#), @r"!! '\ud800' is half of a surrogate pair (write the character itself) at line 1, column 3");
    assert_snapshot!(check(r#""\ude00\ud83d""#), @r"!! '\ude00' is half of a surrogate pair (write the character itself) at line 1, column 2");
    assert_snapshot!(check_each(&[r"\nothing", r"\spaces", r"\u0041b", "(f \\"]), @r#"
    !! unsupported character '\nothing' (one character, or \newline \space \tab \return \backspace \formfeed \uXXXX) at line 1, column 1
    !! unsupported character '\spaces' (one character, or \newline \space \tab \return \backspace \formfeed \uXXXX) at line 1, column 1
    !! unsupported character '\u0041b' (one character, or \newline \space \tab \return \backspace \formfeed \uXXXX) at line 1, column 1
    !! '\' without a character (\a is the string "a") at line 1, column 4
    "#);
}

#[test]
fn unsupported_syntax_says_what_to_write() {
    assert_snapshot!(check_each(&["`(a)", "(a ~b)", "#?(:clj 1)", "#=(f)", "#!x", "#<foo>", "#:a{:b 1}", "#[1]", "# {1}", "#", "#5"]), @"
    !! syntax quote ` is not supported (there are no macros; write '(...) or (list ...)) at line 1, column 1
    !! unquote ~ is not supported (there are no macros; write the name itself) at line 1, column 4
    !! reader conditionals #?(...) are not supported (write the form for this language only) at line 1, column 1
    !! reader evaluation #=(...) is not supported (write the form itself) at line 1, column 1
    !! '#!' starts no comment here (write ;) at line 1, column 1
    !! '#<...>' is printed output and cannot be read (compute the value again) at line 1, column 1
    !! '#:ns{...}' is not supported (write the keys in full: {:ns/key value}) at line 1, column 1
    !! '#[' opens nothing (a set is #{...}, a vector [...]) at line 1, column 1
    !! '#' must touch what follows it: #{...}, #(...), #\"...\" at line 1, column 1
    !! '#' without anything after it at line 1, column 1
    !! unexpected '#5' (a set is #{...}, a short function #(...)) at line 1, column 1
    ");
    assert_snapshot!(check_each(&["#inst \"2024\"", "#uuid \"x\"", "#object[f]", "#js {}"]), @r#"
    !! '2024' is not a valid #inst (write #inst "2024-03-09T10:00:00Z") at line 1, column 1
    !! tagged literal #uuid is not supported (write (parse-uuid "...")) at line 1, column 1
    !! tagged literal #object is not supported (it is printed output; compute the value again) at line 1, column 1
    !! tagged literal #js is not supported (write the value itself) at line 1, column 1
    "#);
    assert_snapshot!(check("(x ^2 y)"), @"!! '^' begins metadata (a keyword, symbol, string or map), found a number (a power is (Math/pow x y)) at line 1, column 5");
}

#[test]
fn unexpected_characters() {
    assert_snapshot!(check_each(&["(– 5 3)", "(f …)", "（f）", "(f \u{0})", "«a»", "a\u{FFFD}"]), @r#"
    !! unexpected character '–' (write the ASCII minus -) at line 1, column 2
    !! unexpected character '…' (write the whole program, nothing may be left out) at line 1, column 4
    !! unexpected character '（' (write the ASCII character) at line 1, column 1
    !! unexpected character '\0' at line 1, column 4
    !! unexpected character '«' (write strings in straight quotes "...") at line 1, column 1
    !! unexpected character '�' at line 1, column 2
    "#);
}

#[test]
fn messages_stay_short() {
    let long = "9".repeat(20_000);
    for source in [
        format!("{long}/2"),
        format!("{long}_"),
        format!("1{long}x"),
        format!("{}:", "a".repeat(9_000)),
        format!("::a/{}", "a".repeat(9_000)),
        format!("#{}", "a".repeat(9_000)),
        format!("\\{}", "a".repeat(9_000)),
        format!("#'a/{}", "a".repeat(9_000)),
        format!("##{}", "a".repeat(9_000)),
    ] {
        let message = parse(&source).unwrap_err().message;
        assert!(message.len() < 250, "{message}");
    }
    assert_snapshot!(check(&long), @"!! integer literal of 20000 digits, the limit is 10000 at line 1, column 1");
}

#[test]
fn errors_point_at_the_offending_text() {
    fn text(source: &str) -> &str {
        let span = parse(source).unwrap_err().span;
        &source[span.start as usize..span.end as usize]
    }
    assert_eq!(text("(+ 1/3 2)"), "1/3");
    assert_eq!(text("(f {:a 1 :b})"), "{:a 1 :b}");
    assert_eq!(text("[é (f ]"), "]");
    assert_eq!(text("[é #(f"), "#(");
    assert_eq!(text("‘‘"), "‘");
    assert_eq!(text("[é \"f"), "\"");
    assert_eq!(text("(f ::é/b)"), "::é/b");
    assert_eq!(position("[é (f ]", parse("[é (f ]").unwrap_err().span.start).column, 7);
}

#[test]
fn a_macro_is_refused_before_its_quote() {
    let problem = check_each(&["(defmacro unless [c & body] `(if ~c nil (do ~@body)))"]);
    assert!(problem.contains("no macros; write a function with defn"), "{problem}");
}
