//! A program's text as forms with their places and roles: as much as editing it needs, and where an operator may strike. The
//! programs are known to be well-formed.

use std::collections::HashSet;
use std::iter::Peekable;
use std::ops::Range;

use ptc_lisp::syntax::{Token, TokenKind, tokens};

/// A form, with its brackets and marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form<'s> {
    pub kind: Kind,
    pub text: &'s str,
    /// Bytes of the source.
    pub span: Range<usize>,
    /// What it contains.
    pub items: Vec<Form<'s>>,
}

/// What a form is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    List,
    Vector,
    Map,
    Set,
    ShortFn,
    /// A name or a number.
    Word,
    Keyword,
    Text,
    Regex,
    Character,
    /// `'form`
    Quote,
    /// `@form`, `^form`, `#_form`
    Mark,
}

impl Kind {
    /// The brackets around the items; empty for forms without.
    pub fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Kind::List => ("(", ")"),
            Kind::Vector => ("[", "]"),
            Kind::Map => ("{", "}"),
            Kind::Set => ("#{", "}"),
            Kind::ShortFn => ("#(", ")"),
            _ => ("", ""),
        }
    }

    /// The kind of the form that begins with this token.
    fn of(token: TokenKind, text: &str) -> Kind {
        match (token, text) {
            (TokenKind::Open, opener) => {
                let bracketed = [Kind::List, Kind::Vector, Kind::Map, Kind::Set, Kind::ShortFn];
                bracketed.into_iter().find(|kind| kind.brackets().0 == opener).unwrap_or(Kind::List)
            }
            (TokenKind::Mark, "'") => Kind::Quote,
            (TokenKind::Mark, _) => Kind::Mark,
            (TokenKind::Keyword, _) => Kind::Keyword,
            (TokenKind::Text, text) if text.starts_with('#') => Kind::Regex,
            (TokenKind::Text, text) if text.starts_with('\\') => Kind::Character,
            (TokenKind::Text, _) => Kind::Text,
            _ => Kind::Word,
        }
    }
}

impl<'s> Form<'s> {
    /// The name at the head of a list or short function.
    pub fn head(&self) -> Option<&'s str> {
        let head = self.items.first().filter(|_| matches!(self.kind, Kind::List | Kind::ShortFn))?;
        (head.kind == Kind::Word).then_some(head.text)
    }

    /// What follows the head.
    pub fn arguments(&self) -> &[Form<'s>] {
        self.items.get(1..).unwrap_or_default()
    }
}

/// The forms of a program.
pub(super) fn forms(source: &str) -> Vec<Form<'_>> {
    let mut tokens = tokens(source).into_iter().filter(|token| token.kind != TokenKind::Comment).peekable();
    std::iter::from_fn(|| form(source, &mut tokens)).collect()
}

/// The next form; none at a closing bracket and at the end.
fn form<'s>(source: &'s str, tokens: &mut Peekable<impl Iterator<Item = Token>>) -> Option<Form<'s>> {
    let token = tokens.next_if(|token| token.kind != TokenKind::Close)?;
    let place = |token: &Token| token.span.start as usize..token.span.end as usize;
    let mut span = place(&token);
    let kind = Kind::of(token.kind, source.get(span.clone()).unwrap_or_default());
    let mut items = Vec::new();
    match token.kind {
        TokenKind::Open => {
            items.extend(std::iter::from_fn(|| form(source, tokens)));
            span.end = tokens.next().map_or(source.len(), |closer| place(&closer).end);
        }
        TokenKind::Mark => {
            items.extend(form(source, tokens));
            span.end = items.last().map_or(span.end, |item| item.span.end);
        }
        _ => {}
    }
    let text = source.get(span.clone()).unwrap_or_default();
    Some(Form { kind, text, span, items })
}

/// Heads whose first vector pairs patterns with values.
const BINDING: &str = "let loop for doseq dotimes if-let when-let if-some when-some when-first letfn with-open";
/// Heads that parameter vectors follow.
const FUNCTION: &str = "fn defn defn-";
/// Heads whose second form is a new name.
const DEFINING: &str = "def defn defn- defonce declare";

fn is_in(heads: &str, head: &str) -> bool {
    heads.split(' ').any(|known| known == head)
}

/// A form and its role.
pub(super) struct Site<'f> {
    pub form: &'f Form<'f>,
    pub role: Role,
}

