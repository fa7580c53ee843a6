//! The statistics of strategies that count nothing themselves.

use std::sync::Arc;

use ptc_lisp::Memory;
use ptc_transcript::{CompressionStats, Turn};

use crate::compression::{Compression, Rendered, Renderer, renderer_of};
use crate::input::RenderInput;

/// A strategy in use whose statistics have its name and what the turns alone say. Only the strategy knows which parts
/// of them it shows.
pub(crate) struct Counting {
    renderer: Box<dyn Renderer>,
    seen: CompressionStats,
    last_failed: bool,
}

impl Counting {
    pub fn of(strategy: &Arc<dyn Compression>) -> Counting {
        Counting { renderer: renderer_of(strategy), seen: CompressionStats::of(strategy.name()), last_failed: false }
    }
}

impl Renderer for Counting {
    fn push(&mut self, turn: &Turn) {
        self.renderer.push(turn);
        self.seen.error_turns_collapsed += usize::from(self.last_failed);
        self.last_failed = !turn.is_success();
        if turn.is_success() {
            self.seen.tool_calls_total += turn.tool_calls().len();
            self.seen.printlns_total += turn.prints().len();
        }
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let mut rendered = self.renderer.render(memory, input);
        if !rendered.stats.enabled {
            rendered.stats = self.seen.clone();
        }
        rendered
    }
}

#[cfg(test)]
mod tests;
