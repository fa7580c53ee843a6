//! Two crates promise not to do something that no manifest shows: the language accesses nothing outside, and the loop
//! decides without awaiting.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ExprAsync, ExprAwait, File, Meta, Path as RustPath, Signature, UseTree};

use super::reach;
use crate::{Failure, Problem, Workspace};

/// Where the language is: its crate, and our crates below it.
const LANGUAGE: [&str; 1] = ["crates/ptc-lisp/src"];
/// Modules of the standard library that give a program access to the outside.
const OUTSIDE: &[&str] = &["env", "fs", "net", "os", "process", "thread"];
/// The host's default clock, which is the machine's.
const CLOCK: (&str, &str) = ("crates/ptc-lisp/src/machine_clock.rs", "SystemTime");

/// Where the loop decides.
const LOOP: &[&str] = &["crates/ptc-agent/src/machine.rs", "crates/ptc-agent/src/machine"];

/// Uses of the outside in the language, and awaiting in the loop; tests may do both.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = reach::check(workspace)?;
    for path in workspace.files_ending("crates", "rs")?.into_iter().filter(|path| !is_test(path)) {
        let (is_language, is_loop) =
            (LANGUAGE.iter().any(|place| path.starts_with(place)), LOOP.iter().any(|place| path.starts_with(place)));
        if is_language || is_loop {
            let text = workspace.read(&path)?;
            problems.extend(if is_language { language(&path, &text)? } else { awaiting(&path, &text)? });
        }
    }
    Ok(problems)
}

pub(super) fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
}

/// Paths of the standard library that lead outside.
pub(super) fn language(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let mut found = Outside::default();
    found.visit_file(&parsed(path, text)?);
    let allowed = |name: &String| path == Path::new(CLOCK.0) && name == CLOCK.1;
    let problem = |name: String| {
        let text = format!(
            "reaches for `std::{name}`. The language touches the outside through its host only: let the host do it."
        );
        Problem::whole(path, text)
    };
    Ok(found.0.into_iter().filter(|name| !allowed(name)).map(problem).collect())
}

/// Functions that await, or that must be awaited.
pub(super) fn awaiting(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let mut found = Awaiting::default();
    found.visit_file(&parsed(path, text)?);
    let text = "awaits. The loop decides here, and `drive.rs` awaits: answer with an `Action`, and take an `Event`.";
    Ok(if found.0 { vec![Problem::whole(path, text)] } else { Vec::new() })
}

/// `#[cfg(test)]`, also combined with other conditions, and `#[test]` itself.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => mentions(list.tokens.clone(), "test"),
        meta => meta.path().segments.last().is_some_and(|segment| segment.ident == "test"),
    })
}

fn mentions(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == word,
        TokenTree::Group(group) => mentions(group.stream(), word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

pub(super) fn parsed(path: &Path, text: &str) -> Result<File, Failure> {
    syn::parse_file(text).map_err(|error| Failure::measured(path.display(), error))
}

#[derive(Default)]
struct Outside(Vec<String>);

impl Outside {
    /// A path from the standard library, by its segments.
    fn path(&mut self, path: &[String]) {
        let Some(("std", rest)) = path.split_first().map(|(first, rest)| (first.as_str(), rest)) else { return };
        let outside = rest.first().filter(|name| OUTSIDE.contains(&name.as_str()));
        let clock = rest.iter().find(|name| *name == CLOCK.1);
        self.0.extend(outside.or(clock).cloned());
    }

    fn tree(&mut self, mut path: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.tree(path, &part.tree);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(path.clone(), tree)),
            UseTree::Name(name) => self.path(&[path, vec![name.ident.to_string()]].concat()),
            UseTree::Rename(name) => self.path(&[path, vec![name.ident.to_string()]].concat()),
            UseTree::Glob(_) => self.path(&path),
        }
    }
}

impl<'a> Visit<'a> for Outside {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.tree(Vec::new(), &item.tree);
    }

    fn visit_path(&mut self, path: &'a RustPath) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.path(&segments);
        visit::visit_path(self, path);
    }
}

#[derive(Default)]
struct Awaiting(bool);

impl<'a> Visit<'a> for Awaiting {
    fn visit_signature(&mut self, signature: &'a Signature) {
        self.0 |= signature.asyncness.is_some();
        visit::visit_signature(self, signature);
    }

    fn visit_expr_await(&mut self, _: &'a ExprAwait) {
        self.0 = true;
    }

    fn visit_expr_async(&mut self, _: &'a ExprAsync) {
        self.0 = true;
    }
}
