//! What a run reported to its observers, from its journal.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{LlmError, LlmErrorKind, Reply, Request};
use serde::Deserialize;
use serde_json::Value as Json;

use super::recorded::each_line;
use super::{
    CallEnd, CallStart, DecisionsRecord, EndRecord, JournalError, JournalHeader, JournalRecord, ReplyRecord,
    RequestRecord, TurnRecord,
};
use crate::event::{AgentSummary, Event, EventKind, SpanId};
use crate::fail::FailReason;
use crate::json::{ReadTurns, value_of};

/// The events of the run of a journal and of the agents that it called, as observers received them, each with its time:
/// microseconds since 1970.
///
/// Pieces of answers are not on record. Times between a crash and its resume are left out. Errors
/// like [`Recorded::read`](super::Recorded::read), and for journals of version 1, which have no events.
pub fn journal_events(bytes: &[u8], each: &mut dyn FnMut(i64, &Event)) -> Result<(), JournalError> {
    let mut events = Events { each, began: 0, next: 1, runs: HashMap::new() };
    each_line(bytes, &mut |_, below, record| events.take(below, record)).map(drop)
}

struct Events<'a> {
    each: &'a mut dyn FnMut(i64, &Event),
    /// When the run started that is not below another one.
    began: i64,
    next: u32,
    /// By the calls that they answer; `None` is the run that was started.
    runs: HashMap<Option<String>, OpenRun>,
}

/// A run that has not ended.
struct OpenRun {
    id: Arc<str>,
    agent: Option<Arc<str>>,
    span: SpanId,
    parent: Option<SpanId>,
    since: u64,
    /// What was sent last.
    sent: Option<Request>,
    turn: Option<(SpanId, usize, u64)>,
    request: Option<(SpanId, String, u64)>,
    calls: HashMap<String, (SpanId, Arc<str>, u64)>,
    read: ReadTurns,
    answer: Option<Reply>,
    /// The time of the last record.
    at: u64,
}

fn micros(from: u64, to: u64) -> Duration {
    Duration::from_micros(to.saturating_sub(from))
}

fn wrong(problem: impl ToString) -> JournalError {
    JournalError::Value(problem.to_string())
}

