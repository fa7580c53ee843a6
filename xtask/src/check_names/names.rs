//! The names that source text declares: items, fields, methods, JSON keys, command flags.

use std::fmt;

use super::token::{Kind as TokenKind, Token};

/// Where a name is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Struct, enum, trait, alias or import under another name.
    Type,
    /// Field of a struct or of a variant; the owner is the struct or enum.
    Field,
    /// Function; the owner is the type of the `impl` or the trait, if any.
    Function,
    /// Module.
    Module,
    /// `macro_rules!` macro.
    Macro,
    /// Key of a JSON object or TOML table.
    Key,
    /// Flag of a command, without the dashes.
    Flag,
}

/// A declared name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) place: Place,
    pub(super) name: String,
    /// The type that it belongs to, empty if none.
    pub(super) owner: String,
    pub(super) line: usize,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, owner, .. } = self;
        match self.place {
            Place::Type => write!(f, "the type `{name}`"),
            Place::Field => write!(f, "the field `{owner}.{name}`"),
            Place::Function if owner.is_empty() => write!(f, "the function `{name}`"),
            Place::Function => write!(f, "the function `{owner}::{name}`"),
            Place::Module => write!(f, "the module `{name}`"),
            Place::Macro => write!(f, "the macro `{name}!`"),
            Place::Key => write!(f, "the key `{name}`"),
            Place::Flag => write!(f, "the flag `--{name}`"),
        }
    }
}

/// The crate whose struct fields are command flags.
const COMMAND: &str = "ptc-cli";

/// All names that a Rust file of a crate declares.
pub(super) fn of_source(tokens: &[Token], package: &str) -> Vec<Named> {
    let mut reader =
        Reader { tokens, at: 0, scopes: Vec::new(), opening: None, found: Vec::new(), is_command: package == COMMAND };
    while reader.step() {}
    reader.found
}

/// The keys of a mission file, written as `key =` or `[table.key]`.
pub(super) fn of_mission(text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let key = |name: &str| Named {
            place: Place::Key,
            name: name.trim().trim_matches('"').to_string(),
            owner: String::new(),
            line: place + 1,
        };
        if let Some(table) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            found.extend(table.split('.').map(key));
        } else if let Some((name, _)) = line.split_once('=') {
            found.push(key(name));
        }
    }
    found
}

/// What an open bracket belongs to.
#[derive(Debug, Clone)]
enum Scope {
    Fields(String),
    Variants(String),
    Methods(String),
    Other,
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    scopes: Vec<Scope>,
    /// What the next brace will open.
    opening: Option<Scope>,
    found: Vec<Named>,
    is_command: bool,
}

