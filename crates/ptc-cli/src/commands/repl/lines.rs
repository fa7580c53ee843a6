//! Inputs from a file or a pipe: they are not typed, and values are printed plainly.

use ptc_runner::lisp::Limits;

use super::editing::goes_on;
use super::state::{Next, State};
use crate::failure::{Exit, Failure, FileFailure};
use crate::lines::Lines;

/// Run all inputs: a line, and the lines after it that it needs until its forms are closed.
pub(super) fn run(state: &mut State) -> Result<Exit, Failure> {
    let mut input = String::new();
    let most = Limits::default().source_bytes;
    let mut lines = Lines::new(std::io::stdin().lock(), most);
    while let Some(line) = lines.next().map_err(FileFailure::unreadable("standard input"))? {
        let line = String::from_utf8(line.to_vec());
        let line = line.map_err(|error| FileFailure::not_text("standard input", &error))?;
        input.push_str(line.trim_end_matches(['\r', '\n']));
        // Input longer than a program is reported as it is.
        if input.len() <= most && goes_on(&input) {
            input.push('\n');
            continue;
        }
        let whole = std::mem::take(&mut input);
        if !whole.trim().is_empty() && state.input(&whole)? == Next::Quit {
            break;
        }
        if let Some(exit) = state.ended() {
            return Ok(exit);
        }
    }
    if !input.trim().is_empty() {
        // The error says what is not closed.
        state.input(&input)?;
    }
    Ok(state.failed.unwrap_or(Exit::Ok))
}
