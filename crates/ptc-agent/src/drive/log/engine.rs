//! The log of a run under a durable engine: the engine keeps each step, and its times are those of the run. A journal is
//! then written of what it keeps.

use std::sync::Arc;
use std::time::Duration;

use futures::channel::oneshot;
use futures::future::{Either, select};
use ptc_chat::{LlmError, Reply, Request};
use ptc_lisp::{Clock, ToolError, ToolResult, ToolSpec};
use ptc_transcript::{
    Answer, CallEnd, Decision, EndingKind, Fail, FailKind, FailReason, JournalError, JournalHeader, JournalRecord,
    ReplyRecord, Spent, Step, fingerprint,
};
use serde_json::Value as Json;

use super::super::settings::without_texts;
use super::repeat::same_call;
use super::{Log, UNDECIDED, UNKNOWN, changed_settings, started};
use crate::approval::{Approval, PendingCall};
use crate::engine::{Done, Engine, Start};
use crate::machine::Input;

/// The engine of a run.
pub(super) struct EngineHandle {
    pub engine: Arc<dyn Engine>,
    /// When this run started, by the record: microseconds since 1970.
    pub began: i64,
}

/// An answer of a model.
pub(crate) struct EngineReply {
    pub reply: Result<Reply, LlmError>,
    /// It was asked just now.
    pub is_new: bool,
}

