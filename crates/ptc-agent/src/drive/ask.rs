//! Asking the model, unless the journal has its answer.

use std::time::Duration;

use ptc_chat::{ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request};
use ptc_transcript::JournalError;

use super::chunks::Chunks;
use super::guard::caught;
use super::log::{Asked, Log};
use super::options::RunOptions;
use super::report::Reporter;

/// The answer of the journal, or of the model; observers hear of both.
pub(super) async fn ask(
    llm: &dyn Llm,
    request: &Request,
    delay: Duration,
    options: &RunOptions,
    reporter: &Reporter<'_>,
    log: &Log<'_>,
) -> Result<Result<Reply, LlmError>, JournalError> {
    let known = log.reply(request)?;
    if known.is_none() && !delay.is_zero() {
        log.pause(request, delay).await?;
    }
    let asked = reporter.ask(request, llm.name());
    let observed = (options.stream && !options.observers.is_empty()).then_some((reporter, asked));
    let mut chunks = Chunks::of(options.on_chunk.as_deref(), observed, request);
    let Asked { reply, is_new } = match known {
        Some(reply) => Asked { reply, is_new: false },
        None => log.asked(llm.name(), request, answer(llm, request, chunks.as_mut())).await?,
    };
    if let (false, Some(chunks), Ok(reply)) = (is_new, &mut chunks, &reply) {
        chunks.chunk(&reply.content);
    }
    if let (Some(chunks), Ok(reply)) = (chunks, &reply) {
        chunks.finish(reply);
    }
    reporter.replied(asked, request, &reply);
    Ok(reply)
}

async fn answer(llm: &dyn Llm, request: &Request, chunks: Option<&mut Chunks<'_>>) -> Result<Reply, LlmError> {
    let sink = chunks.map(|chunks| chunks as &mut dyn ChunkSink);
    caught(async { llm.reply(request, sink).await })
        .await
        .unwrap_or_else(|panic| Err(LlmError::new(LlmErrorKind::Unknown, format!("the client panicked: {panic}"))))
}
