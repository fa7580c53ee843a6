//! Signatures and JSON Schema.

use ptc_runner::signature::{Enums, Signature, Type};

/// A signature or type that is read is written as text that means the same, and so is one derived from any JSON Schema.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for read in [Signature::parse(text), Signature::parse_tool(text)].into_iter().flatten() {
        same_when_written(&read);
        let _ = (read.result_schema(), read.params_schema(), read.result().example());
    }
    if let Ok(read) = Type::parse(text) {
        assert_eq!(Type::parse(&read.to_string()).as_ref(), Ok(&read), "{read}");
        let imported = Type::from_json_schema(&read.to_json_schema(), Enums::String);
        assert_eq!(Type::parse(&imported.to_string()), Ok(imported));
    }
    if let Ok(schema) = serde_json::from_str::<serde_json::Value>(text) {
        for enums in [Enums::String, Enums::Keyword] {
            let made = Signature::from_json_schemas(Some(schema.clone()), Some(schema.clone()), enums);
            same_when_written(&made);
        }
    }
}

fn same_when_written(signature: &Signature) {
    let written = signature.to_string();
    assert_eq!(Signature::parse_tool(&written).as_ref().map(ToString::to_string), Ok(written.clone()), "{written}");
}
