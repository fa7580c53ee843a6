//! The forms of a program in order, each with its role: where an operator may strike.

use std::collections::HashSet;

use super::syntax::{Form, Kind};

/// Heads whose first vector pairs patterns with values.
const BINDING: &[&str] = &[
    "let",
    "loop",
    "for",
    "doseq",
    "dotimes",
    "if-let",
    "when-let",
    "if-some",
    "when-some",
    "when-first",
    "letfn",
    "with-open",
];
/// Heads that parameter vectors follow.
const FUNCTION: &[&str] = &["fn", "defn", "defn-"];
/// Heads whose second form is a new name.
const DEFINING: &[&str] = &["def", "defn", "defn-", "defonce", "declare"];

/// A form and its role.
pub(super) struct Site<'f> {
    pub form: &'f Form,
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
    pub fn of(source: &'f str, forms: &'f [Form]) -> Sites<'f> {
        let functions = ptc_lisp::families().iter().flat_map(|family| family.rows).map(|row| row.name).collect();
        let mut sites = Sites { source, all: Vec::new(), functions };
        for form in forms {
            sites.visit(form, Role::Code);
        }
        sites
    }

    /// The calls of functions: not those of special forms, whose parts follow other rules.
    pub fn calls(&self) -> impl Iterator<Item = &'f Form> {
        self.all
            .iter()
            .filter(|site| site.role == Role::Code && site.form.kind == Kind::List)
            .map(|site| site.form)
            .filter(|form| {
                let head = form.head(self.source).unwrap_or_default();
                self.functions.contains(head) || head.contains('/') && head.len() > 1
            })
    }

    /// The lists whose head is `name`.
    pub fn lists<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'f Form> + 'n {
        self.of_role(Role::Code).map(|site| site.form).filter(move |form| form.head(self.source) == Some(name))
    }

    pub fn of_role(&self, role: Role) -> impl Iterator<Item = &Site<'f>> {
        self.all.iter().filter(move |site| site.role == role)
    }

    fn visit(&mut self, form: &'f Form, role: Role) {
        self.all.push(Site { form, role });
        let head = form.head(self.source).filter(|_| role == Role::Code).unwrap_or_default();
        if matches!(head, "defn" | "defn-")
            && let Some(name) = form.items.get(1)
        {
            self.functions.insert(name.text(self.source));
        }
        let vector = form.items.iter().position(|item| item.kind == Kind::Vector);
        for (index, item) in form.items.iter().enumerate() {
            if Some(index) == vector && BINDING.contains(&head) {
                self.visit_pairs(item);
                continue;
            }
            let clause = FUNCTION.contains(&head) && is_clause(item);
            if clause {
                self.visit_clause(item);
                continue;
            }
            let role = match role {
                _ if form.kind == Kind::Quote => Role::Quoted,
                Role::Quoted => Role::Quoted,
                Role::Pattern | Role::Binder => Role::Binder,
                Role::Code if Some(index) == vector && FUNCTION.contains(&head) => Role::Pattern,
                Role::Code if index == 1 && DEFINING.contains(&head) => Role::Binder,
                Role::Code if index == 1 && head == "fn" && item.kind == Kind::Word => Role::Binder,
                Role::Code => Role::Code,
            };
            self.visit(item, role);
        }
    }

    /// The vector of a `let`: pattern, value, pattern, value …, and the modifiers of `for`.
    fn visit_pairs(&mut self, vector: &'f Form) {
        self.all.push(Site { form: vector, role: Role::Code });
        for pair in vector.items.chunks(2) {
            let [target, value] = pair else { continue };
            let is_let = target.kind == Kind::Keyword && target.text(self.source) == ":let";
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
    fn visit_clause(&mut self, clause: &'f Form) {
        self.all.push(Site { form: clause, role: Role::Binder });
        for (index, item) in clause.items.iter().enumerate() {
            self.visit(item, if index == 0 { Role::Pattern } else { Role::Code });
        }
    }
}

fn is_clause(form: &Form) -> bool {
    form.kind == Kind::List && form.items.first().is_some_and(|first| first.kind == Kind::Vector)
}
