//! Approvals that wait until someone answers them.

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::channel::oneshot;
use indexmap::IndexMap;
use ptc_lisp::BoxFuture;
use ptc_transcript::Decision;
use tokio::sync::Notify;

use super::{Approval, Approver, OnDecision};

/// An [`Approver`] for people who answer later and elsewhere, such as on a page: what waits is listed by id, and answered
/// by id. Clones are the same desk, for any number of runs.
///
/// Ids begin with the [`run_id`](crate::RunOptions::run_id) of the run, else with a generated one. What a run waited for leaves the
/// desk when the run is cancelled or dropped.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Agent, ApprovalDesk, Decision, FnTool, RunOptions, ToolError};
/// use ptc_chat::ScriptedLlm;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Payment { euros: u32 }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let pay = FnTool::new("pay", "Pays", |payment: Payment| Ok::<_, ToolError>(payment.euros)).approve();
/// let agent = Agent::builder("Pay what is open.").tool(pay).build()?;
/// let desk = ApprovalDesk::new();
/// let llm = Arc::new(ScriptedLlm::replies(["(return (tool/pay {:euros 5}))"]));
/// let options = RunOptions::new().run_id("r1").llm(llm).approval(Arc::new(desk.clone()));
/// let manager = async {
///     let asked = desk.next().await;
///     assert_eq!(asked.ids(), ["r1/1/1"]);
///     desk.answer("r1/1/1", Decision::Approve).unwrap();
/// };
/// let (step, ()) = futures::join!(agent.run_with((), options), manager);
/// assert_eq!(step?.value::<u32>().unwrap(), 5);
/// # Ok::<(), ptc_agent::AgentError>(()) }).unwrap();
/// ```
#[derive(Clone, Default)]
pub struct ApprovalDesk(Arc<Shared>);

#[derive(Default)]
struct Shared {
    items: Mutex<Items>,
    /// Something came.
    came: Notify,
}

#[derive(Default)]
struct Items {
    /// By id, in the order in which they came.
    by_id: IndexMap<String, Item>,
    /// How many have come.
    count: u64,
    /// The number of the last one that [`ApprovalDesk::next`] returned.
    told: u64,
}

struct Item {
    /// Its number, by which a run knows its own: ids may come again.
    number: u64,
    what: Approval,
    answer: oneshot::Sender<Decision>,
}

/// An answer for which nothing waits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("nothing waits for approval under `{id}`; {}", listed(.waiting))]
pub struct NothingWaits {
    /// The id of the answer.
    pub id: String,
    /// The ids for which something waits.
    pub waiting: Vec<String>,
}

fn listed(waiting: &[String]) -> String {
    if waiting.is_empty() { "nothing waits at all".to_owned() } else { format!("waiting: {}", waiting.join(", ")) }
}

impl ApprovalDesk {
    /// A desk where nothing waits.
    #[must_use]
    pub fn new() -> ApprovalDesk {
        ApprovalDesk::default()
    }

    /// What waits, the oldest first: calls and programs one by one, each with one id.
    #[must_use]
    pub fn waiting(&self) -> Vec<Approval> {
        self.items().by_id.values().map(|item| item.what.clone()).collect()
    }

    /// Answer what waits under this id. The run continues when everything that it asked for together is answered.
    ///
    /// With a journal the run writes each answer as it comes, so that it is not asked about again after a crash. The
    /// task of the run writes it, a moment after this returns.
    ///
    /// Errors when nothing waits under it: it was answered before, or its run is over.
    pub fn answer(&self, id: &str, decision: Decision) -> Result<(), NothingWaits> {
        let mut items = self.items();
        let item = items.by_id.shift_remove(id);
        let waiting: Vec<String> = items.by_id.keys().cloned().collect();
        drop(items);
        let is_answered = item.is_some_and(|item| item.answer.send(decision).is_ok());
        if is_answered { Ok(()) } else { Err(NothingWaits { id: id.to_owned(), waiting }) }
    }

    /// Wait for the next approval that no call of this function has returned, the oldest first: in a loop, each is told once.
    /// Those that were answered or have left meanwhile are passed over.
    pub async fn next(&self) -> Approval {
        loop {
            // Before the list is read: what comes after that is not missed.
            let mut came = std::pin::pin!(self.0.came.notified());
            came.as_mut().enable();
            if let Some(what) = self.items().next() {
                return what;
            }
            came.await;
        }
    }

    fn items(&self) -> MutexGuard<'_, Items> {
        self.0.items.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Put one on the desk; `None` where its id is taken.
    fn put(&self, what: Approval) -> Option<Waiting> {
        let id = what.ids().into_iter().next()?;
        let (answer, answered) = oneshot::channel();
        let mut items = self.items();
        if items.by_id.contains_key(&id) {
            return None;
        }
        items.count += 1;
        let number = items.count;
        items.by_id.insert(id.clone(), Item { number, what, answer });
        Some(Waiting { desk: self.clone(), id, number, answered })
    }
}

impl Items {
    fn next(&mut self) -> Option<Approval> {
        let item = self.by_id.values().find(|item| item.number > self.told)?;
        self.told = item.number;
        Some(item.what.clone())
    }
}

/// What a run waits for; off the desk when it is dropped.
struct Waiting {
    desk: ApprovalDesk,
    id: String,
    number: u64,
    answered: oneshot::Receiver<Decision>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut items = self.desk.items();
        if items.by_id.get(&self.id).is_some_and(|item| item.number == self.number) {
            items.by_id.shift_remove(&self.id);
        }
    }
}

impl Approver for ApprovalDesk {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        self.decide_each(waiting, &|_, _| ())
    }

    fn decide_each<'a>(&'a self, waiting: &'a Approval, decided: &'a OnDecision<'a>) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async move {
            let put: Vec<Option<Waiting>> = waiting.one_by_one().into_iter().map(|what| self.put(what)).collect();
            self.0.came.notify_waiters();
            let answers = put.into_iter().enumerate().map(|(place, waiting)| async move {
                let Some(mut waiting) = waiting else { return Decision::deny(TAKEN) };
                let Ok(decision) = (&mut waiting.answered).await else { return Decision::deny(GONE) };
                decided(place, &decision);
                decision
            });
            futures::future::join_all(answers).await
        })
    }
}

const GONE: &str = "the desk where it waited for approval is gone";
const TAKEN: &str = "another run waits for approval under the same id; give each run its id";