impl Log<'_> {
    /// Whether an engine keeps the steps, so that no clock of this process may decide anything.
    pub fn has_engine(&self) -> bool {
        self.engine.is_some()
    }

    fn engine(&self) -> Option<&dyn Engine> {
        self.engine.as_ref().map(|engined| engined.engine.as_ref())
    }

    /// Time since the run started, if an engine keeps it.
    pub(super) fn recorded_time(&self) -> Option<Duration> {
        let began = self.engine.as_ref()?.began;
        let now = self.clock.as_ref().map_or(began, |clock| clock.now_micros());
        Some(Duration::from_micros(u64::try_from(now.saturating_sub(began)).unwrap_or(0)))
    }

    /// The time that a new record gets. The clock of programs moves when the run learns of the record.
    fn stamp(&self) -> (u64, i64) {
        let clock = self.clock.as_ref().map_or(0, |clock| clock.peek());
        let began = self.engine.as_ref().map_or(clock, |engined| engined.began);
        (u64::try_from(clock.saturating_sub(began)).unwrap_or(0), clock)
    }

    /// Nothing is started once the run, or one that it calls, has diverged from its record.
    fn still_fits(&self) -> Result<(), JournalError> {
        self.top().state().broken.clone().map_or(Ok(()), Err)
    }

    /// The run diverges: neither it nor the runs above continue.
    pub fn diverged(&self, error: JournalError) -> Input {
        let text = error.to_string();
        self.top().state().broken.get_or_insert(error);
        Input::Diverged(text)
    }

    /// What is on record was done by a run that differs from this one. The run replays the record to its end, so that
    /// the step shows what was done, and does nothing beyond it.
    fn differ(&self, error: JournalError) {
        self.top().state().differs.get_or_insert(error);
    }

    fn difference(&self) -> Option<JournalError> {
        self.top().state().differs.clone()
    }

    /// The step of a finished run; it has no answer when its contents were done by a run that differs.
    pub fn judged(&self, mut step: Box<Step>) -> Box<Step> {
        if let Some(difference) = self.difference().filter(|_| step.is_ok()) {
            step.ending = EndingKind::Error;
            step.result = Err(Fail::new(FailKind::Config, FailReason::JournalError, difference.to_string()));
        }
        step
    }

    async fn step<'a>(
        &'a self,
        engine: &'a dyn Engine,
        name: String,
        work: impl Future<Output = JournalRecord> + Send + 'a,
    ) -> Result<Done, JournalError> {
        self.still_fits()?;
        let (refuse, refused) = oneshot::channel();
        let work = async {
            if let Some(difference) = self.difference() {
                let _ = refuse.send(difference);
                return std::future::pending().await;
            }
            work.await
        };
        match select(engine.step(name, Box::pin(work)), refused).await {
            Either::Left((done, _)) => done,
            Either::Right((Ok(difference), _)) => Err(difference),
            // It is done or on record.
            Either::Right((Err(_), step)) => step.await,
        }
    }

    /// Put the header on record, or compare it with the recorded one; nothing to do for runs that an engine knows.
    pub async fn begin_engine(&self, header: Option<JournalHeader>) -> Result<(), JournalError> {
        let (Some(engine), Some(header)) = (self.engine(), header) else { return Ok(()) };
        // The data is on record already, and texts are distinguished by their fingerprints.
        let header =
            JournalHeader { data: Json::Null, tools: Vec::new(), settings: without_texts(header.settings)?, ..header };
        let made = Box::new(header.clone());
        let done = self.step(engine, format!("{}/0", self.run), async { JournalRecord::Header(made) }).await?;
        let JournalRecord::Header(recorded) = done.record else { return Err(other_record("the header")) };
        if let Err(difference) = recorded.allows(&header) {
            self.differ(difference);
        }
        self.state().changed = changed_settings(&recorded, &header);
        Ok(())
    }

    /// Wait before a request is repeated.
    pub async fn pause(&self, request: &Request, delay: Duration) -> Result<(), JournalError> {
        match self.engine() {
            None => tokio::time::sleep(delay).await,
            Some(engine) => {
                self.still_fits()?;
                engine.sleep(format!("{}/{}/wait/{}", self.run, request.turn, request.attempt), delay).await?;
            }
        }
        Ok(())
    }

    /// The answer to a request that is not in our own journal.
    pub async fn asked(
        &self,
        model: &str,
        request: &Request,
        ask: impl Future<Output = Result<Reply, LlmError>> + Send,
    ) -> Result<EngineReply, JournalError> {
        let Some(engine) = self.engine() else {
            self.asking(model, request)?;
            let reply = ask.await;
            self.replied(request, &reply)?;
            return Ok(EngineReply { reply, is_new: true });
        };
        // Runs without an engine do not reserve space for it.
        Box::pin(self.asked_there(engine, model, request, ask)).await
    }

    async fn asked_there(
        &self,
        engine: &dyn Engine,
        model: &str,
        request: &Request,
        ask: impl Future<Output = Result<Reply, LlmError>> + Send,
    ) -> Result<EngineReply, JournalError> {
        let (turn, attempt, found) = (request.turn, request.attempt, fingerprint(request)?);
        let work = async {
            let reply = ask.await;
            let (at_us, clock) = self.stamp();
            let answer = Answer::from(&reply);
            JournalRecord::Reply(ReplyRecord { turn, attempt, request: found.clone(), answer, at_us, clock })
        };
        self.still_fits()?;
        engine.admit(model, request).await?;
        self.asking(model, request)?;
        let name = format!("{}/{turn}/ask/{attempt}", self.run);
        let done = self.step(engine, name, work).await?;
        let JournalRecord::Reply(record) = done.record else { return Err(other_record("an answer of the model")) };
        if record.request != found {
            let changed = self.changed();
            let recorded = record.request.clone();
            self.differ(JournalError::OtherRequest { turn, recorded, found, changed });
        }
        self.go_on(record.at(), record.clock);
        let reply = record.answer.to_result();
        self.replied(request, &reply)?;
        if let Ok(reply) = &reply {
            engine.used(model, request, reply);
        }
        Ok(EngineReply { reply, is_new: done.is_new })
    }

    /// The result of a call: `make` it unless the result is on record. When another process started it and it may not
    /// be repeated, its outcome is unknown. What an agent called here does is on record step by step.
    pub async fn call(
        &self,
        pending: &PendingCall,
        tool: &ToolSpec,
        is_agent: bool,
        make: impl Future<Output = (ToolResult, Spent)> + Send,
    ) -> Result<ToolResult, JournalError> {
        self.calling(pending, tool, is_agent)?;
        let Some(engine) = self.engine().filter(|_| !is_agent) else {
            let (result, spent) = make.await;
            self.still_fits()?;
            return self.called(pending, result, spent);
        };
        let start = started(pending);
        let about = fingerprint(&start)?;
        let mut is_lost = false;
        if !tool.is_repeatable() {
            let made = start.clone();
            let work = async { JournalRecord::CallStart(made) };
            let begun = self.step(engine, format!("{}/start", pending.id), work).await?;
            let JournalRecord::CallStart(recorded) = begun.record else { return Err(other_record("a call")) };
            same_call(&recorded, &start)?;
            is_lost = !begun.is_new;
        }
        let work = async {
            let (result, spent) = match is_lost {
                true => (Err(ToolError::new(UNKNOWN).may_have_run(true)), Spent::default()),
                false => make.await,
            };
            let mut end = CallEnd::new(&pending.id, &result, spent, self.stamp());
            end.about = Some(about.clone());
            JournalRecord::CallEnd(end)
        };
        let done = self.step(engine, format!("{} {}", pending.id, pending.call.name), work).await?;
        let JournalRecord::CallEnd(end) = done.record else { return Err(other_record("the end of a call")) };
        if end.about.as_ref() != Some(&about) {
            let recorded = format!("arguments with the fingerprint {}", end.about.unwrap_or_default());
            let found = format!("{} {}, fingerprint {about}", start.tool, start.args);
            return Err(JournalError::OtherCall { id: pending.id.clone(), recorded, found });
        }
        self.go_on(end.at(), end.clock);
        self.called(pending, end.to_result()?, end.spent)
    }

    /// Decisions about what waits, which the engine asks for; items without a decision are denied.
    pub async fn decided_there(
        &self,
        waiting: &Approval,
        time_left: Option<Duration>,
    ) -> Result<Vec<Decision>, JournalError> {
        self.still_fits()?;
        let asked = self.at_us();
        self.state().asked = Some(asked);
        let mut decisions = Vec::new();
        if let (Some(engine), Some(clock)) = (self.engine(), &self.clock) {
            let left = time_left.and_then(|left| i64::try_from(left.as_micros()).ok());
            let until = left.map(|left| clock.now_micros().saturating_add(left));
            let (decided, at) = engine.decide(waiting, until).await?;
            self.go_on(Duration::ZERO, at);
            decisions = decided;
        }
        decisions.resize(waiting.ids().len(), Decision::deny(UNDECIDED));
        self.deciding(waiting, decisions)
    }

    /// Whether the run may compute with what happened, in this turn.
    pub async fn starting(&self, turn: usize) -> Result<Start, JournalError> {
        let Some(engine) = self.engine() else { return Ok(Start::Go(None)) };
        self.still_fits()?;
        let number = {
            let mut state = self.state();
            state.starts += 1;
            state.starts
        };
        engine.starting(format!("{}/{turn}/from/{number}", self.run)).await
    }

    /// Let other tasks run between two slices of a program.
    pub async fn rest(&self) {
        match self.engine() {
            Some(engine) => engine.rest().await,
            None => tokio::task::yield_now().await,
        }
    }
}

fn other_record(wanted: &str) -> JournalError {
    JournalError::OtherStep(format!("{wanted} was expected, and something else is recorded under its name"))
}
