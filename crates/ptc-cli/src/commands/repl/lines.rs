//! Inputs from a file or a pipe: nobody types, and values are printed plainly.

use std::io::BufRead;

use super::editing::goes_on;
use super::state::{Next, State};
use crate::failure::{Exit, Failure, FileFailure};

/// Run all inputs: a line, and those behind it that it takes until its forms are closed.
pub(super) fn run(state: &mut State) -> Result<Exit, Failure> {
    let mut input = String::new();
    for line in std::io::stdin().lock().split(b'\n') {
        let line = String::from_utf8(line.map_err(FileFailure::unreadable("standard input"))?);
        let line = line.map_err(|error| FileFailure::NotText {
            name: "standard input".to_owned(),
            offset: error.utf8_error().valid_up_to(),
        })?;
        input.push_str(line.trim_end_matches('\r'));
        if goes_on(&input) {
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
        // It says what is not closed.
        state.input(&input)?;
    }
    Ok(state.failed.unwrap_or(Exit::Ok))
}
