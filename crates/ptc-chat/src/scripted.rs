//! A model that returns prepared answers and remembers its requests.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::{BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request};

/// Answers from a list, in order, for every agent.
///
/// Share it as `Arc<ScriptedLlm>` and inspect [`ScriptedLlm::requests`] afterwards. When the list is used up, calls
/// fail with `out_of_answers`.
#[derive(Debug)]
pub struct ScriptedLlm {
    name: String,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    answers: VecDeque<Result<Reply, LlmError>>,
    requests: Vec<Request>,
    used: usize,
}

impl ScriptedLlm {
    /// A model that returns these answers.
    pub fn new(answers: impl IntoIterator<Item = Result<Reply, LlmError>>) -> Self {
        let state = State { answers: answers.into_iter().collect(), ..State::default() };
        ScriptedLlm { name: "scripted".to_owned(), state: Mutex::new(state) }
    }

    /// A model that returns these replies and never fails before they are used up.
    pub fn replies<R: Into<Reply>>(replies: impl IntoIterator<Item = R>) -> Self {
        ScriptedLlm::new(replies.into_iter().map(|reply| Ok(reply.into())))
    }

    /// The same model under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Every request so far, in order of arrival, failed and unanswered ones included.
    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }

    /// How many answers are left.
    pub fn remaining(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).answers.len()
    }

    fn next(&self, request: &Request) -> Result<Reply, LlmError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.requests.push(request.clone());
        let Some(answer) = state.answers.pop_front() else {
            let used = state.used;
            let message = format!("the script has no answer left for turn {}, {used} were used", request.turn);
            return Err(LlmError::new(LlmErrorKind::OutOfAnswers { used }, message));
        };
        state.used += 1;
        answer
    }
}

impl Llm for ScriptedLlm {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let reply = self.next(request)?;
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
