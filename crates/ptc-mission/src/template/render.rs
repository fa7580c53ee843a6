//! From pieces and data to text; a policy decides what replaces a variable.

use super::{Name, Piece, Section, TagPlace, Template};
use crate::{Scope, Shape};

/// Why a template cannot be filled in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// No scope has the whole path.
    #[error("variable '{path}' at {at} has no value")]
    MissingKey {
        /// The dotted path.
        path: String,
        /// Where the tag opens.
        at: TagPlace,
    },
    /// A map or list where a single value is required.
    #[error(
        "variable '{path}' at {at} is a {kind}; use a section {{{{#{path}}}}}…{{{{/{path}}}}} or name a field of it, e.g. {{{{{path}.name}}}}"
    )]
    NonScalarVariable {
        /// The dotted path.
        path: String,
        /// `map` or `list`.
        kind: &'static str,
        /// Where the tag opens.
        at: TagPlace,
    },
    /// `{{.}}` where the current element is a map.
    #[error("{{{{.}}}} at {at} is a map; name one of its fields, e.g. {{{{name}}}}")]
    DotOnMap {
        /// Where the tag opens.
        at: TagPlace,
    },
    /// `{{.}}` where the current element is a list.
    #[error("{{{{.}}}} at {at} is a list; use a section {{{{#.}}}}…{{{{/.}}}} or name a field")]
    DotOnList {
        /// Where the tag opens.
        at: TagPlace,
    },
}

impl RenderError {
    /// A stable name of the kind of problem.
    pub fn code(&self) -> &'static str {
        match self {
            RenderError::MissingKey { .. } => "missing_key",
            RenderError::NonScalarVariable { .. } => "non_scalar_variable",
            RenderError::DotOnMap { .. } => "dot_on_map",
            RenderError::DotOnList { .. } => "dot_on_list",
        }
    }
}

/// Decides what is written for a variable.
pub(crate) trait Policy {
    /// Append the replacement of `tag`; `found` is its value, if any scope has it.
    fn variable(
        &mut self,
        tag: &VariableTag<'_>,
        found: Option<Binding<'_>>,
        out: &mut String,
    ) -> Result<(), RenderError>;

    /// Whether a failing section stays as typed, instead of failing the whole template.
    fn keeps_failed_sections(&self) -> bool;
}

/// A variable tag in its surroundings.
pub(crate) struct VariableTag<'a> {
    pub(crate) name: &'a Name,
    /// The tag as typed, with its braces.
    pub(crate) typed: &'a str,
    pub(crate) in_section: bool,
    source: &'a str,
    from: usize,
}

impl VariableTag<'_> {
    pub(crate) fn position(&self) -> TagPlace {
        TagPlace::of(self.source, self.from)
    }
}

/// A value with the keys that lead to it from the outermost scope.
pub(crate) struct Binding<'a> {
    pub(crate) node: &'a dyn Scope,
    pub(crate) path: Vec<String>,
}

/// Every variable must exist and be a single value.
pub(crate) struct Strict;

impl Policy for Strict {
    fn variable(
        &mut self,
        tag: &VariableTag<'_>,
        found: Option<Binding<'_>>,
        out: &mut String,
    ) -> Result<(), RenderError> {
        out.push_str(&strict_text(tag, found.map(|found| found.node.shape()))?);
        Ok(())
    }

    fn keeps_failed_sections(&self) -> bool {
        false
    }
}

/// The text of a single value, or the reason why there is none.
pub(crate) fn strict_text(tag: &VariableTag<'_>, shape: Option<Shape<'_>>) -> Result<String, RenderError> {
    let at = || tag.position();
    let path = || tag.name.dotted();
    let Some(shape) = shape else {
        return Err(RenderError::MissingKey { path: path(), at: at() });
    };
    match (&shape, tag.name) {
        (Shape::Map, Name::Dot) => Err(RenderError::DotOnMap { at: at() }),
        (Shape::List { .. }, Name::Dot) => Err(RenderError::DotOnList { at: at() }),
        (Shape::Map, Name::Path(_)) => Err(RenderError::NonScalarVariable { path: path(), kind: "map", at: at() }),
        (Shape::List { .. }, Name::Path(_)) => {
            Err(RenderError::NonScalarVariable { path: path(), kind: "list", at: at() })
        }
        _ => Ok(shape.inserted().unwrap_or_default().to_owned()),
    }
}

