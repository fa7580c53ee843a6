//! Errors about a value that a tool of this program returned: they name the tool. Costs nothing before there is an error.

use super::Machine;
use crate::error::{Exception, counted, with_article};
use crate::session::host::ToolRecord;
use crate::value::{Value, shown};

/// The newest records that are looked at.
const RECORDS: usize = 64;

/// Parts of results that are looked at for one error.
const PARTS: usize = 1_000;

/// Bytes of texts that are compared; of longer ones a program has the one that the tool returned.
const TEXT: usize = 4_096;

/// Levels of a result.
const LEVELS: usize = 4;

impl Machine {
    /// If the value that the error is about is the result of a tool, or a part of one, say so.
    #[cold]
    pub(super) fn name_origin(&self, error: &mut Exception) {
        let Some(subject) = error.attached.subject.take() else { return };
        let below = self.parents.iter().rev().map(|fiber| &fiber.local);
        let records = std::iter::once(&self.cx.local).chain(below).flat_map(|local| local.left.records.iter().rev());
        let records: Vec<&ToolRecord> = records.filter(|record| record.error.is_none()).take(RECORDS).collect();
        let whole = records.iter().find(|record| is_same(&record.result, &subject));
        let found = whole.or_else(|| {
            let mut left = PARTS;
            records.iter().find(|record| !is_empty(&subject) && has_part(&record.result, &subject, LEVELS, &mut left))
        });
        let Some(record) = found else { return };
        let (name, value) = (&record.name, shown(&subject));
        error.message.push_str(&match whole {
            Some(_) => format!("; tool/{name} returned {value}{}", others(&records, record)),
            None => format!("; {value} is in what tool/{name} returned"),
        });
    }
}

/// `, and a string in 3 other calls`, where other results of the tool are of other kinds.
fn others(records: &[&ToolRecord], known: &ToolRecord) -> String {
    let same_tool = records.iter().filter(|record| record.name == known.name).map(|record| record.result.kind());
    let others: Vec<&str> = same_tool.filter(|kind| *kind != known.result.kind()).collect();
    let mut kinds = others.clone();
    kinds.sort_unstable();
    kinds.dedup();
    match kinds.as_slice() {
        [] => String::new(),
        kinds => {
            let kinds: Vec<String> = kinds.iter().map(|kind| with_article(kind)).collect();
            format!(", and {} in {}", kinds.join(" or "), counted(others.len(), "other call"))
        }
    }
}

/// Whether these are one collection or long text, or equal texts: a number or nil has no origin.
fn is_same(result: &Value, subject: &Value) -> bool {
    match (result, subject) {
        (Value::Str(one), Value::Str(other)) => {
            let (one, other) = (one.as_str(), other.as_str());
            std::ptr::eq(one, other) || one.len() <= TEXT && one == other
        }
        (one, other) if one.kind() != other.kind() => false,
        (one, other) => match (one.sharing(), other.sharing()) {
            (Some(one_held), Some(other_held)) => {
                one_held.address == other_held.address || is_empty(one) && is_empty(other)
            }
            _ => false,
        },
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Str(text) => text.as_str().is_empty(),
        other => other.parts().next().is_none(),
    }
}

fn has_part(result: &Value, subject: &Value, levels: usize, left: &mut usize) -> bool {
    result.parts().any(|part| {
        *left = left.saturating_sub(1);
        *left > 0 && (is_same(part, subject) || levels > 1 && has_part(part, subject, levels - 1, left))
    })
}
