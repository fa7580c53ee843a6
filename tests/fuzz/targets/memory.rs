//! Stored memory, from any author.

use std::collections::BTreeSet;

use ptc_runner::lisp::{Omitted, StoredMemory};

use super::lisp::{Input, limits, session, within_limits};

/// What cannot be restored is reported by name and kept; what is restored is stored again as the same; programs over it
/// end within their limits.
pub(crate) fn run(bytes: &[u8]) {
    let Some(input) = Input::of(bytes) else { return };
    let Ok(stored) = StoredMemory::parse(input.program) else { return };
    let mut restored = session();
    let left_out = restored.restore_memory(&stored);
    let (written, _) = restored.store_memory();
    let Ok(text) = serde_json::to_string(&written) else { panic!("a stored memory is JSON") };
    for missing in &left_out {
        let name = serde_json::Value::from(missing.name.as_str());
        assert!(text.contains(&format!("{name}:")), "{missing} is kept");
    }
    let Ok(read) = StoredMemory::parse(&text) else { panic!("what is stored is read: {text}") };
    let mut again = session();
    let left_out_again = again.restore_memory(&read);
    // Of a repeated name the last entry is stored.
    let names = |left_out: &[Omitted]| {
        let lost = left_out.iter().filter(|missing| !missing.why.contains("more than once"));
        lost.map(|missing| missing.name.clone()).collect::<BTreeSet<_>>()
    };
    assert_eq!(names(&left_out), names(&left_out_again), "{left_out:?}, {left_out_again:?}");
    let (written_again, _) = again.store_memory();
    assert_eq!(serde_json::to_string(&written_again).ok(), Some(text));

    let memory = restored.memory();
    for entry in memory.entries().iter().take(8) {
        let call = if entry.is_function() {
            format!("({} 1)", entry.name)
        } else {
            format!("[{0} (count (str {0}))]", entry.name)
        };
        within_limits(&restored.run(&call, &mut |call| input.answer(call)), &limits());
    }
}
