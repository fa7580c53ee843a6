//! The section that says which type the answer must have.

use indexmap::IndexMap;
use ptc_lisp::signature::{Signature, Type};
use ptc_lisp::text::{escaped, one_line};

use ptc_mission::EXPECTED_OUTPUT_HEADER;

/// Header, result type, described fields and an example `return`, with blank lines between.
///
/// Only fields of a map result that have a description are listed, in the order of the signature.
pub fn expected_output(signature: &Signature, field_descriptions: &IndexMap<String, String>) -> String {
    let result = signature.result();
    let mut text =
        format!("{EXPECTED_OUTPUT_HEADER}\n\nThe answer must have the type `{}`.\n\n", escaped(&result.to_string()));
    let fields = field_lines(result, field_descriptions);
    if !fields.is_empty() {
        text.push_str("Fields:\n");
        text.push_str(&fields);
        text.push('\n');
    }
    text.push_str(&format!("Finish with `(return {})`.", escaped(&result.example().to_string())));
    text
}

fn field_lines(result: &Type, descriptions: &IndexMap<String, String>) -> String {
    let Some(Type::Record(fields)) = result.as_record() else {
        return String::new();
    };
    let described = fields.iter().filter_map(|field| Some((field, descriptions.get(&field.name)?)));
    described.map(|(field, text)| format!("  - `{}`: {}\n", escaped(&field.name), one_line(text))).collect()
}

#[cfg(test)]
mod tests;
