//! Mission texts with placeholders.

use ptc_runner::mission::{MissionExpander, Template};
use serde_json::json;

/// Any text is a template or refused with a place in it; filling it in ends, in strict mode or leaving what is missing.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let scope = json!({
        "name": "ann", "n": 3, "none": null, "yes": true, "no": false, "empty": [], "_secret": "hidden",
        "rows": [{"id": 1, "tags": ["x", "y"]}, {"id": 2, "tags": []}], "m": {"a": {"b": "{{name}}"}}
    });
    let kept = MissionExpander::expand_keep(text, &scope);
    match Template::parse(text) {
        Ok(template) => {
            assert_eq!(template.source(), text);
            assert!(template.placeholder_names().iter().all(|name| !name.is_empty()));
            let filled = template.render(&scope);
            if let Ok(filled) = &filled {
                assert_eq!(&kept, filled, "what is filled in strictly is filled in leniently");
                assert_eq!(MissionExpander::expand(text, &scope).ok().as_ref(), Some(filled));
            }
        }
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.code().is_empty());
            assert!(MissionExpander::expand(text, &scope).is_err());
        }
    }
    let _ = MissionExpander::expand_annotated(text, &scope);
}
