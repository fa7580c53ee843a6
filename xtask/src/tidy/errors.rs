//! Errors that print the error they come from and also return it as their `source`: readers of the whole chain read it
//! twice.

use std::path::Path;

use proc_macro2::TokenTree;
use syn::visit::{self, Visit};
use syn::{Attribute, Fields, ItemStruct, Variant};

use super::purity::{is_test, parsed};
use crate::{Failure, Problem, Workspace};

/// Errors whose message is also that of their source.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for path in workspace.files_ending("crates", "rs")?.into_iter().filter(|path| !is_test(path)) {
        problems.extend(told_twice(&path, &workspace.read(&path)?)?);
    }
    Ok(problems)
}

pub(super) fn told_twice(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let mut found = Errors::default();
    found.visit_file(&parsed(path, text)?);
    let problem = |(line, name): (usize, String)| {
        let text = format!(
            "`{name}` prints its source, which is printed again where a chain of errors is. Call the field `r#source`, or write `From` without `#[from]`."
        );
        Problem::at(path, line, text)
    };
    Ok(found.0.into_iter().map(problem).collect())
}

/// Variants and structs that print their source, with their lines.
#[derive(Default)]
struct Errors(Vec<(usize, String)>);

impl Errors {
    fn look(&mut self, name: &syn::Ident, attributes: &[Attribute], fields: &Fields) {
        let message = attributes.iter().find(|attribute| attribute.path().is_ident("error"));
        let first = message.and_then(|message| message.meta.require_list().ok()?.tokens.clone().into_iter().next());
        let Some(TokenTree::Literal(message)) = first else { return };
        let message = message.to_string();
        let prints = |(at, field): (usize, &syn::Field)| {
            let name = field.ident.as_ref().map_or_else(|| at.to_string(), ToString::to_string);
            let marked = field.attrs.iter().any(|mark| mark.path().is_ident("from") || mark.path().is_ident("source"));
            (marked || name == "source")
                && [format!("{{{name}}}"), format!("{{{name}:")].iter().any(|printed| message.contains(printed))
        };
        if fields.iter().enumerate().any(prints) {
            self.0.push((name.span().start().line, name.to_string()));
        }
    }
}

impl<'a> Visit<'a> for Errors {
    fn visit_variant(&mut self, variant: &'a Variant) {
        self.look(&variant.ident, &variant.attrs, &variant.fields);
        visit::visit_variant(self, variant);
    }

    fn visit_item_struct(&mut self, item: &'a ItemStruct) {
        self.look(&item.ident, &item.attrs, &item.fields);
        visit::visit_item_struct(self, item);
    }
}
