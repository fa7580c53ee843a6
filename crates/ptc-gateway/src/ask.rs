//! Asking for approval before calls are made.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ptc_agent::{Approval, Approver, Decision, PendingCall};
use ptc_lisp::BoxFuture;
use ptc_lisp::text::shortened_counted;
use ptc_transcript::{ValueForm, fingerprint, json_of};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use tokio::sync::{oneshot, watch};

use crate::audit::{AuditCall, AuditDecision, AuditEvent, AuditQuestion};
use crate::code::{Code, CodeDigest};
use crate::govern::Governor;
use crate::policy::{PolicyAction, PolicyDecision};
use crate::reach::Reach;
use crate::running::Phase;
use crate::store::{Asked, Waiting};

/// How often a decision from outside is checked for.
pub(crate) const LOOK: Duration = Duration::from_millis(250);

/// Characters shown of the arguments of one call, shared among them.
const MAX_ARGS: usize = 2_000;

/// Minimum characters of one argument.
const LEAST_ARG: usize = 80;

/// Calls that are shown at a time.
const MAX_CALLS: usize = 20;

/// Calls that wait for approval.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// What is asked, and what a decision is about.
    pub waiting: Waiting,
    /// The ids of the calls that wait.
    pub calls: Vec<String>,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The decision about the calls that wait.
    pub choice: Choice,
    /// Who decided: `client`, `command line`.
    pub by: String,
}

/// What happens to calls that wait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Choice {
    /// They are made; later calls are asked about again.
    Approve,
    /// They are made, and so are later calls of the same program to these tools, as often as was shown.
    ApproveAll,
    /// They are not made, for this reason.
    Deny(String),
}

/// Asks for the calls of one program.
pub(crate) struct Asker {
    pub governor: Arc<Governor>,
    pub session: String,
    /// The program, `SESSION/3`.
    pub program: String,
    /// What it can call at most.
    pub reach: Vec<Reach>,
    pub phase: watch::Sender<Phase>,
    waiting: Mutex<Option<(String, oneshot::Sender<Answer>)>>,
    /// Calls that are still allowed without a question, by tool.
    granted: Mutex<HashMap<String, u64>>,
    /// Calls that were allowed so far, by tool.
    allowed: Mutex<HashMap<String, u64>>,
}

impl Asker {
    pub fn new(
        governor: Arc<Governor>,
        session: &str,
        number: u32,
        reach: Vec<Reach>,
        phase: watch::Sender<Phase>,
    ) -> Asker {
        Asker {
            governor,
            session: session.to_owned(),
            program: format!("{session}/{number}"),
            reach,
            phase,
            waiting: Mutex::default(),
            granted: Mutex::default(),
            allowed: Mutex::default(),
        }
    }

    /// Decide what waits. False when nothing waits, or something other than what was shown.
    pub fn answer(&self, fingerprint: &str, answer: Answer) -> bool {
        let taken = lock(&self.waiting).take_if(|(known, _)| known == fingerprint);
        taken.is_some_and(|(_, sender)| sender.send(answer).is_ok())
    }

    async fn decisions(&self, calls: &[PendingCall]) -> Vec<Decision> {
        let mut decisions = Vec::new();
        let before = self.denied_before(calls);
        let is_denied = |pending: &PendingCall| before.as_ref().is_some_and(|(ids, _)| ids.contains(&pending.id));
        // As many at a time as people can review; a user who refuses some of them refuses the rest.
        let mut refused: Option<Answer> = before.as_ref().map(|(_, answer)| answer.clone());
        for calls in calls.chunks(MAX_CALLS) {
            let verdicts: Vec<(PolicyDecision, Json)> = calls
                .iter()
                .map(|pending| {
                    let args = json_of(&pending.call.args, ValueForm::Plain);
                    (self.governor.verdict(&pending.call.name, &args), args)
                })
                .collect();
            let wanted: Vec<(&PendingCall, &Json)> = calls
                .iter()
                .zip(&verdicts)
                .filter(|(pending, (verdict, _))| {
                    is_denied(pending) || verdict.ruling == PolicyAction::Ask && !self.is_over(pending)
                })
                .filter(|(pending, _)| is_denied(pending) || !self.takes_grant(&pending.call.name))
                .map(|(pending, (_, args))| (pending, args))
                .collect();
            let ids: Vec<&str> = wanted.iter().map(|(pending, _)| pending.id.as_str()).collect();
            let answer = match (&refused, ids.is_empty()) {
                (_, true) => None,
                (Some(refused), false) => Some(refused.clone()),
                (None, false) => Some(self.ask(&wanted).await),
            };
            refused = refused.or_else(|| answer.clone().filter(|answer| matches!(answer.choice, Choice::Deny(_))));
            for (pending, (verdict, args)) in calls.iter().zip(&verdicts) {
                let asked = answer.as_ref().filter(|_| ids.contains(&pending.id.as_str()));
                let (decision, by) = self.decision(pending, verdict, asked);
                self.note(pending, args, verdict, &decision, by);
                decisions.push(decision);
            }
        }
        if before.is_some() {
            // The program ends without it, too.
            let _left = self.governor.ledger.store.answered(&self.session);
        }
        decisions
    }

