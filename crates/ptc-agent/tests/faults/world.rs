//! What happens outside of runs: effects of tools, requests that models saw, and what is left when a run is over.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ptc_agent::{Effect, FnTool, ToolError};
use ptc_chat::{BoxFuture, ChunkSink, Llm, LlmError, Reply, Request};
use ptc_lisp::SplitMix64;
use schemars::JsonSchema;
use serde::Deserialize;

/// What tools take.
#[derive(Deserialize, JsonSchema)]
pub struct Item {
    pub id: i64,
}

/// Seeded random numbers.
pub struct Dice(SplitMix64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(SplitMix64::new(seed))
    }

    /// From 0 to `bound - 1`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

/// What was done, as the world saw it.
#[derive(Default)]
pub struct World {
    seen: Mutex<Seen>,
}

/// Effects by tool and id, with how often; what the model of the run that was started saw.
#[derive(Clone, Default)]
pub struct Seen {
    pub done: BTreeMap<(&'static str, i64), usize>,
    pub requests: u64,
    pub tokens: u64,
}

impl World {
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A tool that has its effect between two points at which it waits, and answers twice its id.
    pub fn tool(self: &Arc<World>, name: &'static str) -> FnTool {
        let work = move |world: Arc<World>, item: Item| async move {
            tokio::task::yield_now().await;
            *world.seen().done.entry((name, item.id)).or_default() += 1;
            tokio::task::yield_now().await;
            Ok::<_, ToolError>(item.id * 2)
        };
        let tool = FnTool::with_state(name, "Notes its call", Arc::clone(self), work);
        match name {
            "reserve" => tool.idempotent(),
            "look" => tool.effect(Effect::Read).cache(),
            "sign" => tool.approve(),
            _ => tool,
        }
    }
}

/// A model that is observed from outside.
pub struct Watched {
    pub llm: Arc<dyn Llm>,
    pub world: Arc<World>,
}

impl Llm for Watched {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let is_own = request.agent.is_none();
            self.world.seen().requests += u64::from(is_own);
            tokio::task::yield_now().await;
            let reply = self.llm.reply(request, chunks).await?;
            if let Some(tokens) = reply.tokens.filter(|_| is_own) {
                let mut seen = self.world.seen();
                seen.tokens = seen.tokens.saturating_add(tokens.total());
            }
            Ok(reply)
        })
    }

    fn name(&self) -> &str {
        self.llm.name()
    }
}
