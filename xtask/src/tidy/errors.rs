//! Errors that print the error they come from and also return it as their `source`: readers of the whole chain read it
//! twice.

use std::path::Path;

use proc_macro2::TokenTree;
use syn::visit::Visit;
use syn::{Attribute, Fields, ItemStruct, Variant};

use crate::{Failure, Problem};

/// Errors whose message is also that of their source.
pub(super) fn told_twice(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let file = syn::parse_file(text).map_err(|error| Failure::measured(path.display(), error))?;
    let mut errors = Errors { path, found: Vec::new() };
    errors.visit_file(&file);
    Ok(errors.found)
}

/// Variants and structs that print their source.
struct Errors<'p> {
    path: &'p Path,
    found: Vec<Problem>,
}

impl Errors<'_> {
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
            let text = format!(
                "`{name}` prints its source, which is printed again where a chain of errors is. Call the field `r#source`, or write `From` without `#[from]`."
            );
            self.found.push(Problem::at(self.path, name.span().start().line, text));
        }
    }
}

impl<'a> Visit<'a> for Errors<'_> {
    fn visit_variant(&mut self, variant: &'a Variant) {
        self.look(&variant.ident, &variant.attrs, &variant.fields);
    }

    fn visit_item_struct(&mut self, item: &'a ItemStruct) {
        self.look(&item.ident, &item.attrs, &item.fields);
    }
}
