use std::fmt::Write as _;

use insta::assert_snapshot;

use super::{Form, FormKind, ParseError, Parsed, ReadLimits, is_keyword_name, parse, parse_with};
use crate::parse::span::{Span, position};

mod errors;
mod laws;
mod layout;
mod mending;

/// The forms of `source` in a compact notation, or the error as a model sees it.
fn check(source: &str) -> String {
    show(source, parse(source))
}

/// [`check`] for each of several programs, one line each.
fn check_each(sources: &[&str]) -> String {
    sources.iter().map(|source| format!("{}\n", check(source))).collect()
}

fn show(source: &str, result: Result<Parsed, ParseError>) -> String {
    match result {
        Ok(parsed) => {
            let mut out = dump_all(&parsed.forms);
            for Span { start, end } in parsed.decimals {
                write!(out, " ; decimal {}", &source[start as usize..end as usize]).unwrap();
            }
            out
        }
        Err(error) if error.names_position => format!("!! {error}"),
        Err(error) => format!("!! {error} at {}", error.position(source)),
    }
}

fn dump_all(forms: &[Form]) -> String {
    forms.iter().map(dump).collect::<Vec<_>>().join(" ")
}

/// Like source text, but big integers end in `N`, and `ns//name` shows where a symbol was split.
fn dump(form: &Form) -> String {
    match &form.kind {
        FormKind::Nil => "nil".to_owned(),
        FormKind::Bool(value) => value.to_string(),
        FormKind::Int(value) => value.to_string(),
        FormKind::BigInt(value) => format!("{value}N"),
        FormKind::Float(value) => format!("{value:?}"),
        FormKind::Str(text) => format!("{text:?}"),
        FormKind::Keyword(name) => format!(":{name}"),
        FormKind::Symbol(symbol) => match &symbol.ns {
            Some(ns) => format!("{ns}//{}", symbol.name),
            None => symbol.name.clone(),
        },
        FormKind::Regex(pattern) => format!("#/{pattern}/"),
        FormKind::List(forms) => format!("({})", dump_all(forms)),
        FormKind::Vector(forms) => format!("[{}]", dump_all(forms)),
        FormKind::Map(forms) => format!("{{{}}}", dump_all(forms)),
        FormKind::Set(forms) => format!("#{{{}}}", dump_all(forms)),
        FormKind::ShortFn(forms) => format!("#({})", dump_all(forms)),
        FormKind::Quote(form) => format!("'{}", dump(form)),
        FormKind::Deref(form) => format!("@{}", dump(form)),
        FormKind::Var(name) => format!("#'{name}"),
        FormKind::Time(time) => format!("#{} {}", time.kind(), crate::value::display_text(&time.clone().into())),
    }
}

#[test]
fn blank_programs_have_no_forms() {
    assert_eq!(check_each(&["", "; nothing here", " ,\t\r\n\u{C}\u{A0}\u{3000}", "#_ x"]), "\n\n\n\n");
}

#[test]
fn commas_are_blanks_and_comments_run_to_the_end_of_the_line() {
    assert_snapshot!(check("[1,2,,3]"), @"[1 2 3]");
    assert_snapshot!(check("[:a;b ) \"\n:c]"), @"[:a :c]");
    assert_snapshot!(check("1 ; one\r2 ; two\r\n3"), @"1 2 3");
    assert_snapshot!(check("(+ 1 ; (\n   2)"), @"(+ 1 2)");
}

#[test]
fn discards_drop_one_form_and_nest() {
    assert_snapshot!(check("[1 #_ (bad) 2]"), @"[1 2]");
    assert_snapshot!(check("[#_ #_ 1 2 3]"), @"[3]");
    assert_snapshot!(check("[1 #_(oops 2) 3]"), @"[1 3]");
    assert_snapshot!(check("#_a 'b {:a #_1 2}"), @"'b {:a 2}");
    assert_snapshot!(check("'#_a b @#_#_c d e"), @"'b @e");
    assert_snapshot!(check("[1 #_ ; note\n 2]"), @"[1]");
}

