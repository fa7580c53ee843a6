//! Functions that no longer fit on a page, in the crates around agents.

use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, Item, ItemFn, Signature, TraitItemFn};

use super::circles::attributes;
use super::purity::{is_for_tests, is_test, parsed};
use crate::{Failure, Problem, Workspace};

/// Maximum lines of a function, from its signature to its last brace.
const MOST: usize = 80;

/// The crates that follow this rule. The machine of the language has one large loop.
const CRATES: &[&str] = &[
    "agent",
    "chat",
    "cli",
    "compression",
    "config",
    "eval",
    "llm",
    "mission",
    "runner",
    "signature",
    "trace",
    "transcript",
];

/// Functions that are too long; those of tests may be.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for name in CRATES {
        let root = format!("crates/ptc-{name}/src");
        for path in workspace.files_ending(&root, "rs")?.into_iter().filter(|path| !is_test(path)) {
            problems.extend(too_long(&path, &workspace.read(&path)?)?);
        }
    }
    Ok(problems)
}

pub(super) fn too_long(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let mut found = Functions::default();
    found.visit_file(&parsed(path, text)?);
    let problem = |(line, lines, name): &(usize, usize, String)| {
        let text = format!("`{name}` has {lines} lines, and a function may have {MOST}. Split it into functions.");
        Problem::at(path, *line, text)
    };
    Ok(found.0.iter().filter(|(_, lines, _)| *lines > MOST).map(problem).collect())
}

/// Where each function begins, its lines, and its name.
#[derive(Default)]
struct Functions(Vec<(usize, usize, String)>);

impl Functions {
    fn add(&mut self, signature: &Signature, body: &Block) {
        let first = signature.fn_token.span.start().line;
        let last = body.brace_token.span.close().end().line;
        self.0.push((first, last + 1 - first, signature.ident.to_string()));
    }
}

impl<'a> Visit<'a> for Functions {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'a TraitItemFn) {
        if let Some(body) = &function.default {
            self.add(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}
