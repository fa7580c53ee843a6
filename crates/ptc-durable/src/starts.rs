//! Starts of programs, counted on the record.
//!
//! A program may end its process: by taking more memory than there is, or by a defect. The answer that has it is on
//! record, so each process that continues the mission would run it, and end. Therefore a mission that another process
//! left at a point puts on record that this process continues there, before it does. Once several processes have ended
//! at the same point, with nothing on record after it, the mission is given up. A mission that is driven without
//! interruption records nothing of this.

use std::collections::HashSet;
use std::sync::{Arc, Weak};

use bytes::Bytes;
use ptc_agent::Start;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use crate::pump::InvocationContext;
use crate::record::RecordError;

/// Processes that may end at a point.
const MOST: usize = 3;

/// In the names of the steps that note a start.
const FROM: &str = "/from/";

/// The process that drives missions, as the records of starts name it.
#[derive(Clone)]
pub(crate) struct Process {
    id: Arc<str>,
    /// The beginning of the ids of all processes of its worker, and those of them that were lost.
    worker: Arc<str>,
    lost: Arc<[String]>,
    /// Only one mission continues where processes have ended, so that one that ends this process, too, is not taken for
    /// another one.
    suspects: Arc<Semaphore>,
}

impl Process {
    pub fn new() -> Process {
        let id = uuid::Uuid::new_v4().to_string();
        Process::of_worker(&id, &id, Vec::new())
    }

    /// A process of a worker that has several: those that are not lost have ended in order, or live.
    pub fn of_worker(worker: &str, id: &str, lost: Vec<String>) -> Process {
        Process { id: id.into(), worker: worker.into(), lost: lost.into(), suspects: Arc::new(Semaphore::new(1)) }
    }

    /// The id of the worker that this process is.
    #[cfg(unix)]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether the process of this id has ended and was not asked to.
    fn knows_lost(&self, id: &str) -> bool {
        !id.starts_with(&*self.worker) || self.lost.iter().any(|lost| lost == id)
    }
}

/// The starts of one mission.
pub(crate) struct Starts {
    process: Process,
    /// Names of the starts on record.
    recorded: HashSet<String>,
    /// Whether another drive has recorded something before.
    is_resumed: bool,
    /// Held by all branches that continue where processes have ended.
    alone: Mutex<Weak<OwnedSemaphorePermit>>,
}

impl Starts {
    /// Those of a mission with steps of these names on record.
    pub fn new(process: Process, recorded: impl IntoIterator<Item = String>) -> Starts {
        let mut recorded = recorded.into_iter().peekable();
        let is_resumed = recorded.peek().is_some();
        let recorded = recorded.filter(|name| name.contains(FROM)).collect();
        Starts { process, recorded, is_resumed, alone: Mutex::default() }
    }

    /// Whether the mission may continue at this place.
    pub async fn at(&self, handler: &InvocationContext, place: &str) -> Result<Start, RecordError> {
        // One that noted a start twice has survived the first.
        let (mut number, mut lost, mut is_ours) = (1, HashSet::new(), false);
        // Asked each time, so that branches take the same turns in each process.
        let mut is_at_end = handler.is_at_end().await;
        loop {
            let start = format!("{place}/start/{number}");
            if !self.recorded.contains(&start) {
                break;
            }
            let process = self.note(handler, start).await?;
            is_ours |= process == *self.process.id;
            if self.process.knows_lost(&process) {
                lost.insert(process);
            }
            number += 1;
            is_at_end = handler.is_at_end().await;
        }
        let given_up = format!("{place}/given up");
        if self.recorded.contains(&given_up) || (is_at_end && lost.len() >= MOST) {
            self.note(handler, given_up).await?;
            return Ok(Start::Lost(lost.len()));
        }
        if !self.is_resumed || !is_at_end {
            return Ok(Start::Go(None));
        }
        let alone = if lost.is_empty() { None } else { self.alone(handler).await };
        if !is_ours {
            self.note(handler, format!("{place}/start/{number}")).await?;
        }
        Ok(Start::Go(alone.map(|permit| Box::new(permit) as Box<_>)))
    }

    /// Put on record that this process starts; returns the process that is on record.
    async fn note(&self, handler: &InvocationContext, name: String) -> Result<String, RecordError> {
        let noted = handler.note(name, Bytes::copy_from_slice(self.process.id.as_bytes())).await?;
        Ok(String::from_utf8_lossy(&noted).into_owned())
    }

    /// Wait until no other mission of this process continues where processes have ended.
    async fn alone(&self, handler: &InvocationContext) -> Option<Arc<OwnedSemaphorePermit>> {
        let suspects = Arc::clone(&self.process.suspects);
        handler
            .beside(async {
                let mut held = self.alone.lock().await;
                if let Some(permit) = held.upgrade() {
                    return Some(permit);
                }
                let permit = Arc::new(suspects.acquire_owned().await.ok()?);
                *held = Arc::downgrade(&permit);
                Some(permit)
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_of_the_same_worker_are_lost_when_it_says_so() {
        let alone = Process::new();
        assert!(!alone.knows_lost(&alone.id));
        assert!(alone.knows_lost(&Process::new().id));
        let several = Process::of_worker("w", "w/11", vec!["w/1".to_owned()]);
        assert!(!several.knows_lost("w/11"));
        assert!(!several.knows_lost("w/10"));
        assert!(several.knows_lost("w/1"));
        assert!(several.knows_lost("v/2"));
    }
}
