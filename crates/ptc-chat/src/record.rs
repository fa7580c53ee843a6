//! Recording answers for replay.

#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use crate::{BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request, lines};

/// Passes requests on and writes each answer, errors included, as a line that [`ReplayLlm`](crate::ReplayLlm) reads.
///
/// Lines appear in the order in which answers arrive and always name the agent. A call whose answer cannot be written
/// fails with `config_error`, so that no recording is silently incomplete.
#[derive(Debug)]
pub struct RecordingLlm<L, W> {
    inner: L,
    out: Mutex<W>,
}

impl<L: Llm, W: Write + Send> RecordingLlm<L, W> {
    /// Records the answers of `inner` to `out`, flushing after each line.
    pub fn new(inner: L, out: W) -> Self {
        RecordingLlm { inner, out: Mutex::new(out) }
    }

    /// The writer, with everything recorded so far.
    pub fn into_writer(self) -> W {
        self.out.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Running out of answers is not an answer: a later replay runs out at the same place on its own.
    fn record(&self, agent: Option<&str>, answer: &Result<Reply, LlmError>) -> io::Result<()> {
        if answer.as_ref().is_err_and(|error| matches!(error.kind, LlmErrorKind::OutOfAnswers { .. })) {
            return Ok(());
        }
        let line = lines::write(agent, None, answer)?;
        // A whole line at once, so that a reader never sees half of it.
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(format!("{line}\n").as_bytes())?;
        out.flush()
    }
}

impl<L: Llm, W: Write + Send> Llm for RecordingLlm<L, W> {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let answer = self.inner.reply(request, chunks).await;
            match self.record(request.agent.as_deref(), &answer) {
                Ok(()) => answer,
                Err(error) => Err(LlmError::new(
                    LlmErrorKind::ConfigError,
                    format!("cannot write the answer to its file: {error}"),
                )),
            }
        })
    }

    fn name(&self) -> &str {
        self.inner.name()
    }
}
