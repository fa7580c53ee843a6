//! Properties: no text breaks the reader, its cost stays linear, and printed forms read back.

use std::time::Duration;

use num_bigint::BigInt;
use proptest::prelude::*;

use super::*;
use crate::limits::machine_clock::thread_time;
use crate::parse::{Symbol, Token, is_unfinished, tokens};

/// Source text of a form.
fn print(form: &Form) -> String {
    let all = |forms: &[Form]| forms.iter().map(print).collect::<Vec<_>>().join(" ");
    match &form.kind {
        FormKind::BigInt(value) => value.to_string(),
        FormKind::Float(value) if value.is_nan() => "##NaN".to_owned(),
        FormKind::Float(value) if value.is_infinite() => if *value > 0.0 { "##Inf" } else { "##-Inf" }.to_owned(),
        FormKind::Str(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        FormKind::Symbol(symbol) => symbol.to_string(),
        FormKind::Regex(pattern) => format!("#\"{pattern}\""),
        FormKind::List(forms) => format!("({})", all(forms)),
        FormKind::Vector(forms) => format!("[{}]", all(forms)),
        FormKind::Map(forms) => format!("{{{}}}", all(forms)),
        FormKind::Set(forms) => format!("#{{{}}}", all(forms)),
        FormKind::ShortFn(forms) => format!("#({})", all(forms)),
        FormKind::Quote(form) => format!("'{}", print(form)),
        FormKind::Deref(form) => format!("@{}", print(form)),
        _ => dump(form),
    }
}

fn leaf() -> impl Strategy<Value = FormKind> {
    prop_oneof![
        Just(FormKind::Nil),
        any::<bool>().prop_map(FormKind::Bool),
        any::<i64>().prop_map(FormKind::Int),
        any::<u64>().prop_map(|n| FormKind::BigInt(BigInt::from(i64::MAX) + 1 + n)),
        any::<f64>().prop_map(FormKind::Float),
        any::<String>().prop_map(FormKind::Str),
        "[a-z*+!?_-][a-z0-9./'-]{0,5}[a-z0-9]".prop_map(FormKind::Keyword),
        "[a-zé*!?_$][a-z0-9.'#-]{0,5}".prop_map(|text| FormKind::Symbol(Symbol::new(&text))),
        "[a-z]{1,4}/[a-z?-]{1,5}".prop_map(|text| FormKind::Symbol(Symbol::new(&text))),
        "[a-z.*+()\\[\\]^$]{0,8}".prop_map(FormKind::Regex),
        "[a-z-]{1,6}".prop_map(FormKind::Var),
    ]
}

fn form() -> impl Strategy<Value = Form> {
    let form = |kind| Form { kind, span: Span::default() };
    leaf().prop_map(form).prop_recursive(6, 60, 5, move |inner| {
        let forms = || prop::collection::vec(inner.clone(), 0..5);
        let pairs = prop::collection::vec((inner.clone(), inner.clone()), 0..3);
        prop_oneof![
            forms().prop_map(FormKind::List),
            forms().prop_map(FormKind::Vector),
            pairs.prop_map(|pairs| FormKind::Map(pairs.into_iter().flat_map(|(k, v)| [k, v]).collect())),
            forms().prop_map(FormKind::Set),
            forms().prop_map(FormKind::ShortFn),
            inner.clone().prop_map(|form| FormKind::Quote(Box::new(form))),
            inner.clone().prop_map(|form| FormKind::Deref(Box::new(form))),
        ]
        .prop_map(form)
    })
}

/// Scraps that touch every branch of the reader when they meet in any order.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop::sample::select(vec![
        "(", ")", "[", "]", "{", "}", "#{", "#(", "#_", "#'", "#\"", "##", "#", "\"", "\\", "'", "@", "^", "`", "~",
        ":", "/", ";", "\n", "\r", " ", ",", "a", "b/c", "nil", "1", "-", ".", "e", "M", "0x", "2r1", "\\u00e9",
        "\\ud83d", "newline", "“", "”", "‘", "\u{200B}", "\u{A0}", "é", "😀", "%", "&",
    ]);
    prop::collection::vec(scrap, 0..40).prop_map(|scraps| scraps.concat())
}

/// Spans are in the text, on character boundaries, and errors can be shown.
fn sound(source: &str) {
    let within = |span: Span| source.get(span.start as usize..span.end as usize).is_some();
    match parse(source) {
        Ok(parsed) => {
            assert!(parsed.forms.iter().all(|form| form.span.start < form.span.end && within(form.span)));
            assert!(parsed.decimals.iter().all(|span| within(*span)));
        }
        Err(error) => {
            assert!(within(error.span), "{error:?}");
            assert!(!error.message.is_empty() && error.message.len() < 500);
        }
    }
}