/// The role of a form.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Evaluated.
    Code,
    /// A name that is bound here, or a part of a pattern.
    Binder,
    /// A whole pattern: of a `let`, or the parameters of a function.
    Pattern,
    /// Inside a quoted form.
    Quoted,
}

/// A program taken apart.
pub(super) struct Sites<'f> {
    pub source: &'f str,
    pub all: Vec<Site<'f>>,
    /// What may be called like a function: builtins, and the functions that the program defines.
    functions: HashSet<&'f str>,
}

impl<'f> Sites<'f> {
    pub fn of(source: &'f str, forms: &'f [Form<'f>]) -> Sites<'f> {
        let functions = ptc_lisp::families().iter().flat_map(|family| family.rows).map(|row| row.name).collect();
        let mut sites = Sites { source, all: Vec::new(), functions };
        for form in forms {
            sites.visit(form, Role::Code);
        }
        sites
    }

    /// The calls of functions: not those of special forms, whose parts follow other rules.
    pub fn calls(&self) -> impl Iterator<Item = &'f Form<'f>> {
        self.of_role(Role::Code).filter(|form| {
            let head = form.head().unwrap_or_default();
            form.kind == Kind::List && (self.functions.contains(head) || head.contains('/') && head.len() > 1)
        })
    }

    /// The lists whose head is `name`.
    pub fn lists<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'f Form<'f>> + 'n {
        self.of_role(Role::Code).filter(move |form| form.head() == Some(name))
    }

    pub fn of_role(&self, role: Role) -> impl Iterator<Item = &'f Form<'f>> {
        self.all.iter().filter(move |site| site.role == role).map(|site| site.form)
    }

    /// The forms that are not inside a quoted one.
    pub fn unquoted(&self) -> impl Iterator<Item = &'f Form<'f>> {
        self.all.iter().filter(|site| site.role != Role::Quoted).map(|site| site.form)
    }

    fn visit(&mut self, form: &'f Form<'f>, role: Role) {
        self.all.push(Site { form, role });
        let head = form.head().filter(|_| role == Role::Code).unwrap_or_default();
        if is_in("defn defn-", head) {
            self.functions.extend(form.items.get(1).map(|name| name.text));
        }
        let vector = form.items.iter().position(|item| item.kind == Kind::Vector);
        for (index, item) in form.items.iter().enumerate() {
            let is_vector = Some(index) == vector;
            let is_clause =
                item.kind == Kind::List && item.items.first().is_some_and(|first| first.kind == Kind::Vector);
            match role {
                _ if is_vector && is_in(BINDING, head) => self.visit_pairs(item),
                _ if is_clause && is_in(FUNCTION, head) => self.visit_clause(item),
                _ if form.kind == Kind::Quote => self.visit(item, Role::Quoted),
                Role::Quoted => self.visit(item, Role::Quoted),
                Role::Pattern | Role::Binder => self.visit(item, Role::Binder),
                Role::Code if is_vector && is_in(FUNCTION, head) => self.visit(item, Role::Pattern),
                Role::Code if index == 1 && is_in(DEFINING, head) => self.visit(item, Role::Binder),
                Role::Code if index == 1 && head == "fn" && item.kind == Kind::Word => self.visit(item, Role::Binder),
                Role::Code => self.visit(item, Role::Code),
            }
        }
    }

    /// The vector of a `let`: pattern, value, pattern, value …, and the modifiers of `for`.
    fn visit_pairs(&mut self, vector: &'f Form<'f>) {
        self.all.push(Site { form: vector, role: Role::Code });
        for pair in vector.items.chunks(2) {
            let [target, value] = pair else { continue };
            let is_let = target.kind == Kind::Keyword && target.text == ":let";
            let role = match target.kind {
                Kind::Keyword => Role::Code,
                Kind::Word => Role::Binder,
                _ => Role::Pattern,
            };
            self.visit(target, role);
            if is_let { self.visit_pairs(value) } else { self.visit(value, Role::Code) }
        }
    }

    /// One arity: `([x y] body…)`.
    fn visit_clause(&mut self, clause: &'f Form<'f>) {
        self.all.push(Site { form: clause, role: Role::Binder });
        for (index, item) in clause.items.iter().enumerate() {
            self.visit(item, if index == 0 { Role::Pattern } else { Role::Code });
        }
    }
}