/// Fill `template` with values of `scope` as `policy` decides.
pub(crate) fn fill(template: &Template, scope: &dyn Scope, policy: &mut dyn Policy) -> Result<String, RenderError> {
    let root = Frame { node: scope, path: Vec::new(), outer: None };
    let mut filler = Filler { source: &template.source, policy, sections: 0, out: String::new() };
    filler.pieces(&template.pieces, &root)?;
    Ok(filler.out)
}

/// One scope, with the ones around it.
struct Frame<'a> {
    node: &'a dyn Scope,
    path: Vec<String>,
    outer: Option<&'a Frame<'a>>,
}

struct Filler<'a> {
    source: &'a str,
    policy: &'a mut dyn Policy,
    /// How many sections are open.
    sections: usize,
    out: String,
}

impl Filler<'_> {
    /// Recursion is as deep as sections are nested, which the parser bounds.
    fn pieces(&mut self, pieces: &[Piece], frame: &Frame<'_>) -> Result<(), RenderError> {
        for piece in pieces {
            match piece {
                Piece::Text { from, to } => self.push_source(*from, *to),
                Piece::Variable { name, from, to } => self.variable(name, *from, *to, frame)?,
                Piece::Section(section) => self.guarded_section(section, frame)?,
            }
        }
        Ok(())
    }

    fn push_source(&mut self, from: usize, to: usize) {
        self.out.push_str(self.source.get(from..to).unwrap_or_default());
    }

    fn variable(&mut self, name: &Name, from: usize, to: usize, frame: &Frame<'_>) -> Result<(), RenderError> {
        let typed = self.source.get(from..to).unwrap_or_default();
        let tag = VariableTag { name, typed, in_section: self.sections > 0, source: self.source, from };
        resolve(name, frame, &mut |found| self.policy.variable(&tag, found, &mut self.out))
    }

    fn guarded_section(&mut self, section: &Section, frame: &Frame<'_>) -> Result<(), RenderError> {
        let mark = self.out.len();
        self.sections += 1;
        let outcome = resolve(&section.name, frame, &mut |found| self.section(section, found, frame));
        self.sections -= 1;
        if outcome.is_err() && self.policy.keeps_failed_sections() {
            self.out.truncate(mark);
            self.push_source(section.from, section.to);
            return Ok(());
        }
        outcome
    }

    fn section(&mut self, section: &Section, found: Option<Binding<'_>>, frame: &Frame<'_>) -> Result<(), RenderError> {
        let shape = found.as_ref().map(|found| found.node.shape());
        let truthy = shape.as_ref().is_some_and(Shape::is_truthy);
        if section.inverted {
            return if truthy { Ok(()) } else { self.pieces(&section.body, frame) };
        }
        let Some(found) = found.filter(|_| truthy) else {
            return Ok(());
        };
        if !matches!(shape, Some(Shape::List { .. })) {
            let inner = Frame { node: found.node, path: found.path, outer: Some(frame) };
            return self.pieces(&section.body, &inner);
        }
        for (index, item) in found.node.items().iter().enumerate() {
            let mut path = found.path.clone();
            path.push(index.to_string());
            self.pieces(&section.body, &Frame { node: &**item, path, outer: Some(frame) })?;
        }
        Ok(())
    }
}

/// Call `then` once with the value of the innermost scope that has the whole path.
fn resolve<R>(name: &Name, frame: &Frame<'_>, then: &mut dyn FnMut(Option<Binding<'_>>) -> R) -> R {
    let Name::Path(keys) = name else {
        return then(Some(Binding { node: frame.node, path: frame.path.clone() }));
    };
    let mut next = Some(frame);
    while let Some(scope) = next {
        let path = || scope.path.iter().chain(keys).cloned().collect();
        if let Some(answer) = descend(scope.node, keys, &mut |node| then(Some(Binding { node, path: path() }))) {
            return answer;
        }
        next = scope.outer;
    }
    then(None)
}

/// Call `then` with the value at the end of `keys`; `None` when the path breaks off. Recursion is as deep as the path.
fn descend<R>(node: &dyn Scope, keys: &[String], then: &mut dyn FnMut(&dyn Scope) -> R) -> Option<R> {
    match keys.split_first() {
        None => Some(then(node)),
        Some((key, rest)) => descend(&*node.child(key)?, rest, then),
    }
}
