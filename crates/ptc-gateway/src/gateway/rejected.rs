//! Programs that the check refused: what their clients read, and what the audit log keeps.

use ptc_lisp::{Problem, problems_text};
use serde_json::Value as Json;

use super::{Gateway, Live, Refusal, Request, refused};
use crate::audit::AuditEvent;

/// Why a program with problems does not run.
const PROBLEMS: &str = "problems";

impl Gateway {
    /// Why a program cannot run.
    pub(super) fn not_runnable(
        &self,
        live: &Live,
        session: &str,
        program: &str,
        problems: &[Problem],
        notes: &[String],
    ) -> Refusal {
        let mut text = problems_text(problems);
        // A denied tool is unknown to programs; its existence is not a secret.
        for tool in live.denied_in(program) {
            text.push_str(&format!("\nnote: {} denies tool/{tool}", live.governor.denied_by(&tool)));
        }
        for server in self.setup().servers.iter().filter(|server| program.contains(&format!("tool/{}-", server.name())))
        {
            let status = server.status();
            let starting = status.is_starting.then(|| format!("the MCP server `{}` is being started", status.name));
            for why in status.problem.into_iter().chain(starting) {
                text.push_str(&format!("\nnote: {why}; it is tried again: call again in a moment"));
            }
        }
        for note in notes {
            text.push_str(&format!("\nnote: {note}"));
        }
        let budget = self.budget();
        refused(session, PROBLEMS, &budget.text(&text, budget.tokens * 9 / 10))
    }

    /// Record that a client tried to run a program that cannot run: it may have tried to reach what is denied.
    pub(super) fn note_rejected(&self, request: &Request, Refusal(said): &Refusal) {
        let text = |at: &str| said.pointer(at).and_then(Json::as_str).unwrap_or_default();
        let Ok(live) = self.live_for(&request.client) else { return };
        let Some(program) = request.program.as_deref().filter(|_| text("/error/reason") == PROBLEMS) else { return };
        let audit = &self.shared.ledger.audit;
        // Nothing runs: only the line is lost.
        let _lost = audit.write(AuditEvent::Rejected {
            client: request.client.label.clone(),
            session: request.session.clone(),
            denied: live.denied_in(program),
            error: audit.visible_error(program, text("/error/message")),
            program: audit.program(program),
        });
    }
}

impl Live {
    /// The denied tools that a program names.
    fn denied_in(&self, program: &str) -> Vec<String> {
        let named = self.governor.denied.iter().filter(|denied| names(program, denied.name()));
        named.map(|denied| denied.name().to_owned()).collect()
    }
}

/// Whether the program names this tool.
fn names(program: &str, tool: &str) -> bool {
    let wanted = format!("tool/{tool}");
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    program
        .match_indices(&wanted)
        .any(|(at, _)| !program.get(at + wanted.len()..).is_some_and(|rest| rest.starts_with(is_part)))
}