    /// What a person denied among these calls before the program was interrupted. It is denied whatever the rules say
    /// now.
    fn denied_before(&self, calls: &[PendingCall]) -> Option<(Vec<String>, Answer)> {
        let asked = self.governor.ledger.store.question(&self.session).ok().flatten()?;
        let answer = self.decided(&asked.waiting, &asked.code)?;
        let is_about =
            matches!(answer.choice, Choice::Deny(_)) && calls.iter().any(|call| asked.calls.contains(&call.id));
        is_about.then_some((asked.calls, answer))
    }

    /// What happens to a call, and who decided it; `asked` is the answer to a question about it.
    fn decision(&self, pending: &PendingCall, verdict: &PolicyDecision, asked: Option<&Answer>) -> (Decision, String) {
        let limit = self.governor.setup.max_calls;
        let by_rule = verdict.rule.as_ref().map_or("the default".to_owned(), |rule| format!("policy `{rule}`"));
        match (asked, verdict.ruling) {
            _ if self.is_over(pending) => {
                (Decision::deny(format!("a program may make {limit} calls")), "max_calls".to_owned())
            }
            (_, PolicyAction::Deny) => (Decision::deny(format!("{by_rule} denies it")), by_rule),
            (Some(answer), _) => (answer.decision(), answer.by.clone()),
            (None, PolicyAction::Allow) => (Decision::Approve, by_rule),
            (None, PolicyAction::Ask) => (Decision::Approve, "allowed with the calls before it".to_owned()),
        }
    }

    /// Whether the program has made as many calls as it may.
    fn is_over(&self, pending: &PendingCall) -> bool {
        pending.call.seq > self.governor.setup.max_calls
    }

    /// Keep who decided for the record of the call, or record that it is not made.
    fn note(&self, pending: &PendingCall, args: &Json, verdict: &PolicyDecision, decision: &Decision, by: String) {
        match decision {
            Decision::Deny(reason) => {
                let refused = AuditCall {
                    id: pending.id.clone(),
                    parent: self.program.clone(),
                    server: self.governor.server(&pending.call.name),
                    tool: pending.call.name.to_string(),
                    args: self.governor.ledger.audit.visible(args),
                    ruling: verdict.ruling,
                    decision: AuditDecision::Deny,
                    by,
                    reason: Some(reason.clone()),
                };
                // It is not made in any case.
                let _lost = self.governor.ledger.audit.write(AuditEvent::Refused(refused));
            }
            _ => {
                *lock(&self.allowed).entry(pending.call.name.to_string()).or_default() += 1;
                self.governor.ledger.decided_by(&pending.id, by);
            }
        }
    }

