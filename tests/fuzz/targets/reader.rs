//! From text to forms: tokens, incomplete input, reading, analysis, the summary of effects. Nothing runs.

use super::lisp::{Input, session};

/// Any text is read or refused, its tokens lie one after another in it, and what was read is complete.
pub(crate) fn run(bytes: &[u8]) {
    let Some(Input { program, .. }) = Input::of(bytes) else { return };
    let mut at = 0;
    for token in ptc_lisp::syntax::tokens(program) {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        assert!(at <= start && start < end, "a token at {start}..{end} after {at}");
        assert!(program.get(start..end).is_some(), "a token across characters at {start}..{end}");
        at = end;
    }
    let leading = ptc_lisp::syntax::leading_forms(program, 200);
    assert!(program.contains(leading), "leading forms are of the text");
    let session = session();
    let phases = session.phases();
    if let Ok(read) = phases.read(program) {
        assert!(!ptc_lisp::syntax::is_unfinished(program), "a text that was read is finished");
        let analyzed = phases.analyze(&read);
        let checked = session.check(program);
        if let Err(problems) = &analyzed {
            assert!(checked.is_err() && (1..=5).contains(&problems.len()));
        }
        assert_eq!(session.effects(program).is_ok(), checked.is_ok(), "effects are told of what would run");
    }
}
