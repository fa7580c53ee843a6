//! Strings: laws by naive models, errors, and `format`.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::limits::Limits;
use crate::stdlib::show::tests::{call, check, check_with};
use crate::value::Value;

fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[ab]{0,8}", "[aé日😀 ]{0,8}"]
}

fn run(name: &str, args: &[&str]) -> Value {
    let args: Vec<Value> = args.iter().map(|text| Value::from(*text)).collect();
    call(name, &args).unwrap()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_vector().unwrap().iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Positions where `part` starts, in characters.
fn positions(text: &str, part: &str) -> Vec<i64> {
    let (text, part): (Vec<char>, Vec<char>) = (text.chars().collect(), part.chars().collect());
    (0..=text.len()).filter(|at| text.get(*at..at + part.len()) == Some(part.as_slice())).map(|at| at as i64).collect()
}

proptest! {
    #[test]
    fn split_and_join_are_inverse(text in texts(), separator in "[abé]{1,2}") {
        let pieces = run("split", &[&text, &separator]);
        let joined = call("join", &[Value::from(separator.as_str()), pieces]).unwrap();
        prop_assert_eq!(joined.as_str(), Some(text.as_str()));
    }

    #[test]
    fn subs_is_what_characters_say(text in texts(), start in -3_i64..12, end in -3_i64..12) {
        let from = start.max(0) as usize;
        let expected: String = text.chars().skip(from).take((end.max(0) as usize).saturating_sub(from)).collect();
        let got = call("subs", &[Value::from(text), Value::Int(start), Value::Int(end)]).unwrap();
        prop_assert_eq!(got.as_str(), Some(expected.as_str()));
    }

    #[test]
    fn searches_agree_with_a_naive_one(text in texts(), part in "[abé日]{0,2}", from in -2_i64..10) {
        let places = positions(&text, &part);
        let args = [Value::from(text.as_str()), Value::from(part.as_str()), Value::Int(from)];
        let number = |name: &str| match call(name, &args).unwrap() { Value::Int(n) => Some(n), _ => None };
        if !part.is_empty() {
            prop_assert_eq!(number("index-of"), places.iter().copied().find(|at| *at >= from));
            prop_assert_eq!(number("last-index-of"), places.iter().copied().rfind(|at| *at <= from));
        }
        prop_assert_eq!(matches!(run("includes?", &[&text, &part]), Value::Bool(true)), !places.is_empty());
    }

    #[test]
    fn spans_cover_what_replace_replaces(text in texts(), part in "[abé]{0,2}") {
        let spans = run("%re-matches-with-spans", &[&text, &part]);
        let all: Vec<char> = text.chars().collect();
        let spans = spans.as_vector().unwrap();
        for span in spans {
            let parts = span.as_vector().unwrap().to_vec();
            let [Value::Int(start), Value::Int(end), Value::Str(found)] = parts.as_slice() else { panic!("{span:?}") };
            prop_assert_eq!(all[*start as usize..*end as usize].iter().collect::<String>(), found.as_str());
        }
        prop_assert_eq!(spans.len(), text.matches(part.as_str()).count());
    }

    #[test]
    fn reversing_twice_changes_nothing(text in ".{0,12}") {
        let back = run("str/reverse", &[run("str/reverse", &[&text]).as_str().unwrap_or_default()]);
        prop_assert_eq!(back.as_str(), Some(text.as_str()));
    }

    #[test]
    fn any_format_ends_in_text_or_an_error(template in "(%[-#+ 0,(<]{0,2}[0-9$]{0,3}(\\.[0-9]{0,3})?[sdfexXobcnS%q]?|[a%]){0,4}", n in any::<i64>(), x in any::<f64>()) {
        let _ = call("format", &[Value::from(template), Value::Int(n), Value::Float(x), Value::from("ä")]);
    }

    #[test]
    fn integers_format_as_they_print(n in any::<i64>()) {
        let got = call("format", &[Value::from("%d|%x|%o"), Value::Int(n), Value::Int(n), Value::Int(n)]).unwrap();
        prop_assert_eq!(got.as_str().unwrap_or_default(), format!("{n}|{n:x}|{n:o}"));
    }

    #[test]
    fn fixed_digits_are_near_the_number(x in -1e9..1e9_f64, digits in 0_usize..6) {
        let got = call("format", &[Value::from(format!("%.{digits}f")), Value::Float(x)]).unwrap();
        let text = got.as_str().unwrap_or_default();
        prop_assert_eq!(text.split_once('.').map_or(0, |(_, fraction)| fraction.len()), digits);
        prop_assert!((text.parse::<f64>().unwrap() - x).abs() <= 0.5000001 * 10_f64.powi(-(digits as i32)) + x.abs() * 1e-15);
    }

    #[test]
    fn scientific_digits_are_near_the_number(x in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
        let got = call("format", &[Value::from("%.16e"), Value::Float(x)]).unwrap();
        prop_assert_eq!(got.as_str().unwrap_or_default().parse::<f64>().unwrap(), x);
    }
}

#[test]
fn splitting() {
    assert_snapshot!(check(r#"[(split "x;;y;" ";") (split "abc" "") (split "a,b,c" "," 2) (split "" ",") (split "" "")]"#), @r#"[["x" "" "y" ""] ["a" "b" "c"] ["a" "b,c"] [""] [""]]"#);
    assert_snapshot!(check(r#"[(split ",a,," #",") (split "a,b,," #"," -1) (split "a,b,c" #"," 2) (split "" #",") (split ",," #",") (split "abc" #"")]"#), @r#"[["" "a"] ["a" "b" "" ""] ["a" "b,c"] [""] [] ["a" "b" "c"]]"#);
    assert_snapshot!(check(r#"[(split "a1b2" #"\d" 9) (split "abc" #"x") (split "abc" #"" -1)]"#), @r#"[["a" "b" ""] ["abc"] ["a" "b" "c" ""]]"#);
    assert_snapshot!(check(r#"[(split-lines "p\nq\r\n\n") (split-lines "") (split-lines "\n") (re-split #"," "a,,")]"#), @r#"[["p" "q"] [""] [] ["a" "" ""]]"#);
    assert_snapshot!(check(r#"(split "a b" :x)"#), @"! type_error split: expected a string or regex to split by, got keyword");
    assert_eq!(strings(&run("split", &["a-b", "-"])), ["a", "b"]);
}

#[test]
fn replacing() {
    assert_snapshot!(check(r#"[(replace "banana" "an" "") (replace "a.b" "." "$1") (replace "" "" "x") (replace "ab" "" "-")]"#), @r#"["ba" "a$1b" "x" "-a-b-"]"#);
    assert_snapshot!(check(r#"[(replace "John Smith" #"(?<a>\w+) (\w+)" "$2, ${a}") (replace "x1" #"(\d)" "$10") (replace "a" #"a" "\\$")]"#), @r#"["Smith, John" "x10" "$"]"#);
    assert_snapshot!(check(r#"[(replace "a1b2" #"\d" #(str "<" % ">")) (replace "k=v" #"(\w)=(\w)" (fn [[_ k v]] (str v k))) (replace-first "aaa" "a" "b")]"#), @r#"["a<1>b<2>" "vk" "baa"]"#);
    assert_snapshot!(check(r#"[(replace-first "a1b2" #"\d" inc)]"#), @"! type_error inc: expected a number, got string");
    assert_snapshot!(check(r#"(replace "a" #"a" "$1")"#), @"! argument_error replace: the pattern has no group 1; it has 0");
    assert_snapshot!(check(r#"(replace "a" #"a" "$x")"#), @r#"! argument_error replace: $ in a replacement names a group ($1, ${name}); write \$ for a dollar sign"#);
    assert_snapshot!(check(r#"(replace "a" nil "b")"#), @"! type_error replace: expected a string or regex to replace, got nil");
    assert_snapshot!(check(r#"(replace "a" "a" 5)"#), @"! type_error replace: expected a string or function as replacement, got number");
    assert_snapshot!(check(r#"(replace 5 "a" "b")"#), @"! type_error replace: expected a string, got number");
}

#[test]
fn joining_and_growing() {
    assert_snapshot!(check(r#"[(join "-" [1 nil :k]) (join nil ["a" "b"]) (join "abc") (join ", " #{1}) (join [])]"#), @r#"["1--:k" "ab" "abc" "1" ""]"#);
    assert_snapshot!(check(r#"(join "," 5)"#), @"! type_error join: expected a collection, got number");
    assert_snapshot!(check(r#"(let [s "ab" t (str s "c")] [s t (str s) (str nil s)])"#), @r#"["ab" "abc" "ab" "ab"]"#);
    assert_snapshot!(check("(count (reduce str (repeat 100000 \"abcdefghij\")))"), @"1000000");
}

#[test]
fn cutting_and_case() {
    assert_snapshot!(check(r#"[(subs "héllo" 1 99) (subs "abc" 4) (subs "kxz" 2 1) (subs "ledger" -3 3)]"#), @r#"["éllo" "" "" "led"]"#);
    assert_snapshot!(check(r#"(subs "abc" "1")"#), @"! type_error subs: expected an integer, got string");
    assert_snapshot!(check(r#"[(upper-case "straße") (lower-case "İstanbul") (capitalize "hELLO") (capitalize "") (trim-newline "a\r\n\n")]"#), @r#"["STRASSE" "i̇stanbul" "Hello" "" "a"]"#);
    assert_snapshot!(check("(upper-case 5)"), @"! type_error upper-case: expected a string, got number");
    assert_snapshot!(check(r#"(includes? [1 2] 1)"#), @"! type_error includes?: expected a string, got vector; use contains? for collections");
    assert_snapshot!(check(r#"[(blank? nil) (blank? " \n") (blank? "a") (str/escape "a<b" {\< "&lt;"}) (str/re-quote-replacement "$1\\")]"#), @r#"[true true false "a&lt;b" "\\$1\\\\"]"#);
}

#[test]
fn formats() {
    assert_snapshot!(check(r#"[(format "%.0f" 2.5) (format "%.1f" 0.25) (format "%.2f" 1.005) (format "%e" 12345.678) (format "%f" 1)]"#), @r#"["3" "0.3" "1.01" "1.234568e+04" "1.000000"]"#);
    assert_snapshot!(check(r#"[(format "%,d" 1234567) (format "%+d" 5) (format "%(d" -5) (format "%05d" -42) (format "%-5s|" "ab") (format "% d" 7)]"#), @r#"["1,234,567" "+5" "(5)" "-0042" "ab   |" " 7"]"#);
    assert_snapshot!(check(r#"[(format "%x" -1) (format "%X" 255) (format "%#o" 8) (format "%s" nil) (format "%b %c" nil \a) (format "%.2s|" "abc")]"#), @r#"["ffffffffffffffff" "FF" "010" "null" "false a" "ab|"]"#);
    assert_snapshot!(check(r#"[(format "%2$s %1$s %s %<s" 1 2) (format "%d" 3.0) (format "%.3e" 0.0) (format "%.0e" 9.9) (format "100%%%n")]"#), @r#"["2 1 1 1" "3" "0.000e+00" "1e+01" "100%\n"]"#);
    assert_snapshot!(check(r#"[(format "%f" ##Inf) (format "%08.2f" -3.14159) (format "%,.2f" 1234567.891) (format "%d" 123456789012345678901234567890)]"#), @r#"["Infinity" "-0003.14" "1,234,567.89" "123456789012345678901234567890"]"#);
}

#[test]
fn formats_that_are_refused() {
    assert_snapshot!(check(r#"(format "%1000000000d" 1)"#), @"! argument_error format: a width is at most 256, got 1000000000");
    assert_snapshot!(check(r#"(format "%.1000000000f" 1.0)"#), @"! argument_error format: a precision is at most 256, got 1000000000");
    assert_snapshot!(check(r#"(format "%2147483648$s" 1)"#), @"! argument_error format: %2147483648$s needs argument 2147483648, got 1");
    assert_snapshot!(check(r#"(format "%99999999999999999999999$s" 1)"#), @"! argument_error format: there is no argument 99999999999999999999999");
    assert_snapshot!(check(r#"(format "%q" 1)"#), @"! argument_error format: unknown directive %q; use %s %d %f %e %x %X %o %b %c %n %%, and %% for a percent sign");
    assert_snapshot!(check(r#"(format "50% off" 1)"#), @"! argument_error format: a flag or precision in % o does not go with %o; a percent sign is written %%");
    assert_snapshot!(check(r#"(format "%s %s" 1)"#), @"! argument_error format: %s needs argument 2, got 1");
    assert_snapshot!(check(r#"(format "%d" "x")"#), @"! type_error format: %d expects an integer, got string");
    assert_snapshot!(check(r#"(format "%.2f" "x")"#), @"! type_error format: %.2f expects a number, got string");
    assert_snapshot!(check(r#"(format "%d" 1.5)"#), @"! type_error format: %d expects an integer, got 1.5; write %.1f, or (round x)");
    assert_snapshot!(check(r#"(format "%-d" 1)"#), @"! argument_error format: %-d needs a width, for example %-8s or %05d");
    assert_snapshot!(check(r#"(format "%,s" 1)"#), @"! argument_error format: a flag or precision in %,s does not go with %s; a percent sign is written %%");
}

#[test]
fn a_result_too_large_ends_in_a_limit() {
    let small = || Limits { memory: 1 << 20, ..Limits::default() };
    assert_snapshot!(check_with(r#"(let [s (join (repeat 20000 "a"))] (count (replace s "a" s)))"#, small()), @"! memory_exceeded memory limit of 1048576 bytes exceeded: keep counts and samples instead of whole collections");
    assert_snapshot!(check_with(r#"(let [s (join (repeat 20000 "a"))] (count (replace s #"a" s)))"#, small()), @"! memory_exceeded memory limit of 1048576 bytes exceeded: keep counts and samples instead of whole collections");
    assert_snapshot!(check_with(r#"(let [s (join (repeat 100000 "a"))] (count (format (join (repeat 1000 "%1$s")) s)))"#, small()), @"! memory_exceeded memory limit of 1048576 bytes exceeded: keep counts and samples instead of whole collections");
    assert_snapshot!(check_with(r#"(count (join (join (repeat 100000 "b")) (repeat 100000 "a")))"#, small()), @"! memory_exceeded memory limit of 1048576 bytes exceeded: keep counts and samples instead of whole collections");
}
