//! Strings: creating, joining, cutting. Other changes, searching and replacing are in the modules below.

mod byte;
pub(crate) mod format;
mod literal;
mod pass;
mod replace;
mod search;
mod split;

use crate::error::Res;
use crate::index::addressable;
use crate::limits::pace::STRETCH;
use crate::stdlib::call::TEXT;
use crate::stdlib::{Call, Family, InPlace, rows, show};
use crate::value::{Text, Value, push_text, reserve_text, text_for, write_scalar};

pub(super) use pass::{push_lower, push_upper, recased, trim_both, trim_start, trimmed};
pub(super) use replace::literal as replace_literal;
pub(super) use search::{both, contains, find_from, find_last};
pub(super) use split::{every_piece, next_line};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Strings";
    "str" "[& xs]" deep uses(Uses::Shows) alike in_place(InPlace::Append) = str,
        "The texts of `xs` in one string: strings as they are, nothing for nil."
        r#"(str "n=" 12.50 nil [:a "b"])"# => r#""n=12.5[:a \"b\"]""#, "(str)" => r#""""#;
    "join" "[coll]" "[separator coll]" deep within(&["str"]) = join,
        "The texts of the elements with `separator` between them." r#"(join ", " [1 nil "x"])"# => r#""1, , x""#;
    "format" "[fmt & args]" deep uses(Uses::Shows) = format::run,
        "`fmt` with its directives filled in: `%s %d %f %e %x %X %o %b %c %n %%` with width, precision, flags `- 0 + \
         , ( space #` and `%1$s`."
        r#"(format "%s: %,.2f" "sum" 1234.5)"# => r#""sum: 1,234.50""#,
        r#"(format "%05d|%-4s|" 42 "ab")"# => r#""00042|ab  |""#;
    "subs" "[s start]" "[s start end]" lazy uses(Uses::Computes) = subs,
        "The characters from `start` up to `end`; both are brought inside the string."
        r#"(subs "hello" 1 3)"# => r#""el""#, r#"(subs "hi" 0 99)"# => r#""hi""#;
    "split" "[s separator]" "[s separator limit]" lazy uses(Uses::Computes) within(&["str"]) = split::split,
        "The pieces of `s`: a string separator is taken literally and keeps empty pieces, a regular expression drops \
         empty ones at the end; at most `limit` pieces."
        r#"(split "a,b,,c," ",")"# => r#"["a" "b" "" "c" ""]"#, r#"(split "a1b22c" #"\d+")"# => r#"["a" "b" "c"]"#,
        r#"(split "k: v: w" ": " 2)"# => r#"["k" "v: w"]"#;
    "split-lines" "[s]" lazy uses(Uses::Computes) within(&["str"]) = split::lines,
        "The lines of `s` without their ends; empty ones at the end are dropped."
        r#"(split-lines "p\nq\r\n\n")"# => r#"["p" "q"]"#;
    "trim" "[s]" lazy uses(Uses::Computes) within(&["str"]) = |call| trimmed(call, trim_both),
        "`s` without blanks at both ends." r#"(trim " a b ")"# => r#""a b""#;
    "triml" "[s]" lazy uses(Uses::Computes) within(&["str"]) = |call| trimmed(call, trim_start),
        "`s` without blanks at its start." r#"(triml " a ")"# => r#""a ""#;
    "trimr" "[s]" lazy uses(Uses::Computes) within(&["str"])
        = |call| trimmed(call, |text, meter| pass::trim_end(text, char::is_whitespace, meter)),
        "`s` without blanks at its end." r#"(trimr " a ")"# => r#"" a""#;
    "trim-newline" "[s]" lazy uses(Uses::Computes) within(&["str"])
        = |call| trimmed(call, |text, meter| pass::trim_end(text, |c| matches!(c, '\n' | '\r'), meter)),
        "`s` without line ends at its end." r#"(trim-newline "a\r\n")"# => r#""a""#;
    "upper-case" "[s]" lazy uses(Uses::Computes) within(&["str"]) = |call| recased(call, push_upper),
        "`s` in upper case." r#"(upper-case "ada")"# => r#""ADA""#;
    "upcase" "[s]" lazy uses(Uses::Computes) = |call| recased(call, push_upper),
        "The same as `upper-case`." r#"(upcase "ada")"# => r#""ADA""#;
    "lower-case" "[s]" lazy uses(Uses::Computes) within(&["str"]) = |call| recased(call, push_lower),
        "`s` in lower case." r#"(lower-case "ADA")"# => r#""ada""#;
    "downcase" "[s]" lazy uses(Uses::Computes) = |call| recased(call, push_lower),
        "The same as `lower-case`." r#"(downcase "ADA")"# => r#""ada""#;
    "capitalize" "[s]" lazy uses(Uses::Computes) within(&["str"]) = |call| recased(call, pass::push_capitalized),
        "The first character in upper case, the rest in lower case." r#"(capitalize "hELLO")"# => r#""Hello""#;
    "starts-with?" "[s prefix]" lazy uses(Uses::Computes)
        within(&["str"]) = |call| search::asked(call, |text, part| text.starts_with(part)),
        "Whether `s` starts with `prefix`." r#"(starts-with? "hello" "he")"# => "true";
    "ends-with?" "[s suffix]" lazy uses(Uses::Computes)
        within(&["str"]) = |call| search::asked(call, |text, part| text.ends_with(part)),
        "Whether `s` ends with `suffix`." r#"(ends-with? "a.txt" ".txt")"# => "true";
    "includes?" "[s part]" lazy uses(Uses::Computes) within(&["str"]) = search::includes,
        "Whether `part` occurs in `s`." r#"(includes? "hello" "ell")"# => "true";
    "index-of" "[s part]" "[s part from]" lazy uses(Uses::Computes)
        within(&["str"]) = |call| search::index_of(call, 0, find_from),
        "The first position of `part` at or after `from`, nil if there is none."
        r#"(index-of "banana" "na")"# => "2", r#"(index-of "banana" "x")"# => "nil";
    "last-index-of" "[s part]" "[s part from]" lazy uses(Uses::Computes) within(&["str"])
        = |call| search::index_of(call, i64::MAX, find_last),
        "The last position of `part` at or before `from`, nil if there is none."
        r#"(last-index-of "banana" "na")"# => "4";
    "blank?" "[s]" lazy within(&["str"]) = pass::blank,
        "Whether `s` is nil, empty or only blanks." r#"(blank? " ")"# => "true";
    "str/reverse" "[s]" lazy = |call| pass::rewritten(call, 4, pass::push_reversed),
        "The characters of `s` from the last to the first." r#"(str/reverse "abc")"# => r#""cba""#;
    "str/escape" "[s cmap]" deep = pass::escape,
        "`s` with each character that the map `cmap` knows replaced by its text."
        r#"(str/escape "a<b" {\< "&lt;"})"# => r#""a&lt;b""#;
    "str/re-quote-replacement" "[s]" lazy = |call| pass::rewritten(call, 8, pass::push_quoted),
        r#"`s` with `\` and `$` escaped, to be a replacement taken as it is."#
        r#"(str/re-quote-replacement "$6")"# => r#""\\$6""#;
    "replace" "[smap]" "[smap coll]" "[s match new]" native stage uses(Uses::Computes)
        pure within(&["str"]) = replace::start_all,
        "In a string: every `match`, a literal string or a regular expression, replaced by `new`, a string (`$1` is a \
         group) or a function of the match. In a collection: elements found in `smap` replaced by their values there."
        r#"(replace "a.b.c" "." "-")"# => r#""a-b-c""#,
        r#"(replace "John Smith" #"(\w+) (\w+)" "$2, $1")"# => r#""Smith, John""#,
        r#"(replace "a1b2" #"\d" #(str "<" % ">"))"# => r#""a<1>b<2>""#, "(replace {1 :a} [1 2])" => "[:a 2]";
    "replace-first" "[s match new]" native uses(Uses::Computes) pure within(&["str"]) = replace::start_first,
        "The first `match` replaced by `new`, as by `replace`." r##"(replace-first "a1b2" #"\d" "#")"## => r#""a#b2""#;
    "%re-matches-with-spans" "[s match]" "[s match limit]" lazy = |call| replace::spans(call.named("replace")),
        "For `replace` with a function: `[start end value]` of each match, at most `limit`, positions in characters.";
};

