//! Showing people what happens while it happens: lines that stay, and one that says what the run waits for.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ptc_runner::compression::words::grouped;
use ptc_runner::trace::replay::PriceBook;
use ptc_runner::transcript::{Event, EventKind, Observer, SpanId};

use super::story::Story;
use crate::output::{self, Line, live};

/// Reports on standard error what each turn did; turns of agents called as tools are indented.
pub(super) struct Progress {
    state: Mutex<State>,
    /// Whether answers are shown while they stream.
    shows_answers: bool,
}

#[derive(Default)]
struct State {
    story: Story,
    /// What the run waits for, the newest last, and since when.
    waiting: Vec<(SpanId, Instant, String)>,
    /// Characters of the system text, which events report once.
    system: usize,
    /// An answer that is being shown.
    streamed: Option<SpanId>,
}

impl Progress {
    pub(super) fn new(shows_answers: bool, prices: PriceBook) -> Progress {
        let state = State { story: Story::new(output::columns(), prices), ..State::default() };
        Progress { state: Mutex::new(state), shows_answers }
    }

    /// The last line: the outcome of the run.
    pub(super) fn totals(&self, asks_nobody: bool, duration: Duration, turns: usize) -> Line {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).story.totals(asks_nobody, duration, turns)
    }
}

impl Observer for Progress {
    fn on_event(&self, event: &Event) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let EventKind::LlmChunk { text, .. } = &event.kind {
            if self.shows_answers && state.story.is_of_mission(event.span) {
                state.stream(event.span, text);
            }
            return;
        }
        state.end_stream(event.span);
        state.story.told(event).iter().for_each(output::inked);
        state.wait(event);
    }
}

impl State {
    fn stream(&mut self, span: SpanId, text: &str) {
        live::clear();
        if self.streamed != Some(span) {
            self.streamed = Some(span);
            output::piece("    ");
        }
        output::piece(text);
    }

    fn end_stream(&mut self, span: SpanId) {
        if self.streamed == Some(span) {
            self.streamed = None;
            output::line("");
        }
    }

    /// What the run waits for after this event.
    fn wait(&mut self, event: &Event) {
        match &event.kind {
            EventKind::LlmStart { messages, system, .. } => {
                self.system = system.as_ref().map_or(self.system, |text| text.len());
                let sent = messages.iter().map(|message| message.content().len()).sum::<usize>() + self.system;
                event.parent.iter().for_each(|turn| self.end(*turn));
                self.begin(event.span, &format!("about {} tokens sent", grouped(sent / 4)));
            }
            EventKind::ToolStart { .. } => self.begin(event.span, ""),
            EventKind::LlmStop { response, .. } => {
                self.end(event.span);
                let next = if response.is_ok() { "its program runs" } else { "a pause before the next attempt" };
                event.parent.iter().for_each(|turn| self.begin(*turn, next));
            }
            EventKind::ToolStop { .. } | EventKind::ToolException { .. } | EventKind::TurnStop { .. } => {
                self.end(event.span);
            }
            // A person is asked on this terminal.
            EventKind::ApprovalStart { .. } => return live::clear(),
            EventKind::ApprovalStop { .. } | EventKind::RunStop { .. } => {}
            _ => return,
        }
        match (self.waiting.first(), self.waiting.last()) {
            (Some((_, since, _)), Some((.., what))) => live::show(what, since.elapsed()),
            // The next turn starts at once.
            _ if matches!(event.kind, EventKind::TurnStop { .. }) => {}
            _ => live::clear(),
        }
    }

    fn end(&mut self, span: SpanId) {
        self.waiting.retain(|(waiting, ..)| *waiting != span);
    }

    fn begin(&mut self, span: SpanId, more: &str) {
        if let Some(what) = self.story.waits_for(span) {
            let more = if more.is_empty() { String::new() } else { format!(", {more}") };
            self.waiting.push((span, Instant::now(), format!("{what}{more}")));
        }
    }
}
