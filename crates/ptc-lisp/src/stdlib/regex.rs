//! Regular expressions: an engine whose time grows linearly with the text.

mod check;
mod compile;
mod matches;

use crate::error::Res;
use crate::stdlib::text::every_piece;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Pattern, Text, Value};

pub(crate) use check::regex_problem;
pub(super) use compile::{is_pattern, pattern};
pub(super) use matches::Matches;

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Regular expressions";
    "re-pattern" "[s]" lazy within(&["regex"]) = re_pattern,
        "The regular expression written in `s`, up to 4 KB; without look-around and back-references."
        r#"(re-pattern "[a-z]+")"# => r#"#"[a-z]+""#;
    "Pattern/quote" "[s]" lazy = quote,
        "The text of a regular expression that matches `s` literally, up to 4 KB."
        r#"(re-find (re-pattern (str (Pattern/quote "a.b") "+")) "aabb a.bb")"# => r#""a.bb""#;
    "re-find" "[re s]" lazy uses(Uses::Computes)
        within(&["regex"]) = |call| pattern(call, 0).and_then(|regex| first_match(call, &regex)),
        "The first match in `s`, nil without one: its text, or `[whole group1 …]` when `re` has groups."
        r#"(re-find #"(\d+)-(\d+)" "p 10-12")"# => r#"["10-12" "10" "12"]"#, r#"(re-find #"\d+" "abc")"# => "nil";
    "re-matches" "[re s]" lazy uses(Uses::Computes) within(&["regex"])
        = |call| compile::whole(call).and_then(|regex| first_match(call, &regex)),
        "The match of all of `s`, shaped as by `re-find`, else nil."
        r#"(re-matches #"[a-z]+" "abc9")"# => "nil", r#"(re-matches #"[a-z]+" "abc")"# => r#""abc""#;
    "re-seq" "[re s]" lazy returns(Returns::Sequence) uses(Uses::Computes) within(&["regex"]) = re_seq,
        "All matches in `s`, shaped as by `re-find`; nil without one." r#"(re-seq #"\d" "a1b2")"# => r#"["1" "2"]"#;
    "re-split" "[re s]" lazy uses(Uses::Computes) within(&["regex"]) = re_split,
        "The pieces of `s` between matches, empty ones too." r#"(re-split #"\s*;\s*" "k ; v;w")"# => r#"["k" "v" "w"]"#;
    "extract" "[re s]" "[re s group]" lazy uses(Uses::Computes) = extract,
        "The text of a group (1 unless given, 0 for the whole) of the first match, nil without one."
        r#"(extract "user=(\\w+)" "user=ida;")"# => r#""ida""#,
        r#"(extract "user=\\w+" "user=ida;" 0)"# => r#""user=ida""#;
    "extract-int" "[re s]" "[re s group]" "[re s group default]" lazy uses(Uses::Computes) = extract_int,
        "The integer in a group of the first match, else `default` or nil."
        r#"(extract-int "(\\d+)x(\\d+)" "3x40" 2)"# => "40", r#"(extract-int "n=(\\d+)" "n=x" 1 0)"# => "0";
};

/// Whether the first argument of the builtin `name` is a pattern, possibly as a string.
pub(crate) fn takes_pattern(name: &str) -> bool {
    name != "Pattern/quote" && FAMILY.rows.iter().any(|row| row.name == name)
}

fn quote(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    compile::check_length(&text)?;
    call.string(format!(r"\Q{}\E", text.replace(r"\E", r"\E\\E\Q")))
}

fn re_pattern(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Regex(_) => Ok(call.take(0)),
        Value::Str(_) => Ok(Value::Regex(pattern(call, 0)?)),
        other => Err(call.wrong("a string", other)),
    }
}

/// The subject in argument 1; `None` for nil.
fn subject(call: &mut Call<'_>) -> Res<Option<Text>> {
    match call.arg(1) {
        Value::Nil => Ok(None),
        Value::Str(text) => {
            let text = text.clone();
            call.charge(text.len() / 8)?;
            Ok(Some(text))
        }
        other => Err(call.wrong("a string", other)),
    }
}

fn first_match(call: &mut Call<'_>, regex: &Pattern) -> Res {
    let Some(text) = subject(call)? else { return Ok(Value::Nil) };
    let mut matches = Matches::new(regex, &text);
    if matches.next_groups(call)?.is_some() { matches.value(call) } else { Ok(Value::Nil) }
}

fn re_seq(call: &mut Call<'_>) -> Res {
    let regex = pattern(call, 0)?;
    let Some(text) = subject(call)? else { return Ok(Value::Nil) };
    let mut found = Vec::new();
    let mut matches = Matches::new(&regex, &text);
    while matches.next_groups(call)?.is_some() {
        let value = matches.value(call)?;
        call.push(&mut found, value)?;
    }
    if found.is_empty() { Ok(Value::Nil) } else { call.paid_vector(found) }
}

fn re_split(call: &mut Call<'_>) -> Res {
    let regex = pattern(call, 0)?;
    match subject(call)? {
        Some(text) => every_piece(call, &regex, &text),
        None => Ok(Value::vector(Vec::new())),
    }
}

fn extract(call: &mut Call<'_>) -> Res {
    group_text(call)?.map_or(Ok(Value::Nil), |text| call.string(text))
}

fn extract_int(call: &mut Call<'_>) -> Res {
    let found = group_text(call)?.as_deref().and_then(super::convert::long_of);
    Ok(found.map_or_else(|| call.take(3), Value::Int))
}

fn group_text(call: &mut Call<'_>) -> Res<Option<String>> {
    let group = if call.len() > 2 { usize::try_from(call.int(2)?).ok() } else { Some(1) };
    let regex = pattern(call, 0)?;
    let Some(text) = subject(call)? else { return Ok(None) };
    let mut matches = Matches::new(&regex, &text);
    if matches.next_groups(call)?.is_none() {
        return Ok(None);
    }
    Ok(group.and_then(|group| matches.group(group)).map(str::to_owned))
}
