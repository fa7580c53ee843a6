//! A model that fails.

use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request, StopReason, Tokens, ToolUse};
use serde_json::json;

use super::{Fault, Faults, panic_now};

pub(super) struct FaultyLlm {
    pub llm: Arc<dyn Llm>,
    pub faults: Faults,
}

impl Llm for FaultyLlm {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(self.failing(request, chunks))
    }

    fn name(&self) -> &str {
        self.llm.name()
    }
}

impl FaultyLlm {
    async fn failing<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> Result<Reply, LlmError> {
        let error = |kind| Err(LlmError::new(kind, "by the seed"));
        let status = |status| LlmError::from_status(status, "by the seed");
        let fault = self.faults.draw(Fault::OF_MODELS);
        match fault {
            Some(Fault::NoReply) => std::future::pending().await,
            Some(Fault::ReplyTimeout) => {
                tokio::time::sleep(self.faults.time(60_000)).await;
                return error(LlmErrorKind::Timeout);
            }
            Some(Fault::RateLimit) => return Err(status(429)),
            Some(Fault::RetryAfter) => return Err(status(429).with_retry_after(self.faults.time(600_000))),
            Some(Fault::ServerError) => return Err(status(500)),
            Some(Fault::Unreachable) => return error(LlmErrorKind::Unreachable),
            Some(Fault::ModelPanic) => panic_now(),
            Some(Fault::LateReply) => tokio::time::sleep(self.faults.time(5_000)).await,
            _ => {}
        }
        if fault == Some(Fault::BrokenStream) {
            let reply = self.llm.reply(request, None).await?;
            if let Some(chunks) = chunks {
                chunks.chunk(half(&reply.content));
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
            return error(LlmErrorKind::Unreachable);
        }
        // Its text changes below: so none of it is streamed.
        let is_whole = matches!(fault, None | Some(Fault::LateReply | Fault::AbsurdTokens));
        let reply = self.llm.reply(request, chunks.filter(|_| is_whole)).await?;
        Ok(match fault {
            Some(fault) => spoiled(reply, fault),
            None => reply,
        })
    }
}

fn spoiled(reply: Reply, fault: Fault) -> Reply {
    let program = half(&reply.content).to_owned();
    let content = match fault {
        Fault::Refusal => return Reply { stop: StopReason::Refusal, content: "No.".to_owned(), ..reply },
        Fault::CutReply => {
            return Reply { stop: StopReason::Length, content: program, tool_calls: Vec::new(), ..reply };
        }
        Fault::WrongCalls => {
            return Reply { tool_calls: vec![ToolUse::new("c", "nope", json!("{\"id\":"))], ..reply };
        }
        Fault::AbsurdTokens => {
            let tokens = Tokens { input: u64::MAX, output: u64::MAX, cached: u64::MAX, cache_write: u64::MAX };
            return Reply { tokens: Some(tokens), ..reply };
        }
        Fault::NoProgram => "Let me think about it.".to_owned(),
        Fault::HalfFence => format!("Here it is:\n```clojure\n{program}"),
        Fault::TwoPrograms => "```clojure\n(def one 1)\n```\nor\n```clojure\n(def two 2)\n```".to_owned(),
        Fault::EmptyReply => " \n".to_owned(),
        Fault::LoneSurrogate => r#"(println "\ud800" (str "a\udc00b")) (count "\ud83d")"#.to_owned(),
        _ => return reply,
    };
    Reply { content, tool_calls: Vec::new(), ..reply }
}

fn half(text: &str) -> &str {
    let mut end = text.len() / 2;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
