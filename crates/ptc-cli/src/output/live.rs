//! The last line of a terminal while the command waits: what it waits for, and since when.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ptc_runner::lisp::text::one_line;

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(100);

/// The line, while there is one.
static LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn line() -> MutexGuard<'static, Option<ProgressBar>> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Show on the last line of the terminal what is in progress, with a spinner and the time that has passed since
/// `since`.
pub(crate) fn show(what: &str, since: Duration) {
    if !super::is_watched() || std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return;
    }
    let mut line = line();
    let bar = line.get_or_insert_with(|| {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} · {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
        bar
    });
    bar.set_elapsed(since);
    bar.set_message(one_line(what));
}

/// Nothing is in progress: remove the line.
pub(crate) fn clear() {
    if let Some(bar) = line().take() {
        bar.finish_and_clear();
    }
}

/// Write to standard error above the line.
pub(super) fn above(write: impl FnOnce()) {
    match &*line() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}
