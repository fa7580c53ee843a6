//! A running program, and those who wait for it.

use std::fmt;
use std::sync::{Arc, Weak};

use ptc_lisp::ToolNotice;
use ptc_transcript::{Event, EventKind};
use serde_json::Value as Json;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::ask::{Answer, Asker, Question};
use crate::desk::Desk;
use crate::gateway::refused;
use crate::report::{Budget, put, within};
use crate::session::Session;
use crate::store::StoredResult;

/// Characters of a program that identify it in its answer.
const MAX_PROGRAM: usize = 120;

/// The state of a program.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Phase {
    /// It works, or waits for tools.
    Works,
    /// It waits for a decision.
    Asks(Arc<Question>),
    /// It ended.
    Ended(Arc<ProgramResult>),
}

/// What a client reads about an ended program.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProgramResult {
    /// Within the bounds of the gateway.
    pub report: Json,
    /// Whether the program has a value.
    pub is_ok: bool,
    /// Whether it is stored: it can be asked for again, and must be reported until it has been read.
    pub is_kept: bool,
}

impl ProgramResult {
    /// For a program whose end is unknown: the gateway is at fault.
    pub(crate) fn broken(session: &str) -> ProgramResult {
        let text = "the gateway failed; call run_program with `session` alone to continue the program";
        ProgramResult { report: refused(session, "gateway", text).0, is_ok: false, is_kept: false }
    }
}

/// The calls of a program so far.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Made {
    /// Calls that started.
    pub begun: u64,
    /// Calls that ended.
    pub ended: u64,
    /// The maximum number, if known.
    pub limit: Option<u64>,
    /// The tool of the last change.
    pub tool: String,
    /// What its server last said about a call that is being made.
    pub news: Option<CallNews>,
}

/// What a server says about a call that is being made.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct CallNews {
    /// The part of it that is done, from 0 to 1, if the server says so.
    pub share: f64,
    /// Its words.
    pub message: Option<String>,
}

impl Made {
    /// Note what happens; whether it is about calls.
    fn take(&mut self, kind: &EventKind) -> bool {
        let tool = match kind {
            EventKind::ToolStart { tool_name, .. } => {
                self.begun += 1;
                tool_name
            }
            EventKind::ToolNotice { tool_name, notice: ToolNotice::Progress { done, total, message }, .. } => {
                let share = total.filter(|total| *total > 0.0).map_or(0.0, |total| (done / total).clamp(0.0, 0.99));
                self.news = Some(CallNews { share, message: message.clone() });
                tool_name
            }
            EventKind::ToolStop { tool_name, .. } | EventKind::ToolException { tool_name, .. } => {
                self.ended += 1;
                self.news = None;
                tool_name
            }
            _ => return false,
        };
        self.tool = tool.to_string();
        true
    }

    /// The calls as a line for people.
    #[must_use]
    pub fn line(&self) -> String {
        let Made { begun, ended, tool, news, .. } = self;
        let message = news.as_ref().and_then(|news| news.message.as_ref());
        let message = message.map(|message| format!(": {message}")).unwrap_or_default();
        format!("tool/{tool}{message}: {ended} of {begun} calls ended")
    }

    /// How many calls are done, that of the last news in part, and more than this.
    #[must_use]
    pub fn done_after(&self, told: f64) -> f64 {
        let part = self.news.as_ref().map_or(0.0, |news| news.share);
        (self.ended as f64 + part).max(told + LEAST_PROGRESS)
    }
}

/// What is added to the progress when there are news but nothing more is done: a client expects it to grow.
const LEAST_PROGRESS: f64 = 0.001;

/// A running program. All clones see the same one.
#[derive(Clone)]
pub struct Running {
    pub(crate) session: String,
    /// The number of the program in its session.
    pub(crate) number: u32,
    pub(crate) program: Arc<str>,
    /// Whose it is.
    pub(crate) client: Arc<str>,
    pub(crate) cancel: CancellationToken,
    /// What asks; none for an ended program.
    pub(crate) asker: Weak<Asker>,
    pub(crate) phase: watch::Receiver<Phase>,
    /// Where its servers ask.
    pub(crate) desk: Arc<Desk>,
    pub(crate) made: watch::Receiver<Made>,
}

