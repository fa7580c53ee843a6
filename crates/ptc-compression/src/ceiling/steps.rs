//! The steps by which a request becomes smaller.

use crate::words::{SampleLimits, USER_HEADER, turns_indicator};
use ptc_chat::Part;
use ptc_lisp::Memory;

use crate::aggressive::Aggressive;
use crate::closing::user_message;
use crate::compression::Rendered;
use crate::input::{Caps, RenderInput};
use crate::recent::{Keep, Recent};
use crate::short_opening::{SHORT_SAMPLES, names};

/// Samples that show nothing.
const NO_SAMPLES: SampleLimits = SampleLimits { items: 0, characters: 0 };

/// The strategy of the step without documentation.
pub(super) const BARE: Aggressive =
    Aggressive { println_limit: 1, tool_call_limit: 5, print_chars: 200, error_chars: 200, doc_chars: 0 };

/// The part of a run that the last steps show.
pub(super) const SMALL: Keep =
    Keep { turns: 0, merges: true, calls: BARE.tool_call_limit, prints: BARE.println_limit, print_chars: None };

/// A way to make a request smaller.
pub(super) enum Step {
    /// The strategy itself, with at most this.
    Capped(Caps),
    /// Names and types, counted calls, the newest print, the last error in one line.
    Bare,
    /// Names and the last error in one line.
    Names,
}

/// All steps, the first two without any limit: the second merges what a strategy would append.
pub(super) fn all() -> [Step; 12] {
    let caps = |samples, prints, calls, turns| Step::Capped(Caps { samples, prints, calls, turns, merged: true });
    const ALL: usize = usize::MAX;
    [
        Step::Capped(Caps::NONE),
        Step::Capped(Caps { merged: true, ..Caps::NONE }),
        caps(SHORT_SAMPLES, ALL, ALL, ALL),
        caps(NO_SAMPLES, ALL, ALL, ALL),
        caps(NO_SAMPLES, 8, ALL, ALL),
        caps(NO_SAMPLES, 3, ALL, ALL),
        caps(NO_SAMPLES, 1, ALL, ALL),
        caps(NO_SAMPLES, 1, 10, 2),
        caps(NO_SAMPLES, 1, 3, 1),
        caps(NO_SAMPLES, 1, 1, 0),
        Step::Bare,
        Step::Names,
    ]
}

/// The only message with names alone, after a beginning that is not built here.
pub(super) fn only_names(recent: &Recent, prefix: &str, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
    let parts = [
        names(USER_HEADER, "", memory.entries().iter().map(|entry| entry.name.as_str())),
        recent.ending.last().and_then(|turn| BARE.error_line(turn)),
        recent.ending.unknown_note(),
        recent.ending.notes(usize::MAX),
        Some(turns_indicator(input.turns_left, input.retries_left)),
    ];
    let nothing = Caps { samples: NO_SAMPLES, prints: 0, calls: 0, turns: 0, merged: true };
    let stats = recent.shown(nothing, input.kept).stats(Aggressive::NAME, recent.turns());
    Rendered { messages: vec![user_message(Some(Part::stable(prefix)), parts)], stats }
}
