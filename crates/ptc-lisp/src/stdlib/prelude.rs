//! The part of the library that is written in the language itself: a definition is also the row of its builtin.
//!
//! Bounded: by the rows, which are ours.

#[cfg(test)]
mod tests;

use super::{Builtin, Demand, Family, Force, Purity, Run, Sequences, facts};

const SOURCE: &str = include_str!("prelude.clj");

/// The families of the prelude: a row for each definition after a `(family "title")`.
///
/// Cost: looks at each character once; the bodies are read when they are compiled.
pub(super) fn families() -> Vec<Family> {
    let mut families: Vec<(&str, Vec<Builtin>)> = Vec::new();
    for form in Forms(SOURCE) {
        let mut parts = parts(form);
        match (parts.next(), parts.next(), families.last_mut()) {
            (Some("family"), Some(title), _) => families.push((quoted(title), Vec::new())),
            (Some("defn"), Some(name), Some((_, rows))) => rows.push(row(form, name, parts)),
            _ => {}
        }
    }
    families.into_iter().map(|(title, rows)| Family { title, rows: rows.leak() }).collect()
}

/// The row of `(defn name "What it gives." {:examples […]} [parameters] …)`, where `parts` are the forms after the
/// name.
fn row(definition: &'static str, name: &'static str, parts: Forms) -> Builtin {
    let mut row = Builtin::new(name, Force::Lazy, Run::Prelude(definition));
    let mut arities = Vec::new();
    for part in parts {
        match part.as_bytes() {
            [b'"', ..] => row.doc = quoted(part),
            [b'{', ..] => describe(&mut row, part),
            [b'[', ..] => {
                arities.push(part);
                break;
            }
            _ => arities.extend(self::parts(part).next()),
        }
    }
    if row.params.is_empty() {
        row.params = arities.leak();
    }
    row
}

/// What the metadata of a definition says.
fn describe(row: &mut Builtin, metadata: &'static str) {
    let entries: Vec<_> = parts(metadata).collect();
    for entry in entries.chunks_exact(2) {
        match entry {
            [":arglists", lists] => row.params = parts(lists).collect::<Vec<_>>().leak(),
            [":carries", at] => row.purity = at.parse().map_or(Purity::Unknown, Purity::Carries),
            [":pure", _] => row.purity = Purity::Pure,
            [":demand", how] => row.demand = demand(how),
            [":within", names] => row.namespaces = parts(names).collect::<Vec<_>>().leak(),
            [":examples", examples] => {
                let texts: Vec<_> = parts(examples).collect();
                let pairs = texts.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
                row.examples = pairs.collect::<Vec<_>>().leak();
            }
            [column, said] => {
                let words: Vec<_> = if said.starts_with('[') { parts(said).collect() } else { vec![*said] };
                let known = facts::describe(&mut row.facts, column, &words);
                debug_assert!(known.is_some(), "{}: {column} {said}", row.name);
            }
            _ => {}
        }
    }
}

/// How much a definition reads of its sequences, which come after its function.
fn demand(how: &str) -> Demand {
    let (after, first) = (Sequences::From(1), Sequences::First);
    match how {
        ":prefix" => Demand::Prefix(after),
        ":each" => Demand::Steps { over: after, function: Some(0), stops: false },
        ":stops" => Demand::Steps { over: after, function: Some(0), stops: true },
        // The forms of the language have the collection first.
        ":for" => Demand::Steps { over: first, function: Some(1), stops: false },
        ":all" => Demand::Steps { over: first, function: None, stops: false },
        _ => Demand::Whole,
    }
}

/// The text of a string without its quotes; no docstring has escapes.
fn quoted(string: &'static str) -> &'static str {
    string.trim_matches('"')
}

/// The forms inside brackets.
fn parts(form: &'static str) -> Forms {
    Forms(form.get(1..form.len() - 1).unwrap_or_default())
}

/// The texts of forms, one after another.
struct Forms(&'static str);

impl Iterator for Forms {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let mut text = self.0.trim_start();
        while text.starts_with(';') {
            text = text.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
        }
        let mut depth = 0;
        let mut bytes = text.bytes().enumerate();
        let mut end = text.len();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' => while !matches!(bytes.next(), Some((_, b'"')) | None) {},
                b';' => while !matches!(bytes.next(), Some((_, b'\n')) | None) {},
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b' ' | b'\n' if depth == 0 => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        let (form, rest) = text.split_at_checked(end)?;
        self.0 = rest;
        (!form.is_empty()).then_some(form)
    }
}