#[test]
fn tokens_end_where_their_alphabet_ends() {
    assert_snapshot!(check(r#"["a":b 1]"#), @r#"["a" :b 1]"#);
    assert_snapshot!(check("(f[x]{:a 1}#{b})"), @"(f [x] {:a 1} #{b})");
    assert_snapshot!(check("a@b(c)'d"), @"a @b (c) 'd");
    assert_snapshot!(check(r"[\a\b x\c]"), @r#"["a" "b" x "c"]"#);
    assert_snapshot!(check("[1\"a\"2;x\n3]"), @r#"[1 "a" 2 3]"#);
}

#[test]
fn nil_and_booleans_are_whole_tokens() {
    assert_snapshot!(check("nil true false nil? truely false-alarm"), @"nil true false nil? truely false-alarm");
    let kinds: Vec<_> = parse("nil true nil?").unwrap().forms.iter().map(|f| f.kind.describe()).collect();
    assert_eq!(kinds, ["nil", "boolean", "symbol"]);
}

#[test]
fn integers_of_every_notation() {
    assert_snapshot!(check("0 -0 42 -9081 +5 007 017"), @"0 0 42 -9081 5 7 15");
    assert_snapshot!(check("9223372036854775807 -9223372036854775808"), @"9223372036854775807 -9223372036854775808");
    assert_snapshot!(check("9223372036854775808 -9223372036854775809"), @"9223372036854775808N -9223372036854775809N");
    assert_snapshot!(check("1N -7N 12345678901234567890N"), @"1 -7 12345678901234567890N");
    assert_snapshot!(check("0xFF 0X1f -0x10 0xFFN 0xFFFFFFFFFFFFFFFF"), @"255 31 -16 255 18446744073709551615N");
    assert_snapshot!(check("2r101 -16rff 36rZ 8R17"), @"5 -255 35 15");
}

#[test]
fn floats_and_decimals() {
    assert_snapshot!(check("1.25 -0.0625 +0.5 1e3 2.5E-4 -3e2 1.5E-7 -0.0"), @"1.25 -0.0625 0.5 1000.0 0.00025 -300.0 1.5e-7 -0.0");
    assert_snapshot!(check("1e999999999 1e-999999999"), @"inf 0.0");
    assert_snapshot!(check("##Inf ##-Inf ##NaN"), @"inf -inf NaN");
    assert_snapshot!(check("[1.5M 2M -1e2M]"), @"[1.5 2.0 -100.0] ; decimal 1.5M ; decimal 2M ; decimal -1e2M");
    assert_snapshot!(check("1.5M #_[2.5M 3M] ^{:a 4M} x"), @"1.5 x ; decimal 1.5M");
}

#[test]
fn signs_and_dots_without_digits_are_symbols() {
    assert_snapshot!(check("[-5 (- 5) - + -x .5 +. ... -.5]"), @"[-5 (- 5) - + -x .5 +. ... -.5]");
    assert_eq!(parse(".5").unwrap().forms[0].kind.describe(), "symbol");
}

#[test]
fn string_escapes() {
    assert_snapshot!(check(r#""tab\tline\nret\rquote\"back\\slash""#), @r#""tab\tline\nret\rquote\"back\\slash""#);
    assert_snapshot!(check(r#""\d+ a\d \b\f \w.""#), @r#""\\d+ a\\d \\b\\f \\w.""#);
    assert_snapshot!(check(r#""\u0041\u00e9\ud83d\ude00 \u12 \uZZZZ""#), @r#""Aé😀 \\u12 \\uZZZZ""#);
    assert_snapshot!(check("\"line one\nline two\" \"x@y\" \"\""), @r#""line one\nline two" "x@y" """#);
    assert_snapshot!(check("\"; #_ ( “as is” \u{200B}\u{FEFF}\""), @r#""; #_ ( “as is” \u{200b}\u{feff}""#);
}

#[test]
fn characters_are_one_character_strings() {
    assert_snapshot!(check(r"[\a \n \λ \( \) \\ \; \, \😀]"), @r#"["a" "n" "λ" "(" ")" "\\" ";" "," "😀"]"#);
    assert_snapshot!(check(r"\newline \space \tab \return \backspace \formfeed"), @r#""\n" " " "\t" "\r" "\u{8}" "\u{c}""#);
    assert_snapshot!(check(r#"\u0041 \u \" \' (= % \space)"#), @r#""A" "u" "\"" "'" (= % " ")"#);
}

#[test]
fn keywords() {
    assert_snapshot!(check(":a :kebab-case-key :question? :bang! :a.b :shop/item :*+<>=_ :| :%1 :&"), @":a :kebab-case-key :question? :bang! :a.b :shop/item :*+<>=_ :| :%1 :&");
    assert_snapshot!(check(":1st :größe :名前 :a' :c# :$x :a:b :a/b/c"), @":1st :größe :名前 :a' :c# :$x :a:b :a/b/c");
    assert_snapshot!(check("(:a/b {:a/b 4}) ::again"), @"(:a/b {:a/b 4}) :user/again");
}

#[test]
fn keyword_names_are_those_that_read_back() {
    fn reads_back(name: &str) -> bool {
        let forms = parse(&format!(":{name}")).map(|parsed| parsed.forms).unwrap_or_default();
        matches!(forms.as_slice(), [Form { kind: FormKind::Keyword(read), .. }] if read == name)
    }
    for name in ["a", "a-b", "first_name", "größe", "名前", "a/b", "x$", "1a", "a:b", "naïve?"] {
        assert!(is_keyword_name(name), "{name}");
        assert!(reads_back(name), "{name}");
    }
    for name in
        ["", "a b", "/a", "a/", ":a", "a:", "a::b", "a,b", "a(b", "a\"", "a;b", "a\u{200B}", "“a”", "a@b", "a\u{A0}"]
    {
        assert!(!is_keyword_name(name), "{name}");
        assert!(!reads_back(name), "{name}");
    }
}

#[test]
fn symbols_split_at_the_first_inner_slash() {
    assert_snapshot!(check("data/user-id clojure.string/join a/b/c clojure.core//"), @"data//user-id clojure.string//join a//b/c clojure.core///");
    assert_snapshot!(check("/ /a a/ ->> .indexOf java.util.Date. *1 *ns* % %1 %& & $ x' a#b a|b"), @"/ /a a/ ->> .indexOf java.util.Date. *1 *ns* % %1 %& & $ x' a#b a|b");
    assert_snapshot!(check("größe x₂ Δt число a:b"), @"größe x₂ Δt число a:b");
}

#[test]
fn collections() {
    assert_snapshot!(check("() [] {} #{} #()"), @"() [] {} #{} #()");
    assert_snapshot!(check("{:a 1 :a 2, [0 0] :origin}"), @"{:a 1 :a 2 [0 0] :origin}");
    assert_snapshot!(check("#{1 2 1} #{[1] {:a #{}}}"), @"#{1 2 1} #{[1] {:a #{}}}");
    assert_snapshot!(check("#(+ % 1) #(map #(inc %) %) #(42)"), @"#(+ % 1) #(map #(inc %) %) #(42)");
}

#[test]
fn quotes_derefs_and_vars() {
    assert_snapshot!(check("'x '(1 2) ''a @state @@a '@b #'total #'->x"), @"'x '(1 2) ''a @state @@a '@b #'total #'->x");
    assert_snapshot!(check("' x @ y"), @"'x @y");
}

#[test]
fn metadata_is_read_and_dropped() {
    assert_snapshot!(check(r#"^{:doc "x"} [1 2]"#), @"[1 2]");
    assert_snapshot!(check("(defn ^:private f [^String s] (count s))"), @"(defn f [s] (count s))");
    assert_snapshot!(check("^:a ^:b ^\"S\" x #^:old y '^:a z"), @"x y 'z");
}

#[test]
fn regexes_keep_their_backslashes() {
    assert_snapshot!(check(r##"#"\d+\s" #"say \"hi\"" #"a\\" #"" #"[^)]""##), @r#"#/\d+\s/ #/say "hi"/ #/a\\/ #// #/[^)]/"#);
}

#[test]
fn surplus_closers_between_top_level_forms_are_ignored() {
    assert_snapshot!(check("(+ 1 2)) 7"), @"(+ 1 2) 7");
    assert_snapshot!(check(")]} 1 ]"), @"1");
    assert_snapshot!(check(r#"1 "two" :three"#), @r#"1 "two" :three"#);
}

#[test]
fn surplus_closers_are_counted_from_the_first() {
    let told = |source: &str| {
        let surplus = parse(source).unwrap().surplus;
        surplus.map_or_else(String::new, |surplus| format!("{} {}", surplus.first.start, surplus.warning()))
    };
    assert_snapshot!(told("(+ 1 2))"), @"7 1 closing delimiter too many: the program ends before it");
    assert_snapshot!(told("(f 1) ] ;)\n})"), @"6 3 closing delimiters too many: the program ends before them");
    assert_snapshot!(told(")"), @"0 1 closing delimiter too many: the program ends before it");
    assert_snapshot!(told("(f 1)) (g))"), @"5 2 closing delimiters too many: nothing is open here");
    assert_snapshot!(told("(->> xs\n     (map f))\n     (filter g))"), @"37 1 closing delimiter too many: the program ends before it; by the indentation, the form that ends at line 2, column 13 is closed too early");
    assert_snapshot!(told("(f \")\" #\")\" \\))"), @"");
}

#[test]
fn invisible_characters_vanish_outside_of_strings() {
    assert_snapshot!(check("\u{FEFF}(+\u{A0}1\u{2009}2\u{200B})"), @"(+ 1 2)");
    assert_snapshot!(check("a\u{200B}b :k\u{FEFF}ey 4\u{200B}2 -\u{200B}5 \u{202E}nil\u{200D}"), @"ab :key 42 -5 nil");
}

#[test]
fn spans_cover_the_text_of_each_form() {
    fn walk(source: &str, form: &Form, out: &mut Vec<String>) {
        out.push(source[form.span.start as usize..form.span.end as usize].to_owned());
        match &form.kind {
            FormKind::List(forms) | FormKind::Vector(forms) | FormKind::Map(forms) => {
                forms.iter().for_each(|form| walk(source, form, out));
            }
            FormKind::Quote(form) | FormKind::Deref(form) => walk(source, form, out),
            _ => {}
        }
    }
    let source = "(žluť :k [\"a\\n\" 'x] ^:m y #_z {1.5M @b}) ##Inf #'v \\space #\"r\"";
    let mut texts = Vec::new();
    parse(source).unwrap().forms.iter().for_each(|form| walk(source, form, &mut texts));
    assert_snapshot!(texts[1..].join("\n"), @r#"
    žluť
    :k
    ["a\n" 'x]
    "a\n"
    'x
    x
    y
    {1.5M @b}
    1.5M
    @b
    b
    ##Inf
    #'v
    \space
    #"r"
    "#);
}

#[test]
fn limits_are_the_callers() {
    let limits = ReadLimits { max_bytes: 9, max_nesting: 2 };
    let check = |source: &str| show(source, parse_with(source, limits));
    assert_snapshot!(check("[[1] [2]]"), @"[[1] [2]]");
    assert_snapshot!(check("[[1] [2 ]]"), @"!! the program is 10 bytes long, the limit is 9 bytes");
    assert_snapshot!(check("[1 ['a]]"), @"!! forms nested deeper than 2 at line 1, column 5");
}
