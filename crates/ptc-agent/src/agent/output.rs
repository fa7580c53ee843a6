//! Rules for agents that answer with JSON or text instead of programs.

use std::collections::BTreeSet;

use ptc_chat::OutputMode;
use ptc_lisp::signature::{Field, Signature, Type};
use ptc_mission::{Placeholder, PlaceholderKind, Template};

use super::{Callable, Definition};
use crate::error::AgentError;

/// Errors with the first broken rule of the output mode.
pub(super) fn check(definition: &Definition) -> Result<(), AgentError> {
    let mode = definition.spec.output.as_str();
    if definition.spec.grammar && (definition.spec.output != OutputMode::PtcLisp || definition.spec.thinking) {
        return Err(AgentError::GrammarExcludes(if definition.spec.thinking { "thinking" } else { mode }));
    }
    if definition.spec.output == OutputMode::PtcLisp {
        return Ok(());
    }
    if definition.tools.values().any(Callable::is_history) {
        return Err(AgentError::HistoryNeedsPrograms);
    }
    let is_json = definition.spec.output == OutputMode::Json;
    if is_json && definition.spec.signature.is_none() {
        return Err(AgentError::JsonNeedsSignature);
    }
    if is_json && !definition.tools.is_empty() {
        return Err(AgentError::JsonExcludesTools);
    }
    if definition.spec.compression.strategy().is_some() || definition.spec.compression.ceiling().is_some() {
        return Err(AgentError::ExcludesCompression(mode));
    }
    let signature = definition.spec.signature.as_ref();
    if let Some(field) = signature.and_then(|signature| hidden(signature.result())) {
        return Err(AgentError::HiddenResult { mode, field });
    }
    let Ok(template) = Template::parse(&definition.spec.mission) else { return Ok(()) };
    if let Some(placeholder) =
        template.placeholders().iter().find(|placeholder| placeholder.path.iter().any(|key| key.starts_with('_')))
    {
        return Err(AgentError::HiddenInput(placeholder.name()));
    }
    signature
        .filter(|signature| signature.declares_params())
        .map_or(Ok(()), |signature| check_inputs(mode, signature, &template))
}

/// The first field of a type whose name is hidden.
fn hidden(ty: &Type) -> Option<String> {
    match ty.shape() {
        Type::List(element) | Type::MapOf(_, element) => hidden(element),
        Type::Tuple(parts) => parts.iter().find_map(hidden),
        Type::Record(fields) => fields
            .iter()
            .find_map(|field| if field.name.starts_with('_') { Some(field.name.clone()) } else { hidden(&field.ty) }),
        Type::Union(types) => types.iter().find_map(hidden),
        _ => None,
    }
}

fn check_inputs(mode: &'static str, signature: &Signature, template: &Template) -> Result<(), AgentError> {
    let mut used = BTreeSet::new();
    template.placeholders().iter().for_each(|placeholder| collect_names(placeholder, &mut used));
    let unused = signature.params().iter().map(|param| param.name.as_str()).filter(|name| !used.contains(name));
    let names: BTreeSet<&str> = unused.collect();
    if !names.is_empty() {
        return Err(AgentError::UnusedParameters { mode, names: names.into_iter().map(str::to_owned).collect() });
    }
    let mut problems = Vec::new();
    if template.dot_outside_sections().is_some() {
        problems.push("{{.}} means an element: use it inside a section".to_owned());
    }
    for placeholder in template.placeholders() {
        if placeholder.kind != PlaceholderKind::Simple {
            let field = placeholder.path.first().and_then(|name| signature.param(name));
            check_section(placeholder, field, signature, &mut problems);
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(AgentError::Sections(problems)) }
}

fn collect_names<'t>(placeholder: &'t Placeholder, names: &mut BTreeSet<&'t str>) {
    names.extend(placeholder.path.first().map(String::as_str));
    placeholder.fields.iter().for_each(|field| collect_names(field, names));
}

/// A name inside a section must exist in the items of the section, or be a parameter.
fn check_section(section: &Placeholder, field: Option<&Field>, signature: &Signature, problems: &mut Vec<String>) {
    let name = section.name();
    let Some(field) = field else {
        problems.push(format!("section {{{{#{name}}}}} has no parameter"));
        return;
    };
    let (inside, of) = match field.ty.shape() {
        Type::List(element) => (element.shape(), "the elements of "),
        other => (other, ""),
    };
    let is_param = |used: &&Placeholder| used.path.first().is_some_and(|name| signature.param(name).is_some());
    match inside {
        Type::Record(fields) => {
            if section.dot.is_some() && !of.is_empty() {
                problems.push(format!("{{{{.}}}} in {{{{#{name}}}}} is a whole element: use one of its fields"));
            }
            for used in &section.fields {
                let found = used.path.first().and_then(|key| fields.iter().find(|field| field.name == *key));
                match found {
                    None if is_param(&used) => {}
                    None => problems.push(format!("{{{{{}}}}} is not a field of {of}{{{{#{name}}}}}", used.name())),
                    Some(_) if used.kind == PlaceholderKind::Simple => {}
                    Some(field) => check_section(used, Some(field), signature, problems),
                }
            }
        }
        Type::Map | Type::MapOf(..) | Type::Any | Type::JsonOrText | Type::Union(_) => {}
        _ if of.is_empty() => {}
        _ => problems.extend(section.fields.iter().filter(|used| !is_param(used)).map(|used| {
            format!("{{{{{}}}}} in {{{{#{name}}}}}, whose elements are plain values: write {{{{.}}}}", used.name())
        })),
    }
}
