//! Rust source text as words, strings and signs, without comments: as much as finding names needs.

/// A token with the line (1-based) on which it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) line: usize,
    pub(super) kind: Kind,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Identifier, keyword or number.
    Word(String),
    /// The text between the quotes, escapes as written.
    Text(String),
    /// Any other single character.
    Sign(char),
}

/// Cut source text into tokens. Text that is not Rust yields some tokens, never an error.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    let mut scanner = Scanner { rest: source, line: 1 };
    let mut tokens = Vec::new();
    while let Some(first) = scanner.rest.chars().next() {
        let line = scanner.line;
        if let Some(kind) = scanner.token(first) {
            tokens.push(Token { line, kind });
        }
    }
    tokens
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    fn token(&mut self, first: char) -> Option<Kind> {
        if self.rest.starts_with("//") {
            self.take_until("\n");
            return None;
        }
        if self.rest.starts_with("/*") {
            self.take_until("*/");
            return None;
        }
        if let Some(quoted) = self.raw_text() {
            return Some(Kind::Text(quoted));
        }
        match first {
            '"' => Some(Kind::Text(self.quoted())),
            '\'' => {
                self.character_or_lifetime();
                None
            }
            _ if is_word(first) => Some(Kind::Word(self.take_while(is_word).to_string())),
            _ => {
                self.take(first.len_utf8());
                (!first.is_whitespace()).then_some(Kind::Sign(first))
            }
        }
    }

    /// `r"…"`, `r#"…"#` and so on; also with `b` before.
    fn raw_text(&mut self) -> Option<String> {
        let after = self.rest.strip_prefix("br").or_else(|| self.rest.strip_prefix('r'))?;
        let hashes = after.len() - after.trim_start_matches('#').len();
        let body = after.get(hashes..)?.strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = body.find(&end).unwrap_or(body.len());
        let text = body.get(..length)?.to_string();
        self.take(self.rest.len() - body.len() + length + end.len());
        Some(text)
    }

    fn quoted(&mut self) -> String {
        let mut escaped = false;
        let body = self.rest.get(1..).unwrap_or_default();
        let length = body.find(|character| {
            let ends = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            ends
        });
        let text = body.get(..length.unwrap_or(body.len())).unwrap_or_default().to_string();
        self.take(text.len() + 2);
        text
    }

    /// Skip `'x'`, `'\n'` or the quote of `'a`.
    fn character_or_lifetime(&mut self) {
        let mut characters = self.rest.chars().skip(1);
        match (characters.next(), characters.next()) {
            (Some('\\'), _) => {
                self.take(2);
                let escaped = self.rest.chars().next().map_or(0, char::len_utf8);
                self.take(escaped);
                self.take_until("'");
            }
            (Some(character), Some('\'')) => self.take(2 + character.len_utf8()),
            _ => self.take(1),
        }
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let length = self.rest.find(|character| !keep(character)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn take_until(&mut self, end: &str) {
        let length = self.rest.find(end).map_or(self.rest.len(), |at| at + end.len());
        self.take(length);
    }

    /// Advance by this many bytes, or to the end.
    fn take(&mut self, length: usize) {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.line += taken.matches('\n').count();
        self.rest = rest;
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
