//! A model of a provider or server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use futures::StreamExt;
use futures::future::poll_fn;
use genai::chat::{ChatOptions, ChatRequest, ChatStreamEvent};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, Headers, ModelIden, ModelSpec, ServiceTarget};
use ptc_chat::{
    AddressSecrets, BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request, ThoughtSplitter, shown_addresses,
};

use crate::adapter::Grammar;
use crate::frames::Frames;
use crate::spec::{CHAT_PATH, Place, Target};
use crate::{answer, ask, failure};

/// Bytes of text, thoughts and calls in one answer. No model writes that much; a server may.
pub(crate) const MAX_REPLY: usize = 16 << 20;

pub(crate) struct Provider {
    /// Without any part of its address that may be a key.
    name: String,
    target: Target,
    client: Client,
    secrets: AddressSecrets,
    /// Whether the server was found to answer in one piece only.
    answers_whole: AtomicBool,
}

impl Provider {
    pub(crate) fn new(spec: &str, target: Target, client: Client) -> Self {
        let secrets = target.secrets();
        Provider { name: shown_addresses(spec.trim()), target, client, secrets, answers_whole: AtomicBool::new(false) }
    }

    async fn call(&self, request: &Request, chunks: Option<&mut dyn ChunkSink>) -> Result<Reply, LlmError> {
        if request.grammar.is_some() && self.target.row().grammar == Grammar::Never {
            return Err(self.takes_no_grammar());
        }
        let chat = ask::chat_request(request, &self.target);
        let options = ask::chat_options(request, &self.target);
        let reply = match chunks {
            Some(chunks) if !self.answers_whole.load(Ordering::Relaxed) => self.stream(chat, options, chunks).await,
            Some(chunks) => self.told_whole(chat, &options, chunks).await,
            None => self.whole(chat, &options).await,
        };
        let reply = reply.and_then(|reply| if length(&reply) > MAX_REPLY { Err(self.too_long()) } else { Ok(reply) });
        // Servers quote what they were sent: keys, and addresses with keys in them.
        let reply = reply.map_err(|error| LlmError { message: self.secrets.hidden_in(&error.message), ..error })?;
        reply.unless_refused()
    }

    async fn whole(&self, chat: ChatRequest, options: &ChatOptions) -> Result<Reply, LlmError> {
        match self.client.exec_chat(self.model(), chat, Some(options)).await {
            Ok(response) => answer::from_response(response, &self.target, &self.place()),
            Err(error) => match answer::salvaged(&error).filter(|_| self.target.row().chat_completions) {
                Some(completion) => completion.into_reply(None, &self.target, &self.place()),
                None => Err(self.explain(error)),
            },
        }
    }

    /// An answer in one piece for someone who wanted to hear it in pieces.
    async fn told_whole(
        &self,
        chat: ChatRequest,
        options: &ChatOptions,
        chunks: &mut dyn ChunkSink,
    ) -> Result<Reply, LlmError> {
        let reply = self.whole(chat, options).await?;
        tell(chunks, &reply.content);
        Ok(reply)
    }

    async fn stream(
        &self,
        chat: ChatRequest,
        options: ChatOptions,
        chunks: &mut dyn ChunkSink,
    ) -> Result<Reply, LlmError> {
        let frames = Frames::default();
        let reads = self.target.row().chat_completions;
        let heard = frames.listen(options.clone(), reads);
        let response = self.client.exec_chat_stream(self.model(), chat.clone(), Some(&heard)).await;
        let mut events = response.map_err(|error| self.explain(error))?.stream;
        let mut thoughts = ThoughtSplitter::default();
        let mut length = 0_usize;
        // The adapter emits no event for fields that it does not read, such as refusals; the frames are captured within
        // its poll.
        let is_too_long = || frames.length() > MAX_REPLY;
        while let Some(event) = poll_fn(|context| match events.poll_next_unpin(context) {
            Poll::Pending if is_too_long() => Poll::Ready(None),
            event => event,
        })
        .await
        {
            if length.saturating_add(frames.length()) > MAX_REPLY {
                return Err(self.too_long());
            }
            match event {
                Ok(ChatStreamEvent::Chunk(chunk)) if !reads => {
                    length += chunk.content.len();
                    tell(chunks, &thoughts.push(&chunk.content));
                }
                Ok(ChatStreamEvent::ReasoningChunk(chunk) | ChatStreamEvent::ThoughtSignatureChunk(chunk))
                    if !reads =>
                {
                    length += chunk.content.len();
                }
                Ok(ChatStreamEvent::End(end)) => {
                    tell(chunks, &thoughts.push(&frames.new_text()));
                    tell(chunks, &thoughts.finish().answer);
                    return match reads {
                        true => frames.into_reply(end.captured_usage, &self.target, &self.place()),
                        false => Ok(answer::from_stream(end, &self.target)),
                    };
                }
                Ok(_) => tell(chunks, &thoughts.push(&frames.new_text())),
                Err(error) if reads && frames.forgives(&error) => {}
                // What cannot be read of a whole answer is replaced.
                Err(error) if failure::is_other_encoding(&error) && frames.length() == 0 => {
                    return self.instead_of_stream(chat, &options, chunks).await;
                }
                Err(error) => {
                    // Another attempt would meet the same bytes.
                    self.answers_whole.fetch_or(failure::is_other_encoding(&error), Ordering::Relaxed);
                    return Err(frames.odd(&self.place()).unwrap_or_else(|| self.explain(error)));
                }
            }
        }
        if is_too_long() {
            return Err(self.too_long());
        }
        if frames.has_ended() {
            tell(chunks, &thoughts.push(&frames.new_text()));
            tell(chunks, &thoughts.finish().answer);
            return frames.into_reply(None, &self.target, &self.place());
        }
        if frames.is_silent() {
            return self.instead_of_stream(chat, &options, chunks).await;
        }
        Err(failure::broken(failure::BROKE_OFF, &self.place()))
    }

