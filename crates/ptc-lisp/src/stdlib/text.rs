//! Strings: making, joining, cutting. Other changes, searching and replacing are in the modules below.

mod byte;
pub(crate) mod format;
mod literal;
mod pass;
mod replace;
mod search;
mod split;

use crate::error::Res;
use crate::pace::{STRETCH, push_text};
use crate::stdlib::call::TEXT;
use crate::stdlib::{Builtin, Call, Family, Force, Run, show};
use crate::value::{Text, Value, room_for_text, write_scalar};

pub(super) use pass::{push_lower, push_upper, recased, trim_both};
pub(super) use replace::literal as replace_literal;
pub(super) use search::{find_from, find_last};
pub(super) use split::every_piece;

#[cfg(test)]
mod tests;

/// Arguments are looked at as they are: a lazily realised sequence is no string.
const SCALAR: Builtin = Builtin { force: Force::Lazy, ..Builtin::ROW };
/// Arguments are shown with all that is in them.
const DEEP: Builtin = Builtin { force: Force::Deep, ..Builtin::ROW };

pub(crate) const FAMILY: Family = Family {
    title: "Strings",
    rows: &[
        Builtin {
            name: "str",
            params: &["[& xs]"],
            doc: "The texts of `xs` in one string: strings as they are, nothing for nil.",
            examples: &[(r#"(str "n=" 12.50 nil [:a "b"])"#, r#""n=12.5[:a \"b\"]""#), ("(str)", r#""""#)],
            run: Run::Plain(str),
            ..DEEP
        },
        Builtin {
            name: "join",
            namespaces: &["str"],
            params: &["[coll]", "[separator coll]"],
            doc: "The texts of the elements with `separator` between them.",
            examples: &[(r#"(join ", " [1 nil "x"])"#, r#""1, , x""#)],
            run: Run::Plain(join),
            ..DEEP
        },
        Builtin {
            name: "format",
            params: &["[fmt & args]"],
            doc: "`fmt` with its directives filled in: `%s %d %f %e %x %X %o %b %c %n %%` with width, precision, flags `- 0 + , ( space #` and `%1$s`.",
            examples: &[
                (r#"(format "%s: %,.2f" "sum" 1234.5)"#, r#""sum: 1,234.50""#),
                (r#"(format "%05d|%-4s|" 42 "ab")"#, r#""00042|ab  |""#),
            ],
            run: Run::Plain(format::run),
            ..DEEP
        },
        Builtin {
            name: "subs",
            params: &["[s start]", "[s start end]"],
            doc: "The characters from `start` up to `end`; both are brought inside the string.",
            examples: &[(r#"(subs "hello" 1 3)"#, r#""el""#), (r#"(subs "hi" 0 99)"#, r#""hi""#)],
            run: Run::Plain(subs),
            ..SCALAR
        },
        Builtin {
            name: "split",
            namespaces: &["str"],
            params: &["[s separator]", "[s separator limit]"],
            doc: "The pieces of `s`: a string separator is taken literally and keeps empty pieces, a regular expression drops empty ones at the end; at most `limit` pieces.",
            examples: &[
                (r#"(split "a,b,,c," ",")"#, r#"["a" "b" "" "c" ""]"#),
                (r#"(split "a1b22c" #"\d+")"#, r#"["a" "b" "c"]"#),
                (r#"(split "k: v: w" ": " 2)"#, r#"["k" "v: w"]"#),
            ],
            run: Run::Plain(split::split),
            ..SCALAR
        },
        Builtin {
            name: "split-lines",
            namespaces: &["str"],
            params: &["[s]"],
            doc: "The lines of `s` without their ends; empty ones at the end are dropped.",
            examples: &[(r#"(split-lines "p\nq\r\n\n")"#, r#"["p" "q"]"#)],
            run: Run::Plain(split::lines),
            ..SCALAR
        },
        Builtin {
            name: "trim",
            namespaces: &["str"],
            params: &["[s]"],
            doc: "`s` without blanks at both ends.",
            examples: &[(r#"(trim " a b ")"#, r#""a b""#)],
            run: Run::Plain(pass::trim),
            ..SCALAR
        },
        Builtin {
            name: "triml",
            namespaces: &["str"],
            params: &["[s]"],
            doc: "`s` without blanks at its start.",
            examples: &[(r#"(triml " a ")"#, r#""a ""#)],
            run: Run::Plain(pass::triml),
            ..SCALAR
        },
        Builtin {
            name: "trimr",
            namespaces: &["str"],
            params: &["[s]"],
            doc: "`s` without blanks at its end.",
            examples: &[(r#"(trimr " a ")"#, r#"" a""#)],
            run: Run::Plain(pass::trimr),
            ..SCALAR
        },
        Builtin {
            name: "trim-newline",
            namespaces: &["str"],
            params: &["[s]"],
            doc: "`s` without line ends at its end.",
            examples: &[(r#"(trim-newline "a\r\n")"#, r#""a""#)],
            run: Run::Plain(pass::trim_newline),
            ..SCALAR
        },
        Builtin {
            name: "upper-case",
            namespaces: &["str"],
            params: &["[s]"],
            doc: "`s` in upper case.",
            examples: &[(r#"(upper-case "ada")"#, r#""ADA""#)],
            run: Run::Plain(pass::upper_case),
            ..SCALAR
        },
        Builtin {
            name: "upcase",
            params: &["[s]"],
            doc: "The same as `upper-case`.",
            examples: &[(r#"(upcase "ada")"#, r#""ADA""#)],
            run: Run::Plain(pass::upper_case),
            ..SCALAR
        },
        Builtin {
            name: "lower-case",
            namespaces: &["str"],
            params: &["[s]"],
            doc: "`s` in lower case.",
            examples: &[(r#"(lower-case "ADA")"#, r#""ada""#)],
            run: Run::Plain(pass::lower_case),
            ..SCALAR
        },
        Builtin {
            name: "downcase",
            params: &["[s]"],
            doc: "The same as `lower-case`.",
            examples: &[(r#"(downcase "ADA")"#, r#""ada""#)],
            run: Run::Plain(pass::lower_case),
            ..SCALAR
        },
        Builtin {
            name: "capitalize",
            namespaces: &["str"],
            params: &["[s]"],
            doc: "The first character in upper case, the rest in lower case.",
            examples: &[(r#"(capitalize "hELLO")"#, r#""Hello""#)],
            run: Run::Plain(pass::capitalize),
            ..SCALAR
        },
        Builtin {
            name: "starts-with?",
            namespaces: &["str"],
            params: &["[s prefix]"],
            doc: "Whether `s` starts with `prefix`.",
            examples: &[(r#"(starts-with? "hello" "he")"#, "true")],
            run: Run::Plain(search::starts_with),
            ..SCALAR
        },
        Builtin {
            name: "ends-with?",
            namespaces: &["str"],
            params: &["[s suffix]"],
            doc: "Whether `s` ends with `suffix`.",
            examples: &[(r#"(ends-with? "a.txt" ".txt")"#, "true")],
            run: Run::Plain(search::ends_with),
            ..SCALAR
        },
        Builtin {
            name: "includes?",
            namespaces: &["str"],
            params: &["[s part]"],
            doc: "Whether `part` occurs in `s`.",
            examples: &[(r#"(includes? "hello" "ell")"#, "true")],
            run: Run::Plain(search::includes),
            ..SCALAR
        },
        Builtin {
            name: "index-of",
            namespaces: &["str"],
            params: &["[s part]", "[s part from]"],
            doc: "The first position of `part` at or after `from`, nil if there is none.",
            examples: &[(r#"(index-of "banana" "na")"#, "2"), (r#"(index-of "banana" "x")"#, "nil")],
            run: Run::Plain(search::index_of),
            ..SCALAR
        },
        Builtin {
            name: "last-index-of",
            namespaces: &["str"],
            params: &["[s part]", "[s part from]"],
            doc: "The last position of `part` at or before `from`, nil if there is none.",
            examples: &[(r#"(last-index-of "banana" "na")"#, "4")],
            run: Run::Plain(search::last_index_of),
            ..SCALAR
        },
        Builtin {
            name: "blank?",
            namespaces: &["str"],
            params: &["[s]"],
            doc: "Whether `s` is nil, empty or only blanks.",
            examples: &[(r#"(blank? " ")"#, "true")],
            run: Run::Plain(pass::blank),
            ..SCALAR
        },
        Builtin {
            name: "str/reverse",
            params: &["[s]"],
            doc: "The characters of `s` from the last to the first.",
            examples: &[(r#"(str/reverse "abc")"#, r#""cba""#)],
            run: Run::Plain(pass::reverse),
            ..SCALAR
        },
        Builtin {
            name: "str/escape",
            params: &["[s cmap]"],
            doc: "`s` with each character that the map `cmap` knows replaced by its text.",
            examples: &[(r#"(str/escape "a<b" {\< "&lt;"})"#, r#""a&lt;b""#)],
            run: Run::Plain(pass::escape),
            ..DEEP
        },
        Builtin {
            name: "str/re-quote-replacement",
            params: &["[s]"],
            doc: r#"`s` with `\` and `$` escaped, to be a replacement taken as it is."#,
            examples: &[(r#"(str/re-quote-replacement "$6")"#, r#""\\$6""#)],
            run: Run::Plain(pass::quote_replacement),
            ..SCALAR
        },
        Builtin {
            name: "replace",
            namespaces: &["str"],
            params: &["[smap]", "[smap coll]", "[s match new]"],
            doc: "In a string: every `match`, a literal string or a regular expression, replaced by `new`, a string (`$1` is a group) or a function of the match. In a collection: elements found in `smap` replaced by what it has there.",
            examples: &[
                (r#"(replace "a.b.c" "." "-")"#, r#""a-b-c""#),
                (r#"(replace "John Smith" #"(\w+) (\w+)" "$2, $1")"#, r#""Smith, John""#),
                (r#"(replace "a1b2" #"\d" #(str "<" % ">"))"#, r#""a<1>b<2>""#),
                ("(replace {1 :a} [1 2])", "[:a 2]"),
            ],
            force: Force::Lazy,
            run: Run::Native(replace::start_all),
        },
        Builtin {
            name: "replace-first",
            namespaces: &["str"],
            params: &["[s match new]"],
            doc: "The first `match` replaced by `new`, as by `replace`.",
            examples: &[(r##"(replace-first "a1b2" #"\d" "#")"##, r#""a#b2""#)],
            run: Run::Native(replace::start_first),
            ..SCALAR
        },
        Builtin {
            name: "%re-matches-with-spans",
            params: &["[s match]", "[s match limit]"],
            doc: "For `replace` with a function: `[start end value]` of each match, at most `limit`, positions in characters.",
            run: Run::Plain(replace::spans),
            ..SCALAR
        },
    ],
};

/// Appends in place when nobody else holds the first argument: growing a string in a loop stays linear.
fn str(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = &mut *call;
    let (grown, rest) = match &**args {
        [head @ Value::Str(_)] => return Ok(head.clone()),
        [Value::Str(_), rest @ ..] => (true, rest),
        all => (false, all),
    };
    cx.meter.charge(rest.len())?;
    let mut tail = cx.take_scratch();
    for value in rest {
        if !write_scalar(&mut tail, value, &mut cx.meter)? {
            show::display(cx, &mut tail, value)?;
        }
    }
    if grown && let Value::Str(head) = call.take(0) {
        let whole = if tail.is_empty() { head } else { head.push_str(&tail, call.meter())? };
        call.cx.return_scratch(tail);
        return Ok(Value::Str(whole));
    }
    call.allocate(TEXT)?;
    Ok(call.cx.finish_scratch(tail))
}

/// Elements that `join` looks at twice.
const FEW: usize = 64;

fn join(call: &mut Call<'_>) -> Res {
    let mut separator = String::new();
    if call.len() == 2 {
        let Call { args, cx, .. } = &mut *call;
        if let [first, _] = &**args {
            show::display(cx, &mut separator, first)?;
        }
    }
    let items = call.seq(call.len() - 1)?;
    call.charge(items.len())?;
    let mut text = String::new();
    if items.len() <= FEW {
        // A few long texts: what does not fit is refused before anything is copied.
        let whole = items.iter().filter_map(Value::as_str).map(|text| text.len() + separator.len()).sum::<usize>();
        room_for_text(&mut text, whole.saturating_sub(separator.len()), call.meter())?;
    }
    let mut between = "";
    for item in &items {
        let here = if let Value::Str(text) = item { text.as_str() } else { "" };
        call.tick()?;
        room_for_text(&mut text, between.len() + here.len(), call.meter())?;
        push_text(&mut text, between, call.meter())?;
        match item {
            Value::Str(_) => push_text(&mut text, here, call.meter())?,
            other => show::display(call.cx, &mut text, other)?,
        }
        between = &separator;
    }
    call.allocate(TEXT)?;
    Ok(Value::string(text))
}

fn subs(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    let start = clamped(call, 1, &text)?;
    let end = if call.len() == 3 { clamped(call, 2, &text)? } else { text.chars() };
    cut(call, &text, start, end)
}

/// Argument `index` as a position inside `text`.
fn clamped(call: &Call<'_>, index: usize, text: &Text) -> Res<usize> {
    Ok(usize::try_from(call.int(index)?).unwrap_or(0).min(text.chars()))
}

/// The characters from `start` up to `end`, empty when `end` comes first.
pub(super) fn cut(call: &mut Call<'_>, text: &Text, start: usize, end: usize) -> Res {
    if start == 0 && end >= text.chars() {
        return Ok(Value::Str(text.clone()));
    }
    call.charge(text.steps_to_a_place() / 8)?;
    let piece = text.get(text.offset(start)..text.offset(end)).unwrap_or_default();
    piece_of(call, piece)
}

/// A new string from a piece of another one.
pub(crate) fn piece_of(call: &mut Call<'_>, piece: &str) -> Res {
    call.charge(piece.len() / 16)?;
    call.allocate(TEXT + piece.len())?;
    if piece.len() <= STRETCH {
        return Ok(Value::string(piece));
    }
    let mut text = String::with_capacity(piece.len());
    push_text(&mut text, piece, call.meter())?;
    Ok(Value::string(text))
}
