//! A program from the request of its client to the answer.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ProgressNotificationParam,
};
use rmcp::service::RequestContext;
use serde_json::{Value as Json, json};

use super::ask::{self, AskMethod, SentAnswer};
use super::{CANCEL_HEARD, McpServer, RunArgs, arguments, blocking, forward};
use crate::ask::{LOOK, lock};
use crate::gateway::{Refusal, Request};
use crate::report::{self, ATTACHMENTS, within};
use crate::running::{Phase, ProgramResult, Running};

impl McpServer {
    /// Run a program, or continue one.
    pub(super) async fn run_program(
        &self,
        params: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut request = Request { client: ask::client(context), ..Request::default() };
        let mut given = None;
        match &params.request_state {
            // The answer to a question: the program that asked resumes.
            Some(state) => {
                let (session, answered) = ask::open(&self.seal, state, &params, &request.client.label)?;
                request.session = Some(session);
                given = answered;
            }
            None => {
                let args: RunArgs = arguments(&params)?;
                (request.program, request.session) = (args.program, args.session);
                (request.discard, request.again) = (args.discard, args.again);
            }
        }
        // A client that sends another request has read the previous answers.
        let read = std::mem::take(&mut *lock(&self.given));
        let mut heard = std::mem::take(&mut *lock(&self.heard));
        heard.extend(read.iter().map(|running| (running.session.clone(), running.number)));
        request.heard = request.session.as_ref().and_then(|session| heard.get(session)).copied();
        *lock(&self.heard) = heard;
        self.gateway.ready_for(&request).await;
        let gateway = self.gateway.clone();
        let begun = blocking(move || {
            read.iter().for_each(|running| gateway.heard(running));
            gateway.run(&request)
        });
        match begun.await? {
            Ok(running) => {
                for (key, answer) in params.input_responses.into_iter().flatten() {
                    running.desk.answer(&key, Ok(answer));
                }
                self.follow(running, given, context).await
            }
            Err(Refusal(said)) => Ok(CallToolResult::structured_error(within(said, self.gateway.budget())).into()),
        }
    }

    /// Wait for the end of a program; report its calls, and ask its questions.
    async fn follow(
        &self,
        mut running: Running,
        mut given: Option<SentAnswer>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let way = AskMethod::of(context);
        let mut calls = running.clone();
        let token = context.meta.get_progress_token();
        let mut told = 0.0;
        let (desk, mut known) = (running.desk.clone(), Vec::new());
        if let Some(least) = self.log_level(context) {
            // Lines may come after the answer, by another stream.
            let lines = desk.lines(Arc::as_ptr(&self.given).addr());
            tokio::spawn(forward::logs(lines, least, context.clone()));
        }
        if let Some(token) = token.clone() {
            // The handle reaches the client before the answer does: if the gateway ends meanwhile, the client can
            // resume with it.
            let text = format!("session {}", running.session());
            let _heard =
                context.peer.notify_progress(ProgressNotificationParam::new(token, 0.0).with_message(text)).await;
        }
        loop {
            let phase = tokio::select! {
                biased;
                () = context.ct.cancelled() => return Err(self.left(&running, context).await),
                phase = running.pause() => phase,
                waiting = desk.next(&known) => {
                    known.extend(waiting.iter().map(|forwarded| forwarded.key.clone()));
                    match forward::forward(&self.seal, &running, waiting, context) {
                        Some(asks) => return Ok(asks.into()),
                        None => continue,
                    }
                }
                made = calls.next_call(), if token.is_some() => {
                    let is_more = made.news.is_some() || made.ended as f64 > told;
                    if let Some(token) = token.clone().filter(|_| is_more) {
                        told = made.done_after(told);
                        let progress = ProgressNotificationParam::new(token, told).with_message(made.line());
                        let progress = made.limit.iter().fold(progress, |progress, limit| progress.with_total(*limit as f64));
                        // A client that no longer listens loses only this.
                        let _heard = context.peer.notify_progress(progress).await;
                    }
                    continue;
                }
            };
            let question = match phase {
                Phase::Asks(question) => question,
                Phase::Ended(ended) => {
                    if ended.is_kept {
                        self.give(&running, context).await?;
                    }
                    return Ok(self.answer(&ended).into());
                }
                Phase::Works => continue,
            };
            let fits = |given: &mut SentAnswer| given.fingerprint == question.waiting.fingerprint;
            let answer = match (given.take_if(fits), &way) {
                (Some(given), _) => given.answer,
                (None, AskMethod::Elicit) => {
                    let mut other = running.clone();
                    // The client may go away, or another user decide, before its user answers.
                    let answer = tokio::select! {
                        biased;
                        () = context.ct.cancelled() => return Err(self.left(&running, context).await),
                        () = other.passes(&question.waiting.fingerprint) => continue,
                        answer = ask::elicit(context, &question) => answer,
                    };
                    match answer {
                        Some(answer) => answer,
                        None => return Ok(self.elsewhere(&question).into()),
                    }
                }
                (None, AskMethod::InputRequired) => return ask::input_required(&self.seal, &question),
                // A decision that was just made will soon be found.
                (None, AskMethod::Elsewhere) => {
                    let mut other = running.clone();
                    match tokio::time::timeout(2 * LOOK, other.passes(&question.waiting.fingerprint)).await {
                        Ok(()) => continue,
                        Err(_) => return Ok(self.elsewhere(&question).into()),
                    }
                }
            };
            running.answer(&question.waiting.fingerprint, answer).await;
        }
    }