impl Events<'_> {
    fn span(&mut self) -> SpanId {
        self.next += 1;
        SpanId(self.next - 1)
    }

    fn tell(&mut self, run: &OpenRun, span: SpanId, parent: Option<SpanId>, at: u64, kind: EventKind) {
        let event = Event { run: Arc::clone(&run.id), agent: run.agent.clone(), span, parent, kind };
        (self.each)(self.began.saturating_add(i64::try_from(at).unwrap_or(i64::MAX)), &event);
    }

    /// Inside the open turn, if there is one.
    fn tell_inside(&mut self, run: &OpenRun, span: SpanId, at: u64, kind: EventKind) {
        let parent = run.turn.as_ref().map_or(run.span, |(turn, ..)| *turn);
        self.tell(run, span, Some(parent), at, kind);
    }

    fn take(&mut self, below: Option<String>, record: JournalRecord) -> Result<(), JournalError> {
        if let JournalRecord::Header(header) = record {
            return self.begin(below, &header);
        }
        let below = match &record {
            JournalRecord::Approval(decided) => self.run_of(decided),
            _ => below,
        };
        let Some(mut run) = self.runs.remove(&below) else { return Ok(()) };
        match record {
            JournalRecord::Request(request) => self.ask(&mut run, &request)?,
            JournalRecord::Reply(reply) => self.replied(&mut run, &reply),
            JournalRecord::Approval(decided) => self.decided(&mut run, &decided)?,
            JournalRecord::CallStart(start) => self.call(&mut run, &start)?,
            JournalRecord::CallNotice(told) => {
                if let Some((span, tool_name, _)) = run.calls.get(&told.id) {
                    let (span, tool_name) = (*span, Arc::clone(tool_name));
                    let notice = told.notice.to_notice();
                    self.tell_inside(&run, span, told.at_us, EventKind::ToolNotice { tool_name, notice });
                }
            }
            JournalRecord::CallEnd(end) => self.called(&mut run, &end)?,
            JournalRecord::Turn(turn) => self.turn(&mut run, &turn)?,
            JournalRecord::Resumed {} => {
                run.sent = None;
                run.read = std::mem::take(&mut run.read).emptied();
            }
            JournalRecord::End(end) => self.end(&mut run, &end)?,
            _ => {}
        }
        self.runs.insert(below, run);
        Ok(())
    }

    /// The run that waited for these decisions, whose ids begin with its own.
    fn run_of(&self, decided: &DecisionsRecord) -> Option<String> {
        let id = decided.ids.first()?;
        let places = id.match_indices('/').map(|(place, _)| place).rev();
        let mut runs = places.filter_map(|end| id.get(..end)).map(|run| Some(run.to_owned()));
        runs.find(|run| self.runs.contains_key(run)).flatten()
    }

    fn begin(&mut self, below: Option<String>, header: &JournalHeader) -> Result<(), JournalError> {
        let call = below.as_ref().and_then(|call| {
            let above = call.rsplitn(3, '/').nth(2)?;
            let run = self.runs.get(&Some(above.to_owned())).or_else(|| self.runs.get(&None))?;
            run.calls.get(call)
        });
        let (parent, since) = call.map_or((None, 0), |(span, _, at)| (Some(*span), *at));
        if below.is_none() {
            self.began = header.clock;
        }
        let run = OpenRun {
            id: header.run.as_str().into(),
            agent: header.agent.as_deref().map(Arc::from),
            span: self.span(),
            parent,
            since,
            sent: None,
            turn: None,
            request: None,
            calls: HashMap::new(),
            read: ReadTurns::default(),
            answer: None,
            at: since,
        };
        let context = value_of(&header.data).map_err(wrong)?;
        let agent = Arc::new(summary(header));
        self.tell(&run, run.span, parent, since, EventKind::RunStart { agent, context });
        self.runs.insert(below, run);
        Ok(())
    }

    fn ask(&mut self, run: &mut OpenRun, record: &RequestRecord) -> Result<(), JournalError> {
        let request = record.after(run.sent.as_ref()).map_err(wrong)?;
        let (turn, at) = (record.turn as usize, record.at_us);
        run.at = at;
        if run.turn.is_none() {
            let span = self.span();
            run.turn = Some((span, turn, at));
            let (kind, tools_count) = (record.kind, request.tool_names.len());
            self.tell(run, span, Some(run.span), at, EventKind::TurnStart { turn, kind, tools_count });
        }
        let span = self.span();
        run.request = Some((span, record.model.clone(), at));
        let kind = EventKind::LlmStart {
            turn,
            attempt: record.attempt as usize,
            messages: Arc::new(request.messages.clone()),
            system: (turn == 1).then(|| Arc::clone(&request.system)),
            model: record.model.clone(),
        };
        self.tell_inside(run, span, at, kind);
        run.sent = Some(request);
        Ok(())
    }

    fn replied(&mut self, run: &mut OpenRun, record: &ReplyRecord) {
        run.at = record.at_us;
        let Some((span, model, since)) = run.request.take() else { return };
        run.answer = record.answer.as_reply().cloned();
        let answer = record.answer.to_result();
        let kind = EventKind::LlmStop {
            duration: micros(since, record.at_us),
            turn: record.turn as usize,
            model,
            is_new: true,
            tokens: answer.as_ref().ok().and_then(|reply| reply.tokens),
            response: answer.map(|reply| reply.content),
        };
        self.tell_inside(run, span, record.at_us, kind);
    }

    fn decided(&mut self, run: &mut OpenRun, record: &DecisionsRecord) -> Result<(), JournalError> {
        let decisions = record.decisions.iter().map(super::Decided::to_decision).collect::<Result<Vec<_>, _>>()?;
        let (span, since) = (self.span(), record.asked_us.unwrap_or(run.at));
        run.at = record.at_us;
        let (ids, tools) = (record.ids.clone(), record.tools.iter().map(|tool| tool.as_str().into()).collect());
        self.tell_inside(run, span, since, EventKind::ApprovalStart { ids: ids.clone(), tools });
        let decisions = ids.into_iter().zip(decisions).collect();
        let duration = micros(since, record.at_us);
        self.tell_inside(run, span, record.at_us, EventKind::ApprovalStop { duration, decisions });
        Ok(())
    }

    fn call(&mut self, run: &mut OpenRun, start: &CallStart) -> Result<(), JournalError> {
        let (span, at) = (self.span(), start.at_us.unwrap_or(run.at));
        run.at = at;
        let tool_name: Arc<str> = start.tool.as_str().into();
        run.calls.insert(start.id.clone(), (span, Arc::clone(&tool_name), at));
        let args = value_of(&start.args).map_err(wrong)?;
        self.tell_inside(run, span, at, EventKind::ToolStart { tool_name, args });
        Ok(())
    }

    fn called(&mut self, run: &mut OpenRun, end: &CallEnd) -> Result<(), JournalError> {
        run.at = end.at_us;
        let Some((span, tool_name, since)) = run.calls.remove(&end.id) else { return Ok(()) };
        let (duration, is_new) = (micros(since, end.at_us), true);
        let kind = match end.to_result()? {
            Ok(result) => EventKind::ToolStop { duration, tool_name, is_new, result },
            Err(failure) => EventKind::ToolException { duration, tool_name, is_new, reason: failure.message },
        };
        self.tell_inside(run, span, end.at_us, kind);
        Ok(())
    }

    fn turn(&mut self, run: &mut OpenRun, record: &TurnRecord) -> Result<(), JournalError> {
        let turn = record.read(&mut run.read, (run.sent.as_ref(), run.answer.as_ref()))?;
        let Some((span, number, since)) = run.turn.take() else { return Ok(()) };
        let at = turn.as_ref().map_or(run.at, |turn| {
            since.saturating_add(u64::try_from(turn.duration().as_micros()).unwrap_or(u64::MAX)).max(run.at)
        });
        run.at = at;
        let kind = EventKind::TurnStop { duration: micros(since, at), turn: number, record: turn };
        self.tell(run, span, Some(run.span), at, kind);
        Ok(())
    }

    fn end(&mut self, run: &mut OpenRun, end: &EndRecord) -> Result<(), JournalError> {
        let step = Arc::new(end.to_step(run.sent.as_ref())?);
        // A recording that ran out of answers: the same request may be asked again, so that it has none on record.
        let failed = step.fail().filter(|fail| fail.reason == FailReason::LlmError);
        if let (Some(fail), Some((span, model, since)), Some((_, turn, _))) = (failed, run.request.take(), run.turn) {
            let response = Err(LlmError::new(LlmErrorKind::Unknown, fail.message.as_str()));
            let duration = micros(since, end.at_us);
            let kind = EventKind::LlmStop { duration, turn, model, is_new: true, tokens: None, response };
            self.tell_inside(run, span, end.at_us, kind);
        }
        match &end.stopped {
            Some(stopped) => self.turn(run, stopped)?,
            None => {
                if let Some((span, turn, since)) = run.turn.take() {
                    let duration = micros(since, end.at_us);
                    self.tell(
                        run,
                        span,
                        Some(run.span),
                        end.at_us,
                        EventKind::TurnStop { duration, turn, record: None },
                    );
                }
            }
        }
        let duration = micros(run.since, end.at_us);
        self.tell(run, run.span, run.parent, end.at_us, EventKind::RunStop { duration, step });
        Ok(())
    }
}

/// The agent, as far as its header says.
fn summary(header: &JournalHeader) -> AgentSummary {
    let setting = |name: &str| header.settings.get(name).unwrap_or(&Json::Null);
    AgentSummary {
        name: header.agent.clone(),
        description: setting("description").as_str().map(str::to_owned),
        output: Deserialize::deserialize(setting("output")).unwrap_or_default(),
        max_turns: header.max_turns,
        tool_names: header.tools.iter().map(|tool| tool.name.clone()).collect(),
    }
}
