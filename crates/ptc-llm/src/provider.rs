//! A model of a provider or server.

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
}

impl Provider {
    pub(crate) fn new(spec: &str, target: Target, client: Client) -> Self {
        let secrets = target.secrets();
        Provider { name: shown_addresses(spec.trim()), target, client, secrets }
    }

    async fn call(&self, request: &Request, chunks: Option<&mut dyn ChunkSink>) -> Result<Reply, LlmError> {
        if request.grammar.is_some() && self.target.row().grammar == Grammar::Never {
            return Err(self.takes_no_grammar());
        }
        let chat = ask::chat_request(request, &self.target);
        let options = ask::chat_options(request, &self.target);
        let reply = match chunks {
            Some(chunks) => self.stream(chat, options, chunks).await,
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
            Err(error) => answer::salvaged(&error).ok_or_else(|| self.explain(error)),
        }
    }

    async fn stream(
        &self,
        chat: ChatRequest,
        options: ChatOptions,
        chunks: &mut dyn ChunkSink,
    ) -> Result<Reply, LlmError> {
        let frames = Frames::default();
        let options = frames.listen(options, self.target.row().chat_completions);
        let response = self.client.exec_chat_stream(self.model(), chat, Some(&options)).await;
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
            let event = event.map_err(|error| self.explain(error))?;
            if length.saturating_add(frames.length()) > MAX_REPLY {
                return Err(self.too_long());
            }
            match event {
                ChatStreamEvent::Chunk(chunk) => {
                    length += chunk.content.len();
                    tell(chunks, &thoughts.push(&chunk.content));
                }
                ChatStreamEvent::ReasoningChunk(chunk) | ChatStreamEvent::ThoughtSignatureChunk(chunk) => {
                    length += chunk.content.len();
                }
                ChatStreamEvent::End(end) => {
                    tell(chunks, &thoughts.finish().answer);
                    return Ok(frames.or_refusal(answer::from_stream(end, frames.calls(), &self.target)));
                }
                _ => {}
            }
        }
        if is_too_long() {
            return Err(self.too_long());
        }
        Err(failure::broken("it broke off before its end", &self.place()))
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