    /// The answer of an ended program, with the blocks that its value refers to.
    pub(super) fn answer(&self, ended: &ProgramResult) -> CallToolResult {
        let mut report = ended.report.clone();
        let names = report.get(ATTACHMENTS).and_then(Json::as_array).cloned().unwrap_or_default();
        let names = names.iter().filter_map(Json::as_str);
        let blocks: Vec<Option<ContentBlock>> = names
            .map(|name| self.gateway.shared.ledger.attachments.block(name))
            .map(|block| serde_json::from_value(block?).ok())
            .collect();
        // An answer that is given again may be older than what is kept.
        if blocks.contains(&None) {
            report::note_cut(&mut report, "attachments: some are no longer kept: call their tools again");
        }
        let result = if ended.is_ok { CallToolResult::structured } else { CallToolResult::structured_error };
        let mut result = result(report);
        result.content.extend(blocks.into_iter().flatten());
        result
    }

    /// The place of the least important logs that a client wants among all levels, if it wants any.
    fn log_level(&self, context: &RequestContext<RoleServer>) -> Option<usize> {
        match AskMethod::is_stateless(context) {
            true => forward::level(&json!(context.meta.log_level()?)),
            false => Some(*lock(&self.level)),
        }
    }

    /// An answer is sent. Without sessions it is unknown whether it was read, and it counts as read.
    async fn give(&self, running: &Running, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        let given = running.clone();
        if !(self.is_http && AskMethod::is_stateless(context)) {
            lock(&self.given).push(given);
            return Ok(());
        }
        let gateway = self.gateway.clone();
        blocking(move || gateway.heard(&given)).await
    }

    /// The client no longer waits. What it cancelled is stopped; a lost connection stops nothing, and the answer can
    /// still be fetched.
    async fn left(&self, running: &Running, context: &RequestContext<RoleServer>) -> ErrorData {
        // Without sessions, closing the stream of a request is how a client cancels it.
        let is_said = self.is_http && AskMethod::is_stateless(context);
        let mut cancelled = self.cancelled.subscribe();
        let heard = cancelled.wait_for(|ids| ids.contains(&context.id));
        if is_said || tokio::time::timeout(CANCEL_HEARD, heard).await.is_ok_and(|heard| heard.is_ok()) {
            running.cancel();
            return ErrorData::internal_error("the client cancelled the program", None);
        }
        ErrorData::internal_error("the connection was lost", None)
    }

    /// The answer for a client that cannot ask its user. The model that reads it must not be able to decide, so it names
    /// neither the question nor a command.
    fn elsewhere(&self, question: &crate::ask::Question) -> CallToolResult {
        let how = "a person decides this at the gateway, which shows the question there; you cannot. Tell the user that it \
                   waits. After the decision, call run_program with `session` alone";
        let budget = self.gateway.budget();
        CallToolResult::structured(json!({
            "session": question.waiting.session, "status": "waiting", "how": how,
            "question": budget.text(&question.waiting.text, budget.tokens * 8 / 10),
        }))
    }
}
