//! From a corpus file to its cases.

use super::{Case, Ending, ToolText, Turn};

/// A file that does not follow the format of the corpus.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line}: {text}")]
pub struct Malformed {
    /// From 1.
    pub line: usize,
    /// What is wrong and how to write it.
    pub text: String,
}

/// The cases of a file, in order.
///
/// Errors: a directive or expectation of unknown kind, a case without expectation, or one without program.
pub fn read(text: &str) -> Result<Vec<Case>, Malformed> {
    let mut reader = Reader { cases: Vec::new(), open: None };
    for (at, line) in text.lines().enumerate() {
        reader.line(at + 1, line)?;
    }
    reader.close()?;
    Ok(reader.cases)
}

struct Reader {
    cases: Vec<Case>,
    open: Option<Case>,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) -> Result<(), Malformed> {
        let kind = Line::of(number, line)?;
        let ended = self.open.as_ref().is_some_and(Case::has_expectations);
        match kind {
            Line::Blank if ended => return self.close(),
            Line::Blank if self.open.as_ref().is_none_or(|case| !case.has_code()) => return Ok(()),
            Line::Comment(_) | Line::Directive(..) if ended => self.close()?,
            _ => {}
        }
        let case = self.open.get_or_insert_with(|| Case::at(number));
        match kind {
            Line::Comment(text) if !case.has_code() => case.add_title(text),
            Line::Blank | Line::Comment(_) => case.add_code(line, ended),
            Line::Code => case.add_code(line, ended),
            Line::Directive(word, text) => {
                if case.has_code() {
                    return Err(malformed(number, "a directive belongs above the program of its case"));
                }
                case.add_directive(number, word, text)?;
            }
            Line::Expectation(word, text) => {
                let Some(turn) = case.turns.last_mut() else {
                    return Err(malformed(number, "there is no program above this line"));
                };
                turn.expect(word, text.to_owned());
            }
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Malformed> {
        let Some(case) = self.open.take() else { return Ok(()) };
        if !case.has_code() {
            // A comment on its own: a heading.
            return Ok(());
        }
        if !case.has_expectations() {
            return Err(malformed(
                case.line,
                "this case expects nothing; end it with ;=> and the printed value, or ;!>",
            ));
        }
        self.cases.push(case);
        Ok(())
    }
}

fn malformed(line: usize, text: impl Into<String>) -> Malformed {
    Malformed { line, text: text.into() }
}

/// What a line is.
enum Line<'t> {
    Blank,
    Comment(&'t str),
    Directive(&'t str, &'t str),
    Expectation(&'t str, &'t str),
    Code,
}

const EXPECTATIONS: [&str; 8] = ["=>", "return>", "fail>", "out>", "!>", "warn>", "call>", "clojure>"];

impl Line<'_> {
    fn of(number: usize, line: &str) -> Result<Line<'_>, Malformed> {
        if line.trim().is_empty() {
            return Ok(Line::Blank);
        }
        let Some(mark) = line.strip_prefix(';') else { return Ok(Line::Code) };
        if let Some(text) = mark.strip_prefix(';') {
            return Ok(Line::Comment(text.trim()));
        }
        let (word, text) = mark.split_once(' ').unwrap_or((mark, ""));
        if word == "-" {
            let (word, text) = text.split_once(' ').unwrap_or((text, ""));
            return Ok(Line::Directive(word, text.trim()));
        }
        if EXPECTATIONS.contains(&word) {
            return Ok(Line::Expectation(word, text));
        }
        Err(malformed(number, format!("`;{word}` is not an expectation; write one of ;{}", EXPECTATIONS.join(" ;"))))
    }
}

impl Case {
    fn at(line: usize) -> Case {
        Case { title: String::new(), line, limits: None, data: None, tools: Vec::new(), turns: Vec::new() }
    }

    fn has_code(&self) -> bool {
        !self.turns.is_empty()
    }

    fn has_expectations(&self) -> bool {
        self.turns.last().is_some_and(Turn::has_expectations)
    }

    fn add_title(&mut self, text: &str) {
        if !self.title.is_empty() {
            self.title.push(' ');
        }
        self.title.push_str(text);
    }

    /// A line of the program; one below expectations begins the next turn.
    fn add_code(&mut self, line: &str, next_turn: bool) {
        if next_turn || self.turns.is_empty() {
            self.turns.push(Turn::default());
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.source.push_str(line);
            turn.source.push('\n');
        }
    }

    fn add_directive(&mut self, number: usize, word: &str, text: &str) -> Result<(), Malformed> {
        match word {
            "limits" => self.limits = Some(text.to_owned()),
            "data" => self.data = Some(text.to_owned()),
            "tool" => {
                let wanted = || malformed(number, "a tool is written ;- tool NAME SIGNATURE = BODY");
                let (head, body) = text.split_once(" = ").ok_or_else(wanted)?;
                let (name, signature) = head.split_once(' ').unwrap_or((head, ""));
                let tool =
                    ToolText { name: name.to_owned(), signature: signature.trim().to_owned(), body: body.to_owned() };
                self.tools.push(tool);
            }
            _ => {
                return Err(malformed(number, format!("`{word}` is not a directive; there are limits, data and tool")));
            }
        }
        Ok(())
    }
}

impl Turn {
    fn has_expectations(&self) -> bool {
        self.ending.is_some()
            || ![&self.prints, &self.problems, &self.warnings, &self.calls].iter().all(|list| list.is_empty())
    }

    fn expect(&mut self, word: &str, text: String) {
        match word {
            "=>" => self.ending = Some(Ending::Value(text)),
            "return>" => self.ending = Some(Ending::Return(text)),
            "fail>" => self.ending = Some(Ending::Fail(text)),
            "out>" => self.prints.push(text),
            "!>" => self.problems.push(text),
            "warn>" => self.warnings.push(text),
            "call>" => self.calls.push(text),
            _ => self.clojure = Some(text),
        }
    }
}
