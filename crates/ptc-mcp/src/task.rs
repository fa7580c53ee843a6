//! Calls that run as tasks: the server answers at once with a task, whose state is asked for until it has ended.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;

use rmcp::model::{CancelTaskParams, CustomResult, ErrorData, InputRequests, ServerResult, TaskStatus};
use rmcp::{Peer, RoleClient, ServiceError};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::call::{Asked, CallError, Open};
use crate::caller::Pause;
use crate::server::Link;

/// Pause between two questions for the state of a task, when its server names none.
const POLL: Duration = Duration::from_secs(1);

/// The shortest one, whatever it names.
const MIN_POLL: Duration = Duration::from_millis(20);

/// A task as its server describes it. What it asks, its result and its error are in the answer for its state in the
/// revision without `initialize` only.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Task {
    task_id: String,
    status: TaskStatus,
    status_message: Option<String>,
    #[serde(alias = "pollInterval")]
    poll_interval_ms: Option<u64>,
    input_requests: Option<InputRequests>,
    result: Option<Json>,
    error: Option<ErrorData>,
}

impl Task {
    /// The task that answers a call.
    pub fn created(answer: &ServerResult) -> Option<Task> {
        let task = match answer {
            ServerResult::CreateTaskResult(created) => serde_json::to_value(&created.task).ok()?,
            ServerResult::CustomResult(CustomResult(said)) => said.get("task")?.clone(),
            _ => return None,
        };
        serde_json::from_value(task).ok()
    }

    /// What its server says about it, before something else.
    fn said(&self, more: &str) -> String {
        let said = self.status_message.iter().map(String::as_str).chain([more]).filter(|text| !text.is_empty());
        let mut said: Vec<&str> = said.collect();
        said.dedup();
        said.join(": ")
    }
}

impl Asked<'_> {
    /// The result of a task. One that has not ended when this is dropped is cancelled.
    pub async fn followed(&self, mut task: Task, created: &Open<'_>) -> Result<ServerResult, CallError> {
        let id = task.task_id.clone();
        let mut running = Running { link: self.link, peer: self.service.peer().clone(), id: Some(id.clone()) };
        let mut pause = POLL;
        let mut answered = HashSet::new();
        loop {
            pause = task.poll_interval_ms.map_or(pause, |ms| MIN_POLL.max(Duration::from_millis(ms)));
            self.tell(&task, created);
            if task.status.is_terminal() {
                running.id = None;
            }
            match task.status {
                TaskStatus::Completed if let Some(result) = task.result => {
                    return Ok(ServerResult::CustomResult(CustomResult(result)));
                }
                TaskStatus::Failed if let Some(error) = task.error => return Err(ServiceError::McpError(error).into()),
                TaskStatus::Completed => return self.result(&id).await.map_err(unfinished),
                TaskStatus::Failed => {
                    return self.result(&id).await.map_err(|error| match error {
                        CallError::Service(ServiceError::McpError(error)) => failed(error, &task),
                        other => other,
                    });
                }
                TaskStatus::Cancelled => {
                    return Err(CallError::Unfinished(format!("has cancelled the task{}", told(&task.said("")))));
                }
                TaskStatus::InputRequired => match task.input_requests {
                    Some(mut requests) => {
                        requests.retain(|key, _| !answered.contains(key));
                        answered.extend(requests.keys().cloned());
                        self.give_input(&id, requests).await?;
                    }
                    // It asks those who wait for the result.
                    None => {
                        return tokio::select! {
                            biased;
                            result = self.result(&id) => {
                                running.id = running.id.take().filter(|_| result.is_err());
                                result
                            }
                            Err(error) = self.watched(&id, pause, created) => Err(error),
                        };
                    }
                },
                _ => {}
            }
            task = self.state(&id, pause).await?;
        }
    }

    /// The state of a task, after a pause.
    async fn state(&self, id: &str, pause: Duration) -> Result<Task, CallError> {
        {
            let _pause = Pause::new(vec![self.call.clone()]);
            tokio::time::sleep(pause).await;
        }
        let (answer, _) = self.send("tasks/get", json!({"taskId": id})).await.map_err(unfinished)?;
        let task = serde_json::to_value(answer).and_then(serde_json::from_value);
        task.map_err(|_| ServiceError::UnexpectedResponse.into())
    }

    /// Ask for the state of a task whose result is awaited.
    async fn watched(&self, id: &str, pause: Duration, created: &Open<'_>) -> Result<Infallible, CallError> {
        loop {
            self.tell(&self.state(id, pause).await?, created);
        }
    }

    fn tell(&self, task: &Task, created: &Open<'_>) {
        if let Some(said) = task.status_message.clone().filter(|said| !said.is_empty()) {
            self.call.is_doing(&created.token, said);
        }
    }

    /// The result of a task that has ended, or when it has. Only revisions with `initialize` have this question.
    async fn result(&self, id: &str) -> Result<ServerResult, CallError> {
        Ok(self.send("tasks/result", json!({"taskId": id})).await?.0)
    }

    /// Answer what a task asks.
    async fn give_input(&self, id: &str, requests: InputRequests) -> Result<(), CallError> {
        if requests.is_empty() {
            return Ok(());
        }
        let answers = {
            let _pause = Pause::new(vec![self.call.clone()]);
            self.answers(requests).await
        };
        let answers = answers.map_err(unfinished)?;
        self.send("tasks/update", json!({"taskId": id, "inputResponses": answers})).await.map_err(unfinished)?;
        Ok(())
    }
}

/// A task that runs. If it is dropped before it has ended, it is cancelled at the server.
struct Running<'a> {
    link: &'a Link,
    peer: Peer<RoleClient>,
    id: Option<String>,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            let (peer, limit) = (self.peer.clone(), self.link.spec.timeout);
            self.link.runtime.spawn(async move {
                let _gone = tokio::time::timeout(limit, peer.cancel_task(CancelTaskParams::new(id))).await;
            });
        }
    }
}

/// The error of a task, with what its server says about it.
fn failed(mut error: ErrorData, task: &Task) -> CallError {
    error.message = task.said(&error.message).into();
    ServiceError::McpError(error).into()
}

/// Why a task that was begun has no result. A server that refuses a question about it has not refused the call.
fn unfinished(error: CallError) -> CallError {
    match error {
        CallError::Asks(what) => CallError::Unfinished(format!("asks for {what}")),
        CallError::Service(ServiceError::McpError(refused)) => {
            CallError::Unfinished(format!("says nothing more about the task: {}", refused.message))
        }
        other => other,
    }
}

fn told(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}
