//! Mistakes in a pattern, found without compiling it: before a program runs, and for the message when compiling failed.

use std::collections::HashSet;

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{self, Ast, ClassSetItem, ClassUnicode, ErrorKind, Visitor};

use super::compile::{too_long, translated};

/// The error text for the pattern `text` of a program, when the engine does not accept it.
///
/// A pattern that is too large when compiled is not noticed here.
///
/// - cost: linear in the length of the pattern
pub(crate) fn regex_problem(text: &str) -> Option<String> {
    too_long(text).or_else(|| why_wrong(text)).map(|why| format!("invalid regex: {why}"))
}

/// What is wrong with `text`, and what to write instead.
pub(super) fn why_wrong(text: &str) -> Option<String> {
    let pattern = translated(text);
    match Parser::new().parse(&pattern) {
        Ok(tree) => unknown_class(&tree, &pattern),
        Err(error) => Some(of_syntax(&error, &pattern)),
    }
}

/// The message in the last line of an error text of the engine.
pub(super) fn last_line(text: &str) -> String {
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

fn of_syntax(error: &ast::Error, pattern: &str) -> String {
    let start = error.span().start.offset;
    let (before, rest) = pattern.split_at_checked(start).unwrap_or(("", pattern));
    let found = rest.get(..error.span().end.offset.saturating_sub(start)).unwrap_or(rest);
    match error.kind() {
        ErrorKind::UnsupportedLookAround => instead_of_look_around(found),
        ErrorKind::UnsupportedBackreference => instead_of_back_reference(found, before),
        ErrorKind::EscapeUnrecognized => instead_of_escape(found, before),
        ErrorKind::FlagUnrecognized if found == ">" && before.ends_with("(?") => {
            "an atomic group (?>...) is not supported; write (?:...), the engine never tries one text twice".to_owned()
        }
        kind => kind.to_string(),
    }
}

fn instead_of_look_around(opening: &str) -> String {
    let (what, instead) = match opening {
        "(?=" => ("look-ahead (?=...)", r#"match what follows too and take a group: (second (re-find #"(\d+) kg" s))"#),
        "(?<=" => (
            "look-behind (?<=...)",
            r#"match what comes before too and take a group: (second (re-find #"id=(\d+)" s))"#,
        ),
        "(?!" => (
            "negative look-ahead (?!...)",
            r#"match without it and drop what is unwanted: (remove #(str/starts-with? % "tmp") (re-seq #"\w+" s))"#,
        ),
        _ => (
            "negative look-behind (?<!...)",
            r##"match the character before too and drop what is unwanted: (remove #(str/starts-with? % "-") (re-seq #"-?\d+" s))"##,
        ),
    };
    format!("{what} is not supported; {instead}")
}

fn instead_of_back_reference(reference: &str, before: &str) -> String {
    let repeats_one_character = before
        .strip_suffix(')')
        .and_then(|group| group.rsplit_once('('))
        .is_some_and(|(_, group)| is_one_character(group));
    let instead = if repeats_one_character {
        "for a doubled character write (some (fn [[a b]] (= a b)) (partition 2 1 s))"
    } else {
        r#"match both parts and compare them: (let [[_ a b] (re-find #"(\w+) (\w+)" s)] (= a b))"#
    };
    format!("the back-reference {reference} is not supported; {instead}")
}

/// Whether a pattern is a single character, class or escape.
fn is_one_character(pattern: &str) -> bool {
    match Parser::new().parse(pattern) {
        Ok(tree) => matches!(
            tree,
            Ast::Literal(_) | Ast::Dot(_) | Ast::ClassPerl(_) | Ast::ClassUnicode(_) | Ast::ClassBracketed(_)
        ),
        Err(_) => false,
    }
}

fn instead_of_escape(escape: &str, before: &str) -> String {
    match escape {
        r"\k" => instead_of_back_reference(r"\k<name>", before),
        r"\Z" => r"unrecognized escape sequence \Z; for the end of the text write \z".to_owned(),
        _ => format!("unrecognized escape sequence {escape}"),
    }
}

/// The error for the first Unicode class with an unknown name.
fn unknown_class(tree: &Ast, pattern: &str) -> Option<String> {
    let classes = Classes { pattern, known: HashSet::new() };
    ast::visit(tree, classes).err()
}

/// Looks up every Unicode class of a pattern, each once.
struct Classes<'p> {
    pattern: &'p str,
    known: HashSet<&'p str>,
}

impl Classes<'_> {
    fn look_up(&mut self, class: &ClassUnicode) -> Result<(), String> {
        let Some(text) = self.pattern.get(class.span.start.offset..class.span.end.offset) else { return Ok(()) };
        if !self.known.insert(text) {
            return Ok(());
        }
        // In `x` mode there may be blanks and comments inside, and the text alone would mean something else.
        let is_plain = !text.contains(char::is_whitespace) && !text.contains('#');
        match regex_syntax::Parser::new().parse(text) {
            Err(error) if is_plain => Err(format!("{}: {text}", last_line(&error.to_string()))),
            _ => Ok(()),
        }
    }
}

impl Visitor for Classes<'_> {
    type Output = ();
    type Err = String;

    fn finish(self) -> Result<(), String> {
        Ok(())
    }

    fn visit_pre(&mut self, tree: &Ast) -> Result<(), String> {
        match tree {
            Ast::ClassUnicode(class) => self.look_up(class),
            _ => Ok(()),
        }
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), String> {
        match item {
            ClassSetItem::Unicode(class) => self.look_up(class),
            _ => Ok(()),
        }
    }
}
