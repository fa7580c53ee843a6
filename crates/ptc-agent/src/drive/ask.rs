//! Asking the model, unless the journal has its answer.

use std::time::Duration;

use ptc_chat::{ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request};
use ptc_transcript::JournalError;
use tokio::time::Instant;

use super::chunks::Chunks;
use super::guard::{DEADLINE, caught, until};
use super::log::{EngineReply, Log};
use super::options::RunOptions;
use super::report::Reporter;
use crate::machine::Input;

/// Who asks, and who is notified.
pub(super) struct Asking<'a> {
    pub llm: &'a dyn Llm,
    pub options: &'a RunOptions,
    pub reporter: &'a Reporter<'a>,
    pub log: &'a Log<'a>,
}

impl Asking<'_> {
    /// The answer of the journal, or of the model after `delay` and within `time_left`; observers are notified of both.
    pub async fn ask(
        &self,
        request: &Request,
        delay: Duration,
        time_left: Option<Duration>,
    ) -> Result<Input, JournalError> {
        let Asking { llm, options, reporter, log } = *self;
        // When an engine keeps the time, the clock of this process must not end anything.
        let end = time_left.filter(|_| !log.has_engine()).and_then(|left| Instant::now().checked_add(left));
        let known = log.reply(request)?;
        if known.is_none() && !delay.is_zero() {
            log.pause(request, delay).await?;
        }
        let asked = reporter.ask(request, llm.name());
        let observed = (options.stream && !options.observers.is_empty()).then_some((reporter, asked));
        let mut chunks = Chunks::of(options.on_chunk.as_deref(), observed, request);
        let EngineReply { reply, is_new } = match known {
            Some(reply) => EngineReply { reply, is_new: false },
            None => log.asked(llm.name(), request, answer(llm, request, chunks.as_mut(), end)).await?,
        };
        if let (false, Some(chunks), Ok(reply)) = (is_new, &mut chunks, &reply) {
            chunks.chunk(&reply.content);
        }
        if let (Some(chunks), Ok(reply)) = (chunks, &reply) {
            chunks.finish(reply);
        }
        reporter.replied(asked, request, llm.name(), is_new, &reply);
        Ok(log.input(Input::Reply(reply)))
    }
}

async fn answer(
    llm: &dyn Llm,
    request: &Request,
    chunks: Option<&mut Chunks<'_>>,
    end: Option<Instant>,
) -> Result<Reply, LlmError> {
    let sink = chunks.map(|chunks| chunks as &mut dyn ChunkSink);
    match until(end, caught(async { llm.reply(request, sink).await })).await {
        Some(Ok(reply)) => reply,
        Some(Err(panic)) => Err(LlmError::new(LlmErrorKind::Unknown, format!("the client panicked: {panic}"))),
        None => Err(LlmError::new(LlmErrorKind::Timeout, DEADLINE)),
    }
}
