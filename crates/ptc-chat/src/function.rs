//! Closures as models.

use crate::{BoxFuture, ChunkSink, Llm, LlmError, Reply, Request};

/// A model that calls `answer`.
///
/// ```
/// use ptc_chat::{Llm, Request, llm_fn};
///
/// let llm = llm_fn("parrot", |request: &Request| Ok((&*request.system).into()));
/// let request = Request { system: "Hi".into(), ..Request::default() };
/// assert_eq!(futures::executor::block_on(llm.reply(&request, None))?.content, "Hi");
/// # Ok::<(), ptc_chat::LlmError>(())
/// ```
pub fn llm_fn<F>(name: impl Into<String>, answer: F) -> FunctionLlm
where
    F: Fn(&Request) -> Result<Reply, LlmError> + Send + Sync + 'static,
{
    FunctionLlm {
        name: name.into(),
        answer: Box::new(move |request| {
            let answered = answer(request);
            Box::pin(async move { answered })
        }),
    }
}

/// A model that awaits what `answer` returns for a copy of the request.
pub fn llm_async_fn<F, A>(name: impl Into<String>, answer: F) -> FunctionLlm
where
    F: Fn(Request) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Reply, LlmError>> + Send + 'static,
{
    FunctionLlm { name: name.into(), answer: Box::new(move |request| Box::pin(answer(request.clone()))) }
}

type Answer = dyn Fn(&Request) -> BoxFuture<'static, Result<Reply, LlmError>> + Send + Sync;

/// A closure as a model; made by [`llm_fn`] and [`llm_async_fn`].
pub struct FunctionLlm {
    name: String,
    answer: Box<Answer>,
}

impl Llm for FunctionLlm {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let reply = (self.answer)(request).await?;
            if let Some(chunks) = chunks {
                chunks.chunk(&reply.content);
            }
            Ok(reply)
        })
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl std::fmt::Debug for FunctionLlm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FunctionLlm").field("name", &self.name).finish_non_exhaustive()
    }
}
