//! What an error about a name suggests.

mod words;

use super::{Analyzer, Reason, Span, forms, namespace};
use crate::nearest::nearest;
use words::{MISPLACED, REFUSED};

/// Longest list of names in a message, in bytes.
const MAX_LIST: usize = 360;

/// Whether a name is refused with a hint; calls of it are not looked into.
pub(super) fn is_refused(name: &str) -> bool {
    refusal(name).is_some()
}

fn refusal(name: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(known, _)| *known == name).map(|(_, instead)| *instead)
}

/// Names in a row, sorted, cut where the list gets long; `None` when there are none.
pub(super) fn listed(mut names: Vec<String>) -> Option<String> {
    names.sort();
    let mut list = String::new();
    for (index, name) in names.iter().enumerate() {
        if list.len() + name.len() > MAX_LIST {
            list.push_str(&format!(", ... ({} more)", names.len() - index));
            break;
        }
        if index > 0 {
            list.push_str(", ");
        }
        list.push_str(name);
    }
    (!names.is_empty()).then_some(list)
}

impl Analyzer<'_> {
    /// Report a name that nothing defines, with at most one hint.
    pub(super) fn undefined(&mut self, name: &str, span: Span) {
        if !self.is_news(Reason::UndefinedSymbol, name) {
            return;
        }
        let shown = if name.chars().count() > 80 { name.chars().take(77).chain("...".chars()).collect() } else { name.to_owned() };
        let text = match self.hint(name) {
            Some(hint) => format!("undefined symbol '{shown}'. {hint}"),
            None => format!("undefined symbol '{shown}'"),
        };
        self.problem(Reason::UndefinedSymbol, text, span);
    }

    fn hint(&self, name: &str) -> Option<String> {
        if forms::find(name).is_some() {
            return Some(format!("Hint: '{name}' is a special form, write ({name} ...)"));
        }
        if let Some(instead) = refusal(name) {
            return Some(format!("Not available: {instead}"));
        }
        if let Some((_, instead)) = MISPLACED.iter().find(|(known, _)| *known == name) {
            return Some(format!("Hint: {instead}"));
        }
        if name.starts_with('.') && name.len() > 1 {
            let mut methods: Vec<String> = self.names.builtin_names().into_iter().map(str::to_owned).collect();
            methods.retain(|method| method.starts_with('.') && method.len() > 1);
            return listed(methods).map(|list| format!("Available methods: {list}"));
        }
        let hyphenated = name.replace('_', "-");
        if hyphenated != name && self.resolves(&hyphenated) {
            return Some(did_you_mean(&hyphenated));
        }
        let folded = fold(name);
        let data = self.names.data_names().into_iter().map(|known| ("data", known));
        let tools = self.names.tools().into_iter().map(|known| ("tool", known));
        if let Some((namespace, known)) = data.chain(tools).find(|(_, known)| fold(known) == folded) {
            return Some(did_you_mean(&format!("{namespace}/{known}")));
        }
        let candidates = self.candidates();
        nearest(name, candidates.iter().map(String::as_str)).map(did_you_mean)
    }

    fn resolves(&self, name: &str) -> bool {
        self.is_local(name)
            || self.is_definition(name)
            || self.names.tool(name).is_some()
            || self.names.has_data(name)
            || self.names.builtin(None, name).is_some()
    }

    /// Every name that the program could have meant.
    fn candidates(&self) -> Vec<String> {
        let mut known = self.local_names();
        known.extend(self.survey.definitions.keys().cloned());
        known.extend(self.names.definitions());
        known.extend(self.names.tools());
        known.extend(self.names.data_names());
        known.extend(self.names.builtin_names().into_iter().filter(|name| !name.starts_with('%')).map(str::to_owned));
        known.extend(forms::names().map(str::to_owned));
        known
    }

    /// `no string function named capwords; available: blank?, …`
    pub(super) fn unknown_member(&self, prefix: &str, name: &str) -> String {
        let title = namespace::title(prefix);
        let members = namespace::members(title).iter();
        let known: Vec<String> = members
            .filter(|member| {
                self.names.builtin(Some(prefix), member).is_some()
                    || self.names.constant(&namespace::constant_name(prefix, member)).is_some()
            })
            .map(|member| (*member).to_owned())
            .collect();
        match listed(known) {
            Some(list) => format!("no {title} function named {name}; available: {list}"),
            None => match self.hint(name) {
                Some(hint) => format!("no {title} function named {name}. {hint}"),
                None => format!("no {title} function named {name}"),
            },
        }
    }
}

fn did_you_mean(name: &str) -> String {
    format!("Did you mean '{name}'?")
}

/// The name without hyphen, underscore and case.
fn fold(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '-' | '_')).flat_map(char::to_lowercase).collect()
}