/// Appends in place when the first argument is not shared, so growing a string in a loop stays linear.
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

/// The most elements that `join` visits twice.
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
        // A few long texts: a result that does not fit is refused before anything is copied.
        let whole = items.iter().filter_map(Value::as_str).map(|text| text.len() + separator.len()).sum::<usize>();
        reserve_text(&mut text, whole.saturating_sub(separator.len()), call.meter())?;
    }
    let (mut between, mut unseen) = ("", 0);
    for item in &items {
        let here = if let Value::Str(text) = item { text.as_str() } else { "" };
        call.tick()?;
        unseen += between.len() + here.len();
        if unseen > STRETCH {
            call.meter().look_at_clock()?;
            unseen = 0;
        }
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
    Ok(addressable(call.int(index)?).min(text.chars()))
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
    paid_piece(call, piece, 0)
}

/// Like [`piece_of`], for `units` of fuel in addition to those of its length.
#[inline]
fn paid_piece(call: &mut Call<'_>, piece: &str, units: usize) -> Res {
    call.charge(units + piece.len() / 16)?;
    if piece.len() <= STRETCH {
        call.allocate(TEXT + piece.len())?;
        return Ok(Value::string(piece));
    }
    call.allocate(TEXT)?;
    let mut text = text_for(piece.len(), call.meter())?;
    push_text(&mut text, piece, call.meter())?;
    Ok(Value::string(text))
}
