//! Rules as text.

use std::fmt::Write;

use super::{Part, Rule, Sequence};

/// How rules are written.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Notation {
    Gbnf,
    Lark,
}

/// The rules, one to a line.
pub(super) fn write(rules: &[Rule], notation: Notation) -> String {
    let mut text = String::new();
    let sign = match notation {
        Notation::Gbnf => " ::= ",
        Notation::Lark => {
            text.push_str("start: root\n");
            ": "
        }
    };
    for Rule { name, choices } in rules {
        text.push_str(name);
        text.push_str(sign);
        for (number, choice) in choices.iter().enumerate() {
            text.push_str(if number == 0 { "" } else { " | " });
            sequence(&mut text, choice, notation);
        }
        text.push('\n');
    }
    text
}

fn sequence(text: &mut String, parts: &Sequence, notation: Notation) {
    if parts.is_empty() && notation == Notation::Gbnf {
        text.push_str("\"\"");
    }
    for (number, part) in parts.iter().enumerate() {
        text.push_str(if number == 0 { "" } else { " " });
        match part {
            Part::Text(written) => quoted(text, written),
            Part::Rule(name) => text.push_str(name),
            Part::Characters(classes) => characters(text, classes, notation),
            Part::Optional(parts) => {
                text.push('(');
                sequence(text, parts, notation);
                text.push_str(")?");
            }
        }
    }
}

fn quoted(text: &mut String, written: &str) {
    text.push('"');
    for c in written.chars() {
        match c {
            '\n' => text.push_str("\\n"),
            '"' | '\\' => text.extend(['\\', c]),
            c => text.push(c),
        }
    }
    text.push('"');
}

fn characters(text: &mut String, classes: &[(&str, usize, usize)], notation: Notation) {
    let (before, between) = match notation {
        Notation::Gbnf => ("", " "),
        Notation::Lark => ("/", ""),
    };
    text.push_str(before);
    for (number, (class, least, most)) in classes.iter().enumerate() {
        text.push_str(if number == 0 { "" } else { between });
        let _ = match (least, most) {
            (1, 1) => write!(text, "[{class}]"),
            (least, most) => write!(text, "[{class}]{{{least},{most}}}"),
        };
    }
    text.push_str(before);
}
