//! The findings of a walk as problems and warnings.

use super::look_up::{LookUp, Use, key_text};
use super::value::{Maps, Origin};
use super::walk::Walk;
use crate::error::advice::nearest;
use crate::error::warning::{Warning, WarningCode};
use crate::error::{Error, Reason};
use crate::escape::escaped;
use crate::parse::is_keyword_name;
use crate::value::{FormatOptions, Value, format};

/// The most keys that a message lists.
const MAX_LISTED: usize = 12;

/// What is wrong with the lookups of a program.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub problems: Vec<Error>,
    pub warnings: Vec<Warning>,
}

impl Walk<'_> {
    pub fn findings(&self) -> Findings {
        let mut findings = Findings::default();
        if self.gave_up {
            return findings;
        }
        for look_up in self.look_ups.iter().filter(|look_up| !look_up.is_found) {
            let (Some(used), Some((maps, origin))) = (look_up.used, &look_up.maps) else { continue };
            let near = near(&look_up.key, maps);
            let is_wrong = used == Use::Computed && origin.is_data() && !maps.is_derived;
            let is_mistake = look_up.is_sure && !look_up.is_caught && (is_wrong || near.is_some());
            let message = message(look_up, maps, origin, near);
            if is_mistake {
                findings.problems.push(Error::new(Reason::UnknownField, message).at(look_up.span));
            } else {
                findings.warnings.push(Warning::new(WarningCode::UnknownField, message, look_up.span));
            }
        }
        findings.problems.sort_by_key(|problem| problem.span.map_or(0, |span| span.start));
        findings
    }
}

/// The key that was probably meant.
fn near<'m>(key: &Value, maps: &'m Maps) -> Option<&'m str> {
    nearest(key_text(key)?, maps.fields.keys().map(AsRef::as_ref))
}

/// `no record of data/trips has :cots; did you mean :cost?`
fn message(look_up: &LookUp, maps: &Maps, origin: &Origin, near: Option<&str>) -> String {
    let is_text = |name: &str| matches!(look_up.key, Value::Str(_)) || !is_keyword_name(name);
    let spelled = |name: &str| {
        let key = if is_text(name) { Value::string(name) } else { Value::keyword(name) };
        format(&key, &FormatOptions::full()).text
    };
    let key = format(&look_up.key, &FormatOptions::full()).text;
    let part = escaped(if maps.is_derived { origin.whole() } else { &origin.part });
    let mut text = match (look_up.is_sure, maps.is_derived, origin.is_each) {
        (true, false, true) => format!("no record of {part} has {key}"),
        (true, false, false) => format!("{part} has no {key}"),
        (true, true, _) => format!("no map made of {part} here has {key}"),
        (false, _, _) => format!("no known record of {part} has {key}"),
    };
    if let Some(function) = &look_up.inside {
        text.push_str(&format!(", which {} looks up", escaped(function)));
    }
    let names = maps.fields.keys().filter(|name| !name.starts_with('_'));
    match near {
        Some(near) if is_text(near) && !matches!(look_up.key, Value::Str(_)) => {
            let key = spelled(near);
            text.push_str(&format!("; did you mean {key}? No keyword has such a name: write (get x {key})"));
        }
        Some(near) => text.push_str(&format!("; did you mean {}?", spelled(near))),
        None if maps.fields.is_empty() => {}
        None => {
            let listed: Vec<String> = names.clone().take(MAX_LISTED).map(|name| spelled(name)).collect();
            let more = names.count().saturating_sub(MAX_LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            text.push_str(&format!("; there are {}{more}", listed.join(", ")));
        }
    }
    text
}
