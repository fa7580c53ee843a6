//! The content of one function or attribute.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, ExprLit, ExprPath, Ident, Item, Lit, Macro, Meta, Token};

use super::ASSERTIONS;

/// The content of the body and the attributes of a function.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub(super) asserts: bool,
    pub(super) used: Vec<Vec<String>>,
    pub(super) is_test: bool,
}

pub(super) fn function(attributes: &[Attribute], body: &Block) -> Scanned {
    let mut scanned = Scanned { is_test: is_for_tests(attributes), ..Scanned::default() };
    scanned.asserts = attributes.iter().any(|attribute| attribute.path().is_ident("should_panic"));
    scanned.visit_block(body);
    scanned
}

impl<'a> Visit<'a> for Scanned {
    fn visit_macro(&mut self, call: &'a Macro) {
        let is_assertion = ASSERTIONS.iter().any(|name| is_called(call, name));
        self.asserts |= is_assertion && (is_called(call, "panic") || says_something(call.tokens.clone()));
        // Functions may be called in the arguments of any other macro.
        if let Ok(arguments) = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
            let mut inside = Scanned::default();
            arguments.iter().for_each(|argument| inside.visit_expr(argument));
            self.asserts |= inside.asserts;
            self.used.append(&mut inside.used);
        }
    }

    fn visit_expr_path(&mut self, path: &'a ExprPath) {
        self.used.push(path.path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_expr_path(self, path);
    }
}

/// Whether there is a name among the tokens: an assertion about literals alone always ends in the same way.
fn says_something(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word != "true" && word != "false",
        TokenTree::Group(group) => says_something(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Whether the macro has this name, from whichever crate.
pub(super) fn is_called(call: &Macro, name: &str) -> bool {
    call.path.segments.last().is_some_and(|segment| segment.ident == name)
}

/// The functions in a call of `proptest!`.
pub(super) fn properties(call: &Macro) -> Vec<(String, Scanned)> {
    let properties = call.parse_body::<Properties>().map(|parsed| parsed.0).unwrap_or_default();
    properties
        .into_iter()
        .map(|property| (property.name.to_string(), function(&property.attributes, &property.body)))
        .collect()
}

struct Properties(Vec<Property>);

/// A function whose parameters are drawn: `fn name(x in strategy, y: u64) { … }`.
struct Property {
    attributes: Vec<Attribute>,
    name: Ident,
    body: Block,
}

impl Parse for Properties {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Attribute::parse_inner(input)?;
        let mut properties = Vec::new();
        while !input.is_empty() {
            properties.push(input.parse()?);
        }
        Ok(Self(properties))
    }
}

impl Parse for Property {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Token![fn]>()?;
        let name = input.parse()?;
        let parameters;
        syn::parenthesized!(parameters in input);
        parameters.parse::<TokenStream>()?;
        Ok(Self { attributes, name, body: input.parse()? })
    }
}

/// `#[cfg(test)]`, also combined with other conditions, and `#[test]` itself.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
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

/// The lines of documentation, each with a line end.
pub(super) fn docs(attributes: &[Attribute]) -> String {
    attributes
        .iter()
        .filter_map(|attribute| text(attribute, "doc"))
        .fold(String::new(), |docs, line| docs + &line + "\n")
}

/// The file that `#[path = "…"]` names.
pub(super) fn path(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| text(attribute, "path"))
}

/// `#[key = "text"]`.
fn text(attribute: &Attribute, key: &str) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else { return None };
    match &meta.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if meta.path.is_ident(key) => Some(text.value()),
        _ => None,
    }
}

/// Name and attributes of an item that can be documented, modules left out.
pub(super) fn named(item: &Item) -> Option<(String, &[Attribute])> {
    let (name, attributes) = match item {
        Item::Const(item) => (&item.ident, &item.attrs),
        Item::Enum(item) => (&item.ident, &item.attrs),
        Item::Fn(item) => (&item.sig.ident, &item.attrs),
        Item::Macro(item) => (item.ident.as_ref()?, &item.attrs),
        Item::Static(item) => (&item.ident, &item.attrs),
        Item::Struct(item) => (&item.ident, &item.attrs),
        Item::Trait(item) => (&item.ident, &item.attrs),
        Item::Type(item) => (&item.ident, &item.attrs),
        _ => return None,
    };
    Some((name.to_string(), attributes))
}