impl Running {
    /// An ended program, whose answer was kept.
    pub(crate) fn over(session: &Session, kept: &StoredResult, budget: Budget<'_>) -> Running {
        let mut report = kept.report.clone();
        let line = ptc_lisp::text::one_line(&kept.program);
        put(&mut report, "program", Json::from(ptc_lisp::text::shortened(&line, MAX_PROGRAM).to_string()));
        let ended = ProgramResult { report: within(report, budget), is_ok: kept.is_ok, is_kept: true };
        Running {
            session: session.id.clone(),
            number: session.programs,
            program: kept.program.as_str().into(),
            client: Arc::default(),
            cancel: CancellationToken::new(),
            asker: Weak::new(),
            phase: watch::channel(Phase::Ended(Arc::new(ended))).1,
            desk: Arc::new(Desk::new(String::new(), "", Arc::default())),
            made: watch::channel(Made::default()).1,
        }
    }

    /// The handle of its session.
    #[must_use]
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Its current state.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase.borrow().clone()
    }

    /// Wait until it ends or asks.
    pub async fn pause(&mut self) -> Phase {
        match self.phase.wait_for(|phase| !matches!(phase, Phase::Works)).await {
            Ok(phase) => phase.clone(),
            Err(_) => Phase::Ended(Arc::new(ProgramResult::broken(&self.session))),
        }
    }

    /// Wait for the next call that starts, ends or has news. Never returns when there are no more.
    pub async fn next_call(&mut self) -> Made {
        match self.made.changed().await {
            Ok(()) => self.made.borrow_and_update().clone(),
            Err(_) => std::future::pending().await,
        }
    }

    /// Decide the question of this fingerprint, and wait until the decision is taken. A question that is no longer
    /// asked stays as it is.
    pub async fn answer(&mut self, fingerprint: &str, answer: Answer) {
        if self.asker.upgrade().is_some_and(|asker| asker.answer(fingerprint, answer)) {
            self.passes(fingerprint).await;
        }
    }

    /// Wait until the question of this fingerprint is no longer asked.
    pub async fn passes(&mut self, fingerprint: &str) {
        let is_other =
            |phase: &Phase| !matches!(phase, Phase::Asks(question) if question.waiting.fingerprint == fingerprint);
        let _moved = self.phase.wait_for(is_other).await;
    }

    /// Stop it and its calls.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("session", &self.session).field("number", &self.number).finish_non_exhaustive()
    }
}

/// Counts calls for clients that watch.
pub(crate) fn counts(made: watch::Sender<Made>) -> impl Fn(&Event) + Send + Sync {
    move |event| {
        made.send_if_modified(|made| made.take(&event.kind));
    }
}

#[cfg(test)]
mod tests {
    use ptc_lisp::ToolNotice;
    use ptc_transcript::EventKind;

    use super::Made;

    #[test]
    fn news_of_a_call_reach_the_client_as_growing_progress() {
        let (mut made, mut told, mut lines) = (Made::default(), 0.0, Vec::new());
        let start = || EventKind::ToolStart { tool_name: "s-climb".into(), args: ptc_lisp::Value::Nil };
        let news = |done, total, message: Option<&str>| EventKind::ToolNotice {
            tool_name: "s-climb".into(),
            notice: ToolNotice::Progress { done, total, message: message.map(str::to_owned) },
        };
        // Servers report what they like.
        for kind in [
            start(),
            news(1.0, Some(4.0), Some("climbing")),
            start(),
            news(0.0, None, None),
            news(9.0, Some(4.0), Some("on top")),
            news(1.0, Some(0.0), None),
        ] {
            assert!(made.take(&kind));
            let now = made.done_after(told);
            assert!(now > told && now < 1.1, "{now} after {told}");
            told = now;
            lines.push(made.line());
        }
        assert_eq!(lines[1], "tool/s-climb: climbing: 0 of 1 calls ended");
        assert_eq!(lines[3], "tool/s-climb: 0 of 2 calls ended");
    }
}