impl Reader<'_> {
    /// Read one token; false at the end.
    fn step(&mut self) -> bool {
        let Some(token) = self.tokens.get(self.at) else { return false };
        match &token.kind {
            TokenKind::Sign('{') => {
                let scope = self.opening.take().unwrap_or_else(|| self.inside_variant());
                self.scopes.push(scope);
            }
            TokenKind::Sign('(' | '[') => self.scopes.push(Scope::Other),
            TokenKind::Sign('}' | ')' | ']') => drop(self.scopes.pop()),
            TokenKind::Sign(';') => self.opening = None,
            TokenKind::Sign(_) => {}
            TokenKind::Text(text) => self.text(text, token.line),
            TokenKind::Word(word) => self.word(word, token.line),
        }
        self.at += 1;
        true
    }

    /// The braces of a struct variant hold fields of its enum.
    fn inside_variant(&self) -> Scope {
        match self.scopes.last() {
            Some(Scope::Variants(owner)) => Scope::Fields(owner.clone()),
            _ => Scope::Other,
        }
    }

    fn word(&mut self, word: &str, line: usize) {
        let next = self.next_word(1).map(str::to_string);
        match (word, next) {
            ("struct" | "union", Some(name)) => self.item(name, line, Scope::Fields),
            ("enum", Some(name)) => self.item(name, line, Scope::Variants),
            ("trait", Some(name)) => self.item(name, line, Scope::Methods),
            ("type", Some(name)) => self.add(Place::Type, &name, "", line),
            ("as", Some(name)) if name.starts_with(char::is_uppercase) => self.add(Place::Type, &name, "", line),
            ("mod", Some(name)) => self.add(Place::Module, &name, "", line),
            ("macro_rules", None) => {
                if let Some(name) = self.next_word(2).map(str::to_string) {
                    self.add(Place::Macro, &name, "", line);
                }
            }
            ("impl", _) if self.opening.is_none() && self.is_item_place() => {
                self.opening = Some(Scope::Methods(self.implemented()))
            }
            ("fn", Some(name)) => {
                let owner = self
                    .scopes
                    .iter()
                    .rev()
                    .find_map(|scope| if let Scope::Methods(owner) = scope { Some(owner.clone()) } else { None });
                self.add(Place::Function, &name, &owner.unwrap_or_default(), line);
                self.opening = Some(Scope::Other);
            }
            _ => self.field(word, line),
        }
    }

    fn item(&mut self, name: String, line: usize, scope: fn(String) -> Scope) {
        self.add(Place::Type, &name, "", line);
        self.opening = Some(scope(name));
    }

    /// `impl` begins an item where no expression or type is open.
    fn is_item_place(&self) -> bool {
        !matches!(self.before(), Some(TokenKind::Sign(':' | '>' | '(' | ',' | '&' | '<' | '=')))
    }

    /// A word before a single colon, among the fields of a struct.
    fn field(&mut self, word: &str, line: usize) {
        let Some(Scope::Fields(owner)) = self.scopes.last() else { return };
        let begins = matches!(self.before(), Some(TokenKind::Sign('{' | ',' | ']' | ')')))
            || self.before() == Some(&TokenKind::Word("pub".into()));
        if begins && self.is_sign(1, ':') && !self.is_sign(2, ':') {
            let owner = owner.clone();
            self.add(Place::Field, word, &owner, line);
            if self.is_command {
                self.add(Place::Flag, &word.replace('_', "-"), "", line);
            }
        }
    }

    /// A string that names something external: a serde name, a key in `json!`, an inserted key, a flag.
    fn text(&mut self, text: &str, line: usize) {
        let before =
            |distance: usize| self.at.checked_sub(distance).and_then(|at| self.tokens.get(at)).map(|token| &token.kind);
        let word_before = |distance: usize, words: &[&str]| matches!(before(distance), Some(TokenKind::Word(word)) if words.contains(&word.as_str()));
        let assigned = before(1) == Some(&TokenKind::Sign('='));
        if assigned && word_before(2, &["long", "alias", "visible_alias"]) && self.is_command {
            return self.add(Place::Flag, text, "", line);
        }
        let renamed = assigned && word_before(2, &["rename", "alias", "serialize", "deserialize"]);
        let inserted = before(1) == Some(&TokenKind::Sign('(')) && word_before(2, &["insert"]);
        let in_object = self.is_sign(1, ':') && !self.is_sign(2, ':');
        if renamed || inserted || in_object {
            return self.add(Place::Key, text, "", line);
        }
        if let Some(flag) = text.strip_prefix("--").filter(|_| self.is_command) {
            self.add(Place::Flag, flag, "", line);
        }
    }

    /// The type after `impl`, or after its `for`: the last word before the brace that is outside angle brackets.
    fn implemented(&self) -> String {
        let (mut depth, mut name) = (0_i32, String::new());
        for token in self.tokens.iter().skip(self.at + 1) {
            match &token.kind {
                TokenKind::Sign('<') => depth += 1,
                TokenKind::Sign('>') => depth -= 1,
                TokenKind::Sign('{') => break,
                TokenKind::Word(word) if depth == 0 && word == "where" => break,
                TokenKind::Word(word) if depth == 0 => name.clone_from(word),
                _ => {}
            }
        }
        name
    }

    fn add(&mut self, place: Place, name: &str, owner: &str, line: usize) {
        self.found.push(Named { place, name: name.to_string(), owner: owner.to_string(), line });
    }

    fn before(&self) -> Option<&TokenKind> {
        self.tokens.get(self.at.checked_sub(1)?).map(|token| &token.kind)
    }

    fn next_word(&self, distance: usize) -> Option<&str> {
        match &self.tokens.get(self.at + distance)?.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn is_sign(&self, distance: usize, sign: char) -> bool {
        self.tokens.get(self.at + distance).is_some_and(|token| token.kind == TokenKind::Sign(sign))
    }
}