    /// Whether this call was allowed with earlier ones.
    fn takes_grant(&self, tool: &str) -> bool {
        match lock(&self.granted).get_mut(tool) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    async fn ask(&self, wanted: &[(&PendingCall, &Json)]) -> Answer {
        let mut tools: Vec<&str> = wanted.iter().map(|(pending, _)| &*pending.call.name).collect();
        tools.sort_unstable();
        tools.dedup();
        let bounded = |tool: &&str| self.reach.iter().any(|reach| reach.tool == **tool && reach.limit.is_some());
        let all = tools.iter().all(bounded);
        let shown: Vec<Json> = wanted
            .iter()
            .map(|(pending, args)| json!({"id": pending.id, "tool": &*pending.call.name, "args": args}))
            .collect();
        let lines: Vec<String> =
            wanted.iter().map(|(pending, args)| self.call_text(&pending.call.name, args)).collect();
        let waiting = Waiting {
            session: self.session.clone(),
            fingerprint: fingerprint(&shown).unwrap_or_default(),
            text: self.text(&lines),
            all,
        };
        let calls = wanted.iter().map(|(pending, _)| pending.id.clone()).collect();
        let question = |(pending, args): &(&PendingCall, &Json)| AuditQuestion {
            id: pending.id.clone(),
            tool: pending.call.name.to_string(),
            args: self.governor.ledger.audit.visible(args),
        };
        let waits = AuditEvent::Waits { id: self.program.clone(), calls: wanted.iter().map(question).collect() };
        let answer = self.wait_for(Question { calls, waiting }, waits).await;
        if answer.choice == Choice::ApproveAll && all {
            let (mut granted, allowed) = (lock(&self.granted), lock(&self.allowed));
            for tool in tools {
                let limit = self.reach.iter().find(|reach| reach.tool == tool).and_then(|reach| reach.limit);
                let now = wanted.iter().filter(|(pending, _)| &*pending.call.name == tool).count() as u64;
                let before = allowed.get(tool).copied().unwrap_or(0);
                granted.insert(tool.to_owned(), limit.unwrap_or(0).saturating_sub(before + now));
            }
        }
        answer
    }

    /// Show the question until it is answered: by the client, or by a command, possibly before a restart.
    async fn wait_for(&self, question: Question, waits: AuditEvent) -> Answer {
        // One that was shown before a restart.
        let asked = self.governor.ledger.store.question(&self.session).ok().flatten();
        let asked = asked.filter(|asked| asked.waiting.fingerprint == question.waiting.fingerprint);
        let decided = asked.and_then(|asked| self.decided(&asked.waiting, &asked.code));
        let answer = match decided {
            Some(answer) => answer,
            None => {
                // The lines of its calls say how it ended.
                let _lost = self.governor.ledger.audit.write(waits);
                self.show(question).await
            }
        };
        // What was decided no longer waits. An unanswered question stays: the gateway may be about to end.
        let _left = self.governor.ledger.store.answered(&self.session);
        answer
    }

    /// A command's decision about this question; an approval has its code.
    fn decided(&self, waiting: &Waiting, code: &CodeDigest) -> Option<Answer> {
        let decided = self.governor.ledger.store.decision(&self.session).ok().flatten()?;
        let may_decide = matches!(decided.answer.choice, Choice::Deny(_))
            || decided.code.is_some_and(|given| code.fits(waiting, &given));
        (decided.fingerprint == waiting.fingerprint && may_decide).then_some(decided.answer)
    }

    async fn show(&self, question: Question) -> Answer {
        let (sender, mut answered) = oneshot::channel();
        let (waiting, code) = (question.waiting.clone(), Code::random());
        let digest = code.digest(&waiting);
        let (store, codes) = (&self.governor.ledger.store, &self.governor.ledger.codes);
        let asked = Asked { waiting: waiting.clone(), code: digest.clone(), calls: question.calls.clone() };
        // A command cannot decide a question that it cannot see; then only the client can be asked.
        let is_told = store.ask(&asked).and_then(|()| codes.show(&waiting, &code)).is_ok();
        *lock(&self.waiting) = Some((waiting.fingerprint.clone(), sender));
        let _shown = OpenQuestion { asker: self };
        self.phase.send_replace(Phase::Asks(Arc::new(question)));
        loop {
            tokio::select! {
                answer = &mut answered => return answer.unwrap_or_else(|_| gone("there is no one to ask")),
                () = tokio::time::sleep(LOOK), if is_told => {
                    if let Some(answer) = self.decided(&waiting, &digest) {
                        return answer;
                    }
                }
            }
        }
    }

    /// A call as people read it: all names of arguments, and as much of each as fits.
    fn call_text(&self, tool: &str, args: &Json) -> String {
        let visible = self.governor.ledger.audit.visible(args);
        let text = match &visible {
            Json::Object(fields) => {
                let share = (MAX_ARGS / fields.len().max(1)).max(LEAST_ARG);
                let field = |(name, value): (&String, &Json)| {
                    format!("{}: {}", Json::from(name.as_str()), shortened_counted(&value.to_string(), share))
                };
                format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
            other => shortened_counted(&other.to_string(), MAX_ARGS).to_string(),
        };
        ptc_lisp::text::escaped(&format!("  tool/{tool} {text}")).into_owned()
    }

    /// The question, for people.
    fn text(&self, calls: &[String]) -> String {
        let mut lines = vec![match calls.len() {
            1 => "A program wants to call:".to_owned(),
            count => format!("A program wants to make {count} calls at once:"),
        }];
        lines.extend(calls.iter().cloned());
        lines.push("In all it can call at most:".to_owned());
        lines.extend(self.reach.iter().map(|reach| format!("  {reach}")));
        lines.join("\n")
    }
}

/// A question that is shown: it is withdrawn when it is answered, or when its answer is no longer awaited.
struct OpenQuestion<'a> {
    asker: &'a Asker,
}

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        *lock(&self.asker.waiting) = None;
        self.asker.phase.send_replace(Phase::Works);
    }
}

impl Approver for Asker {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async move {
            match waiting {
                Approval::Calls(calls) => self.decisions(calls).await,
                other => vec![Decision::deny("only calls can be asked about here"); other.ids().len()],
            }
        })
    }
}

impl Answer {
    fn decision(&self) -> Decision {
        match &self.choice {
            Choice::Deny(reason) => Decision::deny(reason.clone()),
            Choice::Approve | Choice::ApproveAll => Decision::Approve,
        }
    }
}

fn gone(reason: &str) -> Answer {
    Answer { choice: Choice::Deny(reason.to_owned()), by: "the gateway".to_owned() }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
