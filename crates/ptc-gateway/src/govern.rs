//! Tools under a policy: denied calls are not made, and each call is on record.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use indexmap::IndexMap;
use ptc_agent::ToolContext;
use ptc_lisp::{BoxFuture, OnNotice, Tool, ToolCall, ToolError, ToolResult, ToolSpec, Value};
use ptc_mcp::call_for;
use ptc_transcript::{ValueForm, json_of};
use serde_json::Value as Json;

use crate::ask::lock;
use crate::attachments::Attachments;
use crate::audit::{Audit, AuditCall, AuditDecision, AuditEvent, AuditStatus};
use crate::code::Codes;
use crate::desk::Desk;
use crate::gateway::Setup;
use crate::observed::Observed;
use crate::offer::OfferedTool;
use crate::policy::{Policy, PolicyAction, PolicyDecision, PolicyRange};
use crate::store::Store;

/// What stands for the program of a call that a client asks for itself.
const DIRECT: &str = "direct";

type ShowNote = Box<dyn Fn(&str) + Send + Sync>;

/// What the owner of a gateway should know. Until someone reads, the last one is kept.
#[derive(Default)]
pub(crate) struct Notes {
    show: Mutex<(Option<String>, Option<ShowNote>)>,
}

impl Notes {
    pub fn show_to(&self, show: ShowNote) {
        let (unread, reader) = &mut *lock(&self.show);
        unread.take().iter().for_each(|note| show(note));
        *reader = Some(show);
    }

    pub fn add(&self, note: String) {
        match &mut *lock(&self.show) {
            (_, Some(show)) => show(&note),
            (unread, None) => *unread = Some(note),
        }
    }
}

/// What all programs of a gateway share, whatever its tools.
pub(crate) struct Ledger {
    pub audit: Audit,
    pub store: Store,
    pub codes: Codes,
    pub notes: Notes,
    pub observed: Mutex<Observed>,
    pub attachments: Arc<Attachments>,
    /// The desks of running programs, by their ids.
    desks: Mutex<HashMap<String, Arc<Desk>>>,
    /// Who allowed calls that are about to be made, by their ids.
    decided: Mutex<HashMap<String, String>>,
}

impl Ledger {
    pub fn new(audit: Audit, store: Store, observed: Observed) -> Ledger {
        let codes = Codes::in_file(store.approvals());
        let (notes, observed) = (Notes::default(), Mutex::new(observed));
        Ledger {
            audit,
            store,
            codes,
            notes,
            observed,
            attachments: Arc::default(),
            desks: Mutex::default(),
            decided: Mutex::default(),
        }
    }

    /// Note who allowed a call.
    pub fn decided_by(&self, id: &str, by: String) {
        lock(&self.decided).insert(id.to_owned(), by);
    }

    /// Open the desk of a program of this client.
    pub fn open_desk(&self, program: &str, client: &str) -> Arc<Desk> {
        let desk = Arc::new(Desk::new(program.to_owned(), client, self.attachments.clone()));
        lock(&self.desks).insert(program.to_owned(), desk.clone());
        desk
    }

    /// The desk of a running program.
    fn desk(&self, program: &str) -> Option<Arc<Desk>> {
        lock(&self.desks).get(program).cloned()
    }

    /// Forget the desk of an ended program, and who allowed calls of it that were never made.
    pub fn forget(&self, program: &str) {
        lock(&self.desks).remove(program);
        lock(&self.decided).retain(|id, _| !id.strip_prefix(program).is_some_and(|rest| rest.starts_with('/')));
    }
}

/// The tools that programs get, and the policy over them.
pub(crate) struct Governor {
    pub ledger: Arc<Ledger>,
    pub setup: Arc<Setup>,
    policy: Policy,
    /// By their names.
    pub offers: IndexMap<String, OfferedTool>,
    /// Tools that the policy denies whatever their arguments are.
    pub denied: Vec<OfferedTool>,
}

impl Governor {
    pub fn new(
        setup: Arc<Setup>,
        policy: Policy,
        offers: impl Iterator<Item = OfferedTool>,
        ledger: Arc<Ledger>,
    ) -> Governor {
        let is_denied = |offer: &OfferedTool| policy.standing(offer).least == PolicyAction::Deny;
        let (denied, offers): (Vec<OfferedTool>, Vec<OfferedTool>) = offers.partition(is_denied);
        let offers = offers.into_iter().map(|offer| (offer.name().to_owned(), offer)).collect();
        Governor { ledger, setup, policy, offers, denied }
    }

    /// What happens to a call.
    pub fn verdict(&self, tool: &str, args: &Json) -> PolicyDecision {
        let denied = || self.denied.iter().find(|offer| offer.name() == tool);
        match self.offers.get(tool).or_else(denied) {
            Some(offer) => self.policy.verdict(offer, args),
            None => PolicyDecision { ruling: PolicyAction::Deny, rule: None },
        }
    }

    /// What denies a tool, in words.
    pub fn denied_by(&self, tool: &str) -> String {
        let rule = self.verdict(tool, &Json::Null).rule;
        rule.map_or("the policy of this gateway".to_owned(), |rule| format!("policy `{rule}`"))
    }

    /// The server of a tool; empty for one of the gateway file.
    pub fn server(&self, tool: &str) -> Option<String> {
        self.offers.get(tool).map(|offer| offer.said.server.clone())
    }

