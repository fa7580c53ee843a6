//! What a host may do to a waiting program besides answering: change a call, or stop the program.

use super::Session;
use crate::error::{Error, Reason, Signal};
use crate::session::host::{ToolAnswer, ToolCall, ToolError};
use crate::session::outcome::Outcome;
use crate::value::Value;

/// The error recorded for calls that a stop left without an answer.
const STOPPED: &str = "the run was cancelled before it answered";

impl Session {
    /// Give the waiting call with this number other arguments, a map by name. They are checked against the signature of
    /// the tool and coerced like those of programs; the record of the call says that they were edited.
    ///
    /// Returns the changed call. Errors and changes nothing when the arguments do not fit or no call with this number
    /// waits.
    pub fn amend(&mut self, seq: u64, args: Value) -> Result<ToolCall, Error> {
        let missing =
            || Error::new(Reason::InternalError, format!("no call with the number {seq} waits for an answer"));
        if args.as_map().is_none() {
            return Err(Error::new(
                Reason::InvalidToolArgs,
                format!("arguments must be a map of names, got {}", args.kind()),
            ));
        }
        self.machine.amend(seq, args).ok_or_else(missing)?.map_err(|signal| match *signal {
            Signal::Error(error) => error.into_error(),
            _ => Error::new(Reason::InvalidToolArgs, "the arguments are not whole values"),
        })
    }

    /// Stop the running program wherever it is: its definitions are undone, its prints and calls are kept.
    ///
    /// `answers` are those of the calls that waited, in order; calls without one are recorded with an error.
    pub fn interrupt(&mut self, answers: impl IntoIterator<Item = ToolAnswer>) -> Outcome {
        let mut waiting = 0;
        self.machine.each_call(&mut |_| waiting += 1);
        if waiting > 0 {
            let unknown = std::iter::repeat_with(|| Err(ToolError::new(STOPPED).may_have_run(true)).into());
            let answers = answers.into_iter().chain(unknown).take(waiting);
            self.answer_calls(answers);
            self.machine.give_up_waiting();
        }
        let outcome = self.failed(&Error::new(Reason::Cancelled, "the run was cancelled"));
        self.forget_code();
        outcome
    }
}
