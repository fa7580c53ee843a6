//! A program from its plan to its end.

use std::sync::Arc;

use indexmap::IndexSet;
use ptc_agent::{AgentError, CompiledAgent, Context, RunOptions};
use ptc_transcript::{FailReason, JournalFile, JournalFileError, Recorded, Step, TurnWarning};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::live::Live;
use super::{Gateway, GatewayError, Reached, Refusal, Request, broken, elsewhere, refused};
use crate::ask::{Asker, lock};
use crate::audit::{AuditEnding, AuditEvent, AuditReach, AuditStatus};
use crate::reach::Reach;
use crate::report;
use crate::running::{Made, Phase, ProgramResult, Running, counts};
use crate::session::Session;

/// A program that can start.
pub(super) struct Plan {
    session: Session,
    number: u32,
    program: String,
    live: Arc<Live>,
    reached: Reached,
}

impl Plan {
    /// The same in a session that was created for it.
    pub fn of_session(mut self, id: String) -> Plan {
        self.session.id = id;
        self
    }
}

/// A running program, and what is done when it ends. When this is dropped before, it broke down.
struct Work {
    gateway: Gateway,
    session: Option<Session>,
    asker: Arc<Asker>,
    number: u32,
    program: String,
    /// What its answer must say in any case.
    notes: Vec<String>,
    /// What was found before it ran.
    warnings: Vec<TurnWarning>,
    /// Locked until the end is recorded; then nothing is left to be done.
    journal: Option<Arc<JournalFile>>,
}

impl Gateway {
    /// Check everything that can be refused before anything is written.
    pub(super) fn plan(
        &self,
        session: Session,
        number: u32,
        program: &str,
        request: &Request,
    ) -> Result<Plan, Refusal> {
        let live = self.live_for(&request.client)?;
        let reached = self.reach(&live, program, &session)?;
        Ok(Plan { session, number, program: program.to_owned(), live, reached })
    }

    /// Record the program and start it. Held by `beginning`.
    pub(super) fn begin(&self, plan: Plan, request: &Request) -> Result<Running, Refusal> {
        let Plan { session, number, program, live, reached } = plan;
        let Reached { reach, definitions, notes, warnings } = reached;
        let (ledger, id) = (&self.shared.ledger, session.id.clone());
        // The journal is locked: from here on no other gateway runs this program.
        let (file, recorded) = match JournalFile::resume(ledger.store.journal(&id, number)) {
            Ok(journal) => journal,
            Err(JournalFileError::InUse { .. }) => return Err(elsewhere(&id)),
            Err(error) => return Err(broken(&error.into())),
        };
        // One that was first may have ended meanwhile.
        let known = ledger.store.state(&id).map_err(|error| broken(&GatewayError::Store(error)))?;
        if known.programs != session.programs {
            return Err(elsewhere(&id));
        }
        ledger.store.begin(&id, number, &program).map_err(|error| broken(&GatewayError::Store(error)))?;
        let compiled =
            CompiledAgent::from_source(&live.agent, program.as_str()).map_err(|error| broken(&error.into()))?;
        let shown = |reach: &Reach| AuditReach { tool: reach.tool.clone(), at_most: reach.at_most.clone() };
        let starts = AuditEvent::Program {
            id: format!("{id}/{number}"),
            client: request.client.label.clone(),
            resumed: recorded.is_some(),
            reach: reach.iter().map(shown).collect(),
            program: Some(ledger.audit.program(&program)),
        };
        let journal = Arc::new(file);
        ledger.audit.write(starts).map_err(|problem| refused(&id, "audit", &format!("{problem}; nothing runs")))?;

        for call in recorded.iter().flat_map(Recorded::calls).filter(|call| call.end.is_none()) {
            let ended = AuditEvent::Result {
                id: call.start.id.clone(),
                status: AuditStatus::Unknown,
                bytes: None,
                error: Some("the gateway ended before the call".to_owned()),
                ms: None,
            };
            // The call was already made: only the line is lost.
            let _lost = ledger.audit.write(ended);
        }

        let limits: Option<Vec<u64>> = reach.iter().map(|reach| reach.limit).collect();
        let limit = limits.map(|limits| limits.into_iter().fold(0, u64::saturating_add));
        let (phase, phases) = watch::channel(Phase::Works);
        let (made, makes) = watch::channel(Made { limit, ..Made::default() });
        let asker = Arc::new(Asker::new(live.governor.clone(), &id, number, reach, phase));
        let cancel = CancellationToken::new();
        let running = Running {
            session: id.clone(),
            number,
            program: program.as_str().into(),
            client: request.client.label.as_str().into(),
            cancel: cancel.clone(),
            asker: Arc::downgrade(&asker),
            phase: phases,
            desk: ledger.open_desk(&format!("{id}/{number}"), &request.client.label),
            made: makes,
        };
        let options = RunOptions::from(live.setup.run.clone())
            .run_id(format!("{id}/{number}"))
            .seed(seed(&id, number))
            .journal(journal.clone())
            .resume(recorded.map(Arc::new))
            .definitions(definitions)
            .approval(asker.clone())
            .observers(vec![Arc::new(counts(made)) as _])
            .cancel(cancel.clone());
        let data = session.data(&live.setup.data);
        lock(&self.shared.running).insert(id, running.clone());
        let work = Work {
            gateway: self.clone(),
            session: Some(session),
            asker,
            number,
            program,
            notes,
            warnings,
            journal: Some(journal),
        };
        tokio::spawn(async move {
            let step = compiled.execute(Context::from_map(data), options).await;
            // Counting, writing and the disk block nothing else.
            drop(tokio::task::spawn_blocking(move || work.ended(step)).await);
        });
        Ok(running)
    }
}