    /// Make a call of a tool that a client asks for outside of programs, where nobody is asked: the rules must allow it. It
    /// is on record like those of programs.
    pub async fn direct(
        &self,
        client: &str,
        tool: &str,
        args: Json,
        call: impl Future<Output = Result<Json, ToolError>>,
    ) -> Result<Json, ToolError> {
        let (ledger, verdict) = (&self.ledger, self.verdict(tool, &args));
        let id = format!("{DIRECT}/{}", uuid::Uuid::new_v4().simple());
        let is_allowed = verdict.ruling == PolicyAction::Allow;
        let entry = AuditCall {
            id: id.clone(),
            parent: DIRECT.to_owned(),
            server: self.server(tool),
            tool: tool.to_owned(),
            args: ledger.audit.visible(&args),
            ruling: verdict.ruling,
            decision: if is_allowed { AuditDecision::Approve } else { AuditDecision::Deny },
            by: format!("the policy, for {client}"),
            reason: None,
        };
        if !is_allowed {
            ledger.audit.write(AuditEvent::Refused(entry)).map_err(ToolError::new)?;
            let why = match verdict.ruling {
                PolicyAction::Deny => "the policy denies this",
                _ => "this needs approval: call the tool in a program, which asks",
            };
            return Err(ToolError::new(format!("tool/{tool}: {why}")));
        }
        ledger.audit.write(AuditEvent::Call(entry)).map_err(ToolError::new)?;
        let mut open = Open { ledger, id: &id, since: Instant::now(), is_open: true };
        let result = call.await;
        open.ended(&args, result.as_ref().map(|json| json.to_string().len()));
        result
    }

    pub fn standing(&self, offer: &OfferedTool) -> PolicyRange {
        self.policy.standing(offer)
    }
}

/// A tool of a server, as programs get it.
pub(crate) struct Governed {
    inner: Arc<dyn Tool>,
    spec: ToolSpec,
    governor: Arc<Governor>,
}

impl Governed {
    /// None when the policy denies the tool.
    pub fn new(inner: Arc<dyn Tool>, governor: &Arc<Governor>) -> Option<Governed> {
        governor.offers.get(&inner.spec().name)?;
        // Each call is decided, by a rule or by a person, and each decision is in the journal: a resumed program is not
        // decided again, whatever the rules have become.
        let spec = ToolSpec { approve: true, ..inner.spec().clone() };
        Some(Governed { inner, spec, governor: governor.clone() })
    }

    async fn made<'a>(&'a self, call: &'a ToolCall, on_notice: &'a OnNotice<'a>) -> ToolResult {
        let id = ToolContext::current().map(|context| context.call_id().to_owned()).unwrap_or_default();
        let args = json_of(&call.args, ValueForm::Plain);
        let (ledger, verdict) = (&self.governor.ledger, self.governor.verdict(&call.name, &args));
        // With or without a question: a call that gets here was allowed by a person or a rule, maybe before a restart.
        let by = lock(&ledger.decided).remove(&id).unwrap_or_else(|| "a decision before a restart".to_owned());
        let parent = id.rsplitn(3, '/').nth(2).unwrap_or_default();
        let entry = AuditCall {
            id: id.clone(),
            parent: parent.to_owned(),
            server: self.governor.server(&call.name),
            tool: call.name.to_string(),
            args: ledger.audit.visible(&args),
            ruling: verdict.ruling,
            decision: AuditDecision::Approve,
            by,
            reason: None,
        };
        // The rules also hold where the call is made, whatever was decided before.
        if verdict.ruling == PolicyAction::Deny {
            let by = "the current policy".to_owned();
            let refused = AuditCall { decision: AuditDecision::Deny, by, ..entry };
            ledger.audit.write(AuditEvent::Refused(refused)).map_err(ToolError::new)?;
            return Err(ToolError::new("the policy denies this call"));
        }
        // A call that is not on record is not made.
        ledger.audit.write(AuditEvent::Call(entry)).map_err(ToolError::new)?;
        let mut open = Open { ledger, id: &id, since: Instant::now(), is_open: true };
        let made = self.inner.watched_call(call, on_notice);
        let result = match ledger.desk(parent) {
            Some(desk) => call_for(desk, made).await,
            None => made.await,
        };
        let bytes = |value: &Value| json_of(value, ValueForm::Plain).to_string().len();
        open.ended(&args, result.as_ref().map(bytes));
        if let Ok(value) = &result {
            lock(&ledger.observed).add(&call.name, value);
        }
        result
    }
}

impl Tool for Governed {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        self.watched_call(call, &|_| ())
    }

    fn watched_call<'a>(&'a self, call: &'a ToolCall, on_notice: &'a OnNotice<'a>) -> BoxFuture<'a, ToolResult> {
        Box::pin(self.made(call, on_notice))
    }
}

/// A call in flight: if its end is no longer awaited, that is on record, too.
struct Open<'a> {
    ledger: &'a Ledger,
    id: &'a str,
    since: Instant,
    is_open: bool,
}

impl Open<'_> {
    fn ended(&mut self, args: &Json, result: Result<usize, &ToolError>) {
        self.is_open = false;
        let told = |failure: &ToolError| Some(self.ledger.audit.visible_text(args, &failure.message));
        match result {
            Ok(bytes) => self.write(AuditStatus::Ok, Some(bytes), None),
            Err(failure) if failure.may_have_run => self.write(AuditStatus::Unknown, None, told(failure)),
            Err(failure) => self.write(AuditStatus::Failed, None, told(failure)),
        }
    }

    fn write(&self, status: AuditStatus, bytes: Option<usize>, error: Option<String>) {
        let ms = Some(u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX));
        let ended = AuditEvent::Result { id: self.id.to_owned(), status, bytes, error, ms };
        // The call is made: a missing record of its end cannot be helped any more.
        let _lost = self.ledger.audit.write(ended);
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if self.is_open {
            self.write(AuditStatus::Unknown, None, Some("it was abandoned before it ended".to_owned()));
        }
    }
}
