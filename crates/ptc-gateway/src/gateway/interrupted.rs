//! Programs that were interrupted: they are resumed, or given up.

use std::io;

use indexmap::IndexMap;
use ptc_transcript::{CallOutcome, JournalFile, JournalFileError, Recorded, RecordedCall, read_record};
use serde_json::{Value as Json, json};

use super::{BUSY, Gateway, GatewayError, Refusal, Request, broken, elsewhere, refused};
use crate::audit::{AuditEnding, AuditEvent};
use crate::report::put;
use crate::running::Running;
use crate::session::Session;
use crate::store::StoredResult;

/// Characters shown of what a program had called.
const MAX_TOLD: usize = 1_000;

impl Gateway {
    /// The previous program was interrupted: resume it, or give it up.
    pub(super) fn after_a_break(
        &self,
        mut session: Session,
        interrupted: &str,
        given: Option<&str>,
        request: &Request,
    ) -> Result<Running, Refusal> {
        let (store, id, number) = (&self.shared.ledger.store, session.id.clone(), session.programs + 1);
        if !request.discard {
            if given.is_some_and(|given| given != interrupted) {
                self.held(&session)?;
                return Err(self.unfinished(&id, number, interrupted));
            }
            let begun = self.plan(session, number, interrupted, request).and_then(|plan| self.begin(plan, request));
            return begun.map_err(|refusal| self.with_way_out(refusal, &id, number));
        }
        // The new program is checked first: nothing is given up for a program that cannot run.
        if let Some(program) = given {
            self.reach(&*self.live_for(&request.client)?, program, &session)?;
        }
        let held = self.held(&session)?;
        let note = format!("the previous program was discarded; {}", self.left_behind(&id, number));
        session.give_up(interrupted, note);
        session.save(store).map_err(|error| broken(&error))?;
        let given_up = AuditEvent::End {
            id: format!("{id}/{number}"),
            status: AuditEnding::GivenUp,
            reason: None,
            by: Some(request.client.label.clone()),
            calls: None,
            ms: None,
        };
        let _lost = self.shared.ledger.audit.write(given_up);
        drop(held);
        match given {
            Some(program) => self.begin(self.plan(session, number + 1, program, request)?, request),
            None => {
                Ok(Running::over(&session, session.kept.as_ref().unwrap_or(&StoredResult::default()), self.budget()))
            }
        }
    }

    /// The journal of the interrupted program, locked: no other process runs it, and it has not ended meanwhile. None
    /// when it cannot be read.
    fn held(&self, session: &Session) -> Result<Option<JournalFile>, Refusal> {
        let store = &self.shared.ledger.store;
        let held = match JournalFile::resume(store.journal(&session.id, session.programs + 1)) {
            Ok((file, _)) => Some(file),
            Err(JournalFileError::InUse { .. }) => return Err(elsewhere(&session.id)),
            Err(_) => None,
        };
        let known = store.state(&session.id).map_err(|error| broken(&GatewayError::Store(error)))?;
        if known.programs == session.programs { Ok(held) } else { Err(elsewhere(&session.id)) }
    }

    /// The previous program was interrupted, and another one comes.
    fn unfinished(&self, id: &str, number: u32, program: &str) -> Refusal {
        let line = ptc_lisp::text::one_line(program);
        let begin = ptc_lisp::text::shortened(&line, 200);
        let text = format!(
            "a program of this session was interrupted: {begin}. Call run_program with `session` alone to continue it: calls \
             that ended are not made again. With `discard`: true it is discarded; {}",
            self.left_behind(id, number)
        );
        refused(id, "interrupted", &text)
    }

    /// Why an interrupted program is not resumed, with what can be done instead.
    pub(super) fn with_way_out(&self, Refusal(mut said): Refusal, id: &str, number: u32) -> Refusal {
        if said.pointer("/error/reason").is_some_and(|reason| reason == BUSY) {
            return Refusal(said);
        }
        let message = said.pointer("/error/message").and_then(Json::as_str).unwrap_or_default().to_owned();
        let budget = self.budget();
        let message = budget.text(&message, budget.tokens / 2);
        let text =
            format!("{message}\n`discard`: true discards this interrupted program; {}", self.left_behind(id, number));
        put(&mut said, "session", json!(id));
        if let Some(error) = said.get_mut("error") {
            put(error, "message", json!(text));
        }
        Refusal(said)
    }

    /// What an interrupted program has called.
    fn left_behind(&self, id: &str, number: u32) -> String {
        let Ok(recorded) = self.calls_of(id, number) else {
            return "what it had called cannot be read; the audit log may have it".to_owned();
        };
        let told = |call: &RecordedCall| match call.end.as_ref().map(|end| &end.outcome) {
            None => format!("{} (outcome unknown)", call.start.tool),
            Some(CallOutcome::Error(_)) => format!("{} (failed)", call.start.tool),
            Some(_) => format!("{} (done)", call.start.tool),
        };
        let mut counts: IndexMap<String, usize> = IndexMap::new();
        for call in recorded.iter().flat_map(Recorded::calls) {
            *counts.entry(told(call)).or_default() += 1;
        }
        if counts.is_empty() {
            return "it had called nothing".to_owned();
        }
        let counted =
            counts.iter().map(|(call, count)| if *count == 1 { call.clone() } else { format!("{count} × {call}") });
        let counted = counted.collect::<Vec<_>>().join(", ");
        format!("it had called {}", ptc_lisp::text::shortened(&counted, MAX_TOLD))
    }

    pub(super) fn calls_of(&self, id: &str, number: u32) -> Result<Option<Recorded>, String> {
        match read_record(&self.shared.ledger.store.journal(id, number)) {
            Ok(bytes) => Recorded::read(&bytes).map_err(|error| error.to_string()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}
