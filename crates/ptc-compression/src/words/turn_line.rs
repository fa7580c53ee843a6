//! The line that tells the model how many turns are left.

/// Says that the coming turn is the last one.
pub const FINAL_TURN: &str = "FINAL TURN - you must call (return result) or (fail reason) now.";

/// Precedes the number of turns left.
pub(crate) const TURNS_LEFT: &str = "Turns left: ";

/// The beginning of the line that says that the coming retry is the last one.
pub(crate) const FINAL_RETRY: &str = "FINAL RETRY";

/// Precedes the number of retries left.
pub(crate) const RETRIES_LEFT: &str = "Retries left: ";

/// The last line of a compressed message; `turns_left` counts the coming turn. Without work turns left, the coming turn
/// is a retry, which `retries_left` counts.
pub fn turns_indicator(turns_left: usize, retries_left: usize) -> String {
    match (turns_left, retries_left) {
        (0, retries @ 2..) => format!("{RETRIES_LEFT}{retries}"),
        (0 | 1, _) => FINAL_TURN.to_owned(),
        (left, _) => format!("{TURNS_LEFT}{left}"),
    }
}

/// The last line of an uncompressed feedback message after `used` turns.
///
/// `None` for agents of a single turn without retries, and when no turn follows.
pub fn turn_line(max_turns: usize, retry_turns: usize, used: usize) -> Option<String> {
    let next = used + 1;
    match max_turns.saturating_sub(used) {
        0 => retry_line(retry_turns, next.saturating_sub(max_turns), next),
        _ if max_turns == 1 => None,
        1 if retry_turns == 0 => Some(FINAL_TURN.to_owned()),
        1 => Some(format!("{FINAL_TURN} {retry_turns} correction attempt(s) will follow if the value is rejected.")),
        left if retry_turns > 0 => {
            Some(format!("Turn {next} ({left} work turns + {retry_turns} retry turns remaining)"))
        }
        2 => Some(format!(
            "Turn {next} of {max_turns} (2 remaining). The turn after this one is the last: prepare the return."
        )),
        left => Some(format!("Turn {next} of {max_turns} ({left} remaining)")),
    }
}

/// The line before retry number `retry` (from 1) of `retries`.
fn retry_line(retries: usize, retry: usize, turn: usize) -> Option<String> {
    match retries.checked_sub(retry)? {
        0 => {
            Some(format!("{FINAL_RETRY} ({retry} of {retries}) - you must call (return result) or (fail reason) now."))
        }
        after => {
            let left = after + 1;
            Some(format!("Turn {turn}: retry {retry} of {retries} ({left} retries remaining)"))
        }
    }
}

#[cfg(test)]
mod tests;
