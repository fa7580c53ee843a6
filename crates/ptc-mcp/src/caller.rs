//! Who a call is made for.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ptc_lisp::BoxFuture;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use serde_json::Value as Json;
use tokio::sync::watch;
use tokio::time::Instant;

tokio::task_local! {
    static CALLER: Arc<dyn Caller>;
}

/// Who calls of tools are made for, such as the client of a gateway.
pub trait Caller: Send + Sync {
    /// Who it is: calls of the same name are for the same one.
    fn name(&self) -> &str;

    /// Who reads what it hears: several callers may have the same reader.
    fn reader(&self) -> &str;

    /// Keep a block of a result that a program sees as a map without its bytes. The text names it, in the field `ref` of
    /// that map.
    fn keep(&self, block: Json) -> String;

    /// Answer what a server asks during a call: a request of the protocol for elicitation, sampling or roots, with `method`
    /// and `params`. The answer is the result of that request; an error says why there is none.
    fn answer<'a>(&'a self, server: &'a str, request: Json) -> BoxFuture<'a, Result<Json, String>>;

    /// A server logs something during a call: the parameters of `notifications/message`.
    fn logged(&self, server: &str, message: Json);
}

/// Make a call for somebody: without this, calls are made for nobody. Servers ask only where
/// [`ServerSpec::forwards`](crate::ServerSpec::forwards) is set.
pub async fn call_for<T>(caller: Arc<dyn Caller>, call: impl Future<Output = T>) -> T {
    CALLER.scope(caller, call).await
}

/// Who the running call is made for.
pub(crate) fn caller() -> Option<Arc<dyn Caller>> {
    CALLER.try_with(Arc::clone).ok()
}

/// How long after a call the logs of its server are for the same caller: they may come by another stream.
const LATE: Duration = Duration::from_secs(5);

/// The calls in flight at a server.
#[derive(Default)]
pub(crate) struct Calls {
    in_flight: Mutex<HashMap<ProgressToken, Arc<InFlight>>>,
    /// Who the last calls were for, once for each reader, and when they ended.
    ended: Mutex<Vec<(Arc<dyn Caller>, Instant)>>,
}

/// A call that is made.
pub(crate) struct InFlight {
    pub progress: watch::Sender<Option<ProgressNotificationParam>>,
    caller: Option<Arc<dyn Caller>>,
    heard: Mutex<Heard>,
}

/// When the server was last heard of.
struct Heard {
    at: Instant,
    /// Why it need not say anything, such as a question that it waits for.
    pauses: usize,
    /// Whether the call took too long.
    is_late: bool,
}

impl InFlight {
    /// A call of this moment.
    pub fn new(caller: Option<Arc<dyn Caller>>) -> InFlight {
        let heard = Mutex::new(Heard { at: Instant::now(), pauses: 0, is_late: false });
        InFlight { progress: watch::channel(None).0, caller, heard }
    }

    /// Its server shows a sign of life.
    pub fn is_heard_of(&self) {
        self.heard().at = Instant::now();
    }

    /// Its server says what it is doing, perhaps again.
    pub fn is_doing(&self, token: &ProgressToken, what: String) {
        self.progress.send_if_modified(|last| {
            let is_news = last.as_ref().and_then(|last| last.message.as_ref()) != Some(&what);
            if is_news {
                // Without a measure of the work, what it has done are the things that it said.
                let mut told = last.take().unwrap_or_else(|| ProgressNotificationParam::new(token.clone(), 0.0));
                told.progress += if told.total.is_none() { 1.0 } else { 0.0 };
                told.message = Some(what);
                *last = Some(told);
            }
            is_news
        });
    }

    /// It took too long.
    pub fn ends_late(&self) {
        self.heard().is_late = true;
    }

    /// Whether it took too long.
    pub fn is_late(&self) -> bool {
        self.heard().is_late
    }

    /// Wait until its server was silent for this long.
    pub async fn silence(&self, limit: Duration) {
        loop {
            let since = Some(self.heard()).filter(|heard| heard.pauses == 0).map(|heard| heard.at);
            let since = since.unwrap_or_else(Instant::now);
            let Some(end) = since.checked_add(limit) else { return std::future::pending().await };
            if end <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(end).await;
        }
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls whose server need not say anything as long as this lives.
pub(crate) struct Pause(Vec<Arc<InFlight>>);

impl Pause {
    pub fn new(calls: Vec<Arc<InFlight>>) -> Pause {
        calls.iter().for_each(|call| call.heard().pauses += 1);
        Pause(calls)
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        for call in &self.0 {
            let mut heard = call.heard();
            heard.pauses -= 1;
            heard.at = Instant::now();
        }
    }
}

impl Calls {
    pub fn insert(&self, token: ProgressToken, call: Arc<InFlight>) {
        self.all().insert(token, call);
    }

    pub fn remove(&self, token: &ProgressToken) {
        let call = self.all().remove(token);
        if let Some(caller) = call.and_then(|call| call.caller.clone()) {
            let mut ended = self.ended();
            ended.retain(|(known, at)| at.elapsed() < LATE && known.reader() != caller.reader());
            ended.push((caller, Instant::now()));
        }
    }

    /// Who a line of a log is for: the only reader of the calls in flight and of those that just ended. One that may be for
    /// several is for nobody.
    pub fn log_reader(&self) -> Option<Arc<dyn Caller>> {
        let in_flight: Vec<_> = self.all().values().map(|call| call.caller.clone()).collect();
        let ended: Vec<_> =
            self.ended().iter().filter(|(_, at)| at.elapsed() < LATE).map(|(one, _)| one.clone()).collect();
        let mut callers = in_flight.into_iter().chain(ended.into_iter().map(Some));
        let first = callers.next().flatten()?;
        callers.all(|other| other.is_some_and(|other| other.reader() == first.reader())).then_some(first)
    }

    pub fn get(&self, token: &ProgressToken) -> Option<Arc<InFlight>> {
        self.all().get(token).cloned()
    }

    /// Who a server means that says something without naming a call: that is known when all calls are for the same one.
    pub fn only_caller(&self) -> Result<Arc<dyn Caller>, &'static str> {
        let calls = self.all();
        let callers = || calls.values().map(|call| call.caller.as_ref());
        let first = callers().flatten().next().ok_or("no call is made for anybody who could be asked")?;
        match callers().all(|other| other.is_some_and(|other| other.name() == first.name())) {
            true => Ok(first.clone()),
            false => Err("calls of several programs are made, and it is not known which one this is about"),
        }
    }

    /// Let the only caller answer a request of a server.
    pub async fn answer(&self, server: &str, request: Json) -> Result<Json, String> {
        let caller = self.only_caller()?;
        let _asked = Pause::new(self.all().values().cloned().collect());
        caller.answer(server, request).await
    }

    fn ended(&self) -> MutexGuard<'_, Vec<(Arc<dyn Caller>, Instant)>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<ProgressToken, Arc<InFlight>>> {
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
