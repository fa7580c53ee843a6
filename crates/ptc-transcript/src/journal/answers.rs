//! The answers of the models of a run, from its journal.

use std::collections::HashMap;

use ptc_chat::answer_line;

use super::recorded::each_line;
use super::{JournalError, JournalRecord};

/// The answers of a journal as lines of a replay file, in the order in which they arrived, with those of the agents that
/// were called; failed attempts are among them.
///
/// Errors like [`Recorded::read`](super::Recorded::read), and for journals of version 1 of runs that called agents, whose
/// answers they do not have.
pub fn journal_answers(bytes: &[u8]) -> Result<String, JournalError> {
    let mut agents: HashMap<Option<String>, Option<String>> = HashMap::new();
    let mut lines = String::new();
    each_line(bytes, &mut |_, below, record| {
        match record {
            JournalRecord::Request(request) => {
                if let Some(agent) = request.agent() {
                    agents.insert(below, agent.map(str::to_owned));
                }
            }
            JournalRecord::Reply(reply) => {
                let agent = agents.get(&below).cloned().flatten();
                // Only agents that were called are asked in parallel.
                let request = agent.is_some().then_some(reply.request.as_str());
                let line = answer_line(agent.as_deref(), request, &reply.answer.to_result());
                lines.push_str(&line.map_err(|error| JournalError::Value(error.to_string()))?);
                lines.push('\n');
            }
            JournalRecord::CallEnd(end) if below.is_none() && agents.is_empty() && end.spent.requests > 0 => {
                let problem = format!("the answers of the agent of call {} are not in a journal of version 1", end.id);
                return Err(JournalError::Value(problem));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(lines)
}