impl Work {
    fn ended(mut self, step: Result<Step, AgentError>) {
        let ledger = self.gateway.shared.ledger.clone();
        let id = self.asker.session.clone();
        let ended = match (step, self.session.take()) {
            (Ok(step), Some(session)) => self.committed(session, &step),
            (Ok(_), None) => ProgramResult::broken(&id),
            // Nothing of it is lost: the session resumes it, or gives it up.
            (Err(error), _) => {
                let stopped = AuditEvent::End {
                    id: self.asker.program.clone(),
                    status: AuditEnding::Stopped,
                    reason: Some(error.to_string()),
                    by: None,
                    calls: None,
                    ms: None,
                };
                let _lost = ledger.audit.write(stopped);
                let refusal = refused(&id, "cannot_go_on", &told(&error));
                let report = self.gateway.with_way_out(refusal, &id, self.number).0;
                ProgramResult { report, is_ok: false, is_kept: false }
            }
        };
        ledger.forget(&self.asker.program);
        self.over(ended);
    }

    /// A client that sees the end may start the next program.
    fn over(&mut self, ended: ProgramResult) {
        self.journal = None;
        // A call may have lost or connected a server.
        self.gateway.note_servers();
        lock(&self.gateway.shared.running).remove(&self.asker.session);
        self.asker.phase.send_replace(Phase::Ended(Arc::new(ended)));
    }

    fn committed(&self, session: Session, step: &Step) -> ProgramResult {
        let (ledger, mut notes) = (&self.gateway.shared.ledger, session.pending());
        let (mut session, further) = session.after(step, &self.program);
        notes.extend(further.into_iter().chain(self.notes.iter().cloned()));
        notes.extend(self.hints(step));
        let bounds = (self.gateway.budget(), &*ledger.attachments);
        let mut report = report::report(&session.id, step, &notes, &self.warnings, bounds);
        if let Some(kept) = &mut session.kept {
            kept.report = report.clone();
        }
        let saved = session.save(&ledger.store);
        let is_kept = saved.is_ok();
        if let Err(error) = saved {
            let text = format!("this program cannot be written down; a restart would run it again: {error}");
            report::note_cut(&mut report, &text);
        }
        let ended = AuditEvent::End {
            id: self.asker.program.clone(),
            status: if step.is_ok() { AuditEnding::Ok } else { AuditEnding::Failed },
            reason: step.fail().map(|fail| fail.reason.as_str().to_owned()),
            by: None,
            calls: Some(step.tool_calls.len()),
            ms: Some(step.usage.duration_ms),
        };
        // Its calls are on record, and made.
        let _lost = ledger.audit.write(ended);
        ProgramResult { report, is_ok: step.is_ok(), is_kept }
    }
}

impl Work {
    /// For a program that failed on its own: the earlier results of the tools that it called, where their servers do
    /// not declare them.
    fn hints(&self, step: &Step) -> Vec<String> {
        if !step.fail().is_some_and(|fail| matches!(fail.reason, FailReason::Program(_))) {
            return Vec::new();
        }
        let tools: IndexSet<&str> = step.tool_calls.iter().map(|call| &*call.name).collect();
        let (governor, observed) = (&self.asker.governor, lock(&self.gateway.shared.ledger.observed));
        let undeclared = tools
            .into_iter()
            .filter(|tool| governor.offers.get(*tool).is_some_and(|offer| !offer.said.declares_result));
        undeclared.filter_map(|tool| Some(format!("tool/{tool} gives {}", observed.line(tool)?))).collect()
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // Unless it ended, something panicked, and its journal is still held.
        if self.journal.is_some() {
            self.over(ProgramResult::broken(&self.asker.session));
        }
    }
}

/// An error of a run in the words of a gateway.
fn told(error: &AgentError) -> String {
    match error {
        AgentError::Journal(_) => format!("its tools, its data or the gateway have changed since it started: {error}"),
        other => other.to_string(),
    }
}

/// The same whenever the program runs, and a different one for each.
fn seed(id: &str, number: u32) -> u64 {
    u64::from_str_radix(id, 16).unwrap_or_default().wrapping_add(number.into())
}
