//! A run as a stream of what happens in it.

use std::sync::Arc;
use std::task::Poll;

use futures::channel::mpsc;
use futures::stream::{self, Stream, StreamExt};
use ptc_chat::Llm;
use ptc_transcript::{Event, Step};

use super::options::RunOptions;
use super::{Beginning, Opening};
use crate::agent::Agent;
use crate::context::IntoData;
use crate::error::AgentError;

/// What comes next of a run.
#[derive(Debug)]
pub enum Streamed {
    /// Something happened in it.
    Event(Box<Event>),
    /// It is over: the last item.
    End(Box<Result<Step, AgentError>>),
}

impl Agent {
    /// [`Agent::run`] as a stream of its events; the result comes last.
    ///
    /// The run advances only while its stream is read, and ends unfinished when the stream is dropped: cancel it to keep
    /// what it did. An [`Observer`](ptc_transcript::Observer) is a callback: with one, the run waits for no reader.
    ///
    /// ```
    /// use futures::StreamExt;
    /// use ptc_agent::{Agent, Streamed};
    /// use ptc_chat::ScriptedLlm;
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// let agent = Agent::builder("Add one and two.").build()?;
    /// let llm = ScriptedLlm::replies(["(return (+ 1 2))"]);
    /// let mut run = agent.stream(&llm, ());
    /// let mut happened = Vec::new();
    /// while let Some(next) = run.next().await {
    ///     match next {
    ///         Streamed::Event(event) => happened.push(event.kind.name()),
    ///         Streamed::End(result) => assert_eq!((*result)?.value::<u32>().unwrap(), 3),
    ///     }
    /// }
    /// assert_eq!(happened, ["run.start", "turn.start", "llm.start", "llm.stop", "turn.stop", "run.stop"]);
    /// # Ok::<(), ptc_agent::AgentError>(()) }).unwrap();
    /// ```
    pub fn stream<'a>(
        &'a self,
        llm: &'a dyn Llm,
        context: impl IntoData,
    ) -> impl Stream<Item = Streamed> + Send + Unpin + 'a {
        let context = context.into_context();
        let opening = Opening::Mission;
        streamed(RunOptions::default(), move |options| async move {
            Beginning { agent: self, context: context?, llm, options, opening }.run().await
        })
    }

    /// [`Agent::run_with`] as a stream of its events; the observers of the options hear them as well.
    pub fn stream_with<'a>(
        &'a self,
        context: impl IntoData,
        options: RunOptions,
    ) -> impl Stream<Item = Streamed> + Send + Unpin + 'a {
        let context = context.into_context();
        streamed(options, move |options| async move { self.run_with(context?, options).await })
    }
}

/// The events of this run, then its result.
fn streamed<R>(
    mut options: RunOptions,
    run: impl FnOnce(RunOptions) -> R,
) -> impl Stream<Item = Streamed> + Send + Unpin
where
    R: Future<Output = Result<Step, AgentError>> + Send,
{
    let (sender, mut events) = mpsc::unbounded();
    // The receiver is gone only when the run is.
    options.observers.push(Arc::new(move |event: &Event| drop(sender.unbounded_send(event.clone()))));
    let mut run = Some(Box::pin(run(options)));
    let mut end = None;
    stream::poll_fn(move |context| {
        loop {
            if let Poll::Ready(Some(event)) = events.poll_next_unpin(context) {
                return Poll::Ready(Some(Streamed::Event(Box::new(event))));
            }
            let Some(running) = &mut run else {
                return Poll::Ready(end.take().map(|result| Streamed::End(Box::new(result))));
            };
            match running.as_mut().poll(context) {
                Poll::Ready(result) => (run, end) = (None, Some(result)),
                // What happened meanwhile has woken this task.
                Poll::Pending => return Poll::Pending,
            }
        }
    })
}
