//! Where a record belongs: to its run, to the turn that is open, and to the call that is open.

use super::JournalError;

/// The id of a call, or of something that waited for a decision, in a journal.
pub(super) struct Place<'a> {
    /// The turn of the run, from 1.
    pub turn: usize,
    /// The call of the run that an agent answers, for what that agent does.
    pub above: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// The place of a call: `run/turn/seq`; for one of an agent that was called, both follow the id of that call.
    pub fn of_call(line: usize, run: &str, id: &'a str) -> Result<Place<'a>, JournalError> {
        let place = Place::below(line, run, id)?;
        place.filter(|(_, numbers)| numbers % 2 == 0).map(|(place, _)| place).ok_or_else(|| malformed(line, id))
    }

    /// The place of what waited: a call, or a program, whose id ends with its turn.
    pub fn of_decision(line: usize, run: &str, id: &'a str) -> Result<Place<'a>, JournalError> {
        if let Ok(turn) = id.parse() {
            return Ok(Place { turn, above: None });
        }
        Place::below(line, run, id)?.map(|(place, _)| place).ok_or_else(|| malformed(line, id))
    }

    /// The place, and how many numbers follow the run; `None` if they are not numbers, or less than two.
    fn below(line: usize, run: &str, id: &'a str) -> Result<Option<(Place<'a>, usize)>, JournalError> {
        let Some(numbers) = id.strip_prefix(run).and_then(|rest| rest.strip_prefix('/')) else {
            return Err(JournalError::OtherRun { line, found: id.to_owned(), run: run.to_owned() });
        };
        let all: Option<Vec<usize>> = numbers.split('/').map(|number| number.parse().ok()).collect();
        let Some((all, turn)) = all.and_then(|all| all.first().copied().map(|turn| (all, turn))) else {
            return Ok(None);
        };
        let above = numbers.match_indices('/').nth(1).map(|(end, _)| run.len() + 1 + end);
        let place = Place { turn, above: above.and_then(|end| id.get(..end)) };
        Ok((all.len() > 1).then_some((place, all.len())))
    }
}

fn malformed(line: usize, id: &str) -> JournalError {
    JournalError::OutOfPlace { line, problem: format!("its id `{id}` is not run/turn/number") }
}