    /// Asks again without a stream, for an answer that was not a stream and whose text the adapter does not keep. Where that
    /// helps, the server is asked so from then on.
    async fn instead_of_stream(
        &self,
        chat: ChatRequest,
        options: &ChatOptions,
        chunks: &mut dyn ChunkSink,
    ) -> Result<Reply, LlmError> {
        let reply = self.told_whole(chat, options, chunks).await?;
        self.answers_whole.store(true, Ordering::Relaxed);
        Ok(reply)
    }

    fn too_long(&self) -> LlmError {
        failure::unreadable(&format!("it has more than {} MB of text", MAX_REPLY >> 20), &self.place())
    }

    fn takes_no_grammar(&self) -> LlmError {
        let message = format!(
            "no grammar is sent to {}; leave `grammar` out, or name a server that takes one by its address, as in http://127.0.0.1:8080/v1#qwen3",
            self.place()
        );
        LlmError::new(LlmErrorKind::ClientError, message)
    }

    fn model(&self) -> ModelSpec {
        let model = ModelIden::new(self.target.adapter, self.target.model.as_str());
        match &self.target.place {
            Place::Provider { .. } => model.into(),
            Place::Server { url, key, .. } => {
                let bearer = key.iter().map(|key| ("Authorization".to_owned(), format!("Bearer {key}")));
                let headers = Headers::from(bearer.collect::<Vec<_>>());
                let auth = AuthData::RequestOverride { url: url.to_string(), headers };
                ServiceTarget { endpoint: Endpoint::from_owned(url.as_str()), auth, model }.into()
            }
        }
    }

    fn explain(&self, error: genai::Error) -> LlmError {
        let told = failure::explain(error, &self.place());
        match (&self.target.place, told.status) {
            // An error that does not mention a model is nearly always about the address.
            (Place::Server { url, .. }, Some(404 | 405)) if !told.message.to_lowercase().contains("model") => {
                let address = format!("{}{}", url.origin().ascii_serialization(), url.path());
                let message = format!(
                    "{}; the request went to {address}: is this a chat API? Most addresses end in /v1",
                    told.message
                );
                LlmError { message, ..told }
            }
            _ => told,
        }
    }

    /// Where the model is, without anything secret that a URL may carry.
    fn place(&self) -> String {
        match &self.target.place {
            Place::Provider { base: None, .. } => self.target.adapter.to_string(),
            Place::Provider { base: Some(url), .. } | Place::Server { url, .. } => {
                let base = url.path().strip_suffix(CHAT_PATH).unwrap_or(url.path()).trim_end_matches('/');
                format!("{}{base}", url.origin().ascii_serialization())
            }
        }
    }
}

/// Bytes of what a reply holds; arguments of calls count as if written as text.
fn length(reply: &Reply) -> usize {
    let calls =
        reply.tool_calls.iter().map(|call| call.id.len() + call.name.len() + call.args.as_str().map_or(0, str::len));
    reply.content.len() + reply.reasoning.as_ref().map_or(0, String::len) + calls.sum::<usize>()
}

fn tell(chunks: &mut dyn ChunkSink, text: &str) {
    if !text.is_empty() {
        chunks.chunk(text);
    }
}

impl Llm for Provider {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(self.call(request, chunks))
    }

    fn name(&self) -> &str {
        &self.name
    }
}