proptest! {
    /// The reader and the tokens see the same text, and a program that is typed line by line is unfinished until it reads.
    #[test]
    fn tokens_are_those_of_the_reader(forms in prop::collection::vec(form(), 1..4), cut in any::<prop::sample::Index>()) {
        let source = forms.iter().map(print).collect::<Vec<_>>().join(" ");
        let Ok(whole) = parse(&source) else { return Ok(()) };
        let text = |token: &Token| &source[token.span.start as usize..token.span.end as usize];
        let lines: Vec<&str> = tokens(&source).iter().map(text).collect();
        let apart = parse(&lines.join("\n")).unwrap();
        prop_assert_eq!(apart.forms.iter().map(dump).collect::<Vec<_>>(), whole.forms.iter().map(dump).collect::<Vec<_>>());
        let typed = lines[..cut.index(lines.len()) + 1].join("\n") + "\n";
        prop_assert_eq!(is_unfinished(&typed), parse(&typed).is_err(), "{}", typed);
    }
}

proptest! {
    #[test]
    fn printed_forms_read_back(form in form()) {
        let source = print(&form);
        let read = parse(&source).unwrap();
        prop_assert_eq!(dump_all(&read.forms), dump(&form), "{}", source);
    }

    #[test]
    fn any_text_is_a_program_or_an_error(source in any::<String>()) {
        sound(&source);
    }

    #[test]
    fn any_scraps_are_a_program_or_an_error(source in scraps()) {
        sound(&source);
    }

    #[test]
    fn wrapping_a_program_in_a_vector_keeps_its_forms(source in scraps()) {
        if let Ok(parsed) = parse(&source) && !source.contains([')', ']', '}', ';']) {
            let wrapped = format!("[{source}\n]");
            let read = parse(&wrapped).unwrap();
            prop_assert_eq!(dump_all(&read.forms), format!("[{}]", dump_all(&parsed.forms)));
        }
    }
}

/// Texts that repeat one scrap up to `bytes`.
fn floods(bytes: usize) -> Vec<String> {
    let scraps = [
        "(",
        "[",
        "{",
        "{:a ",
        "#{",
        "#(",
        "'",
        "@",
        "^",
        "^:a ",
        "#_ ",
        "#_",
        ")",
        "\\a",
        "\\a ",
        "\"",
        "\"a\" ",
        "\"\\u0041",
        "1",
        "1 ",
        "1N ",
        "a",
        "a ",
        ":a",
        ":",
        "/",
        ";",
        ";\n",
        "“",
        "“a” ",
        "\u{200B}",
        ",",
        "1.5M ",
        "#_1.5M ",
        "##",
        "#'a ",
        "9M",
        "-",
        "\\",
        "\"\\",
        "#\"\\",
        "é",
        "'(",
        "#_(1M) ",
    ];
    scraps.iter().map(|scrap| scrap.repeat(bytes / scrap.len())).collect()
}

#[test]
fn deep_nesting_ends_in_an_error_on_a_small_stack() {
    let work = || {
        for open in ["(", "[", "{:a ", "#{", "#(", "'", "@", "^", "^:a ", "#_", "#_ ", "(' "] {
            let source = open.repeat(100_000 / open.len());
            let message = parse(&source).unwrap_err().message;
            assert_eq!(message, "forms nested deeper than 200", "{open}");
        }
        let deepest = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert_eq!(check(&deepest), deepest);
    };
    std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn cost_is_linear() {
    let slowest = |bytes| {
        let time = |source: String| {
            let start = thread_time();
            let _ = parse(&source);
            thread_time().saturating_sub(start)
        };
        floods(bytes).into_iter().map(time).max().unwrap_or_default()
    };
    let (small, large) = (slowest(16_000), slowest(128_000));
    // Eight times the text; a quadratic step would cost 64 times as much. Slack for a busy machine.
    assert!(large < small * 30 + Duration::from_millis(100), "{small:?} {large:?}");
    for source in floods(4_000) {
        sound(&source);
    }
}

#[test]
fn a_text_over_the_size_limit_is_not_read() {
    let source = format!("(count \"{}\")", "x".repeat(1 << 20));
    assert_eq!(check(&source), "!! the program is 1048586 bytes long, the limit is 131072 bytes");
    assert!(parse(&format!("\"{}\"", "x".repeat(131_070))).is_ok());
}
