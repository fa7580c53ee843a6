//! A run as metrics of OpenTelemetry.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};
use ptc_chat::Tokens;
use ptc_transcript::{Event, EventKind, Observer};

use super::class;
use super::conventions::{
    AGENT_BOUNDS, AGENT_DURATION, AGENT_NAME, CALL_BOUNDS, CHAT, COST, ERROR_TYPE, FUNCTION, INPUT, OPERATION_DURATION,
    OPERATION_NAME, OTHER_ERROR, OUTPUT, PROVIDER_NAME, REQUEST_MODEL, SERVER_ADDRESS, SERVER_PORT, TOKEN_BOUNDS,
    TOKEN_TYPE, TOKEN_USAGE, TOOL_DURATION, TOOL_ERROR, TOOL_NAME, TOOL_TYPE,
};
use super::model_parts::ModelParts;
use crate::replay::PriceBook;

/// An observer that counts tokens, costs and durations in instruments of an OpenTelemetry meter, version 0.33 of the
/// crate `opentelemetry`.
///
/// | metric | unit | per | attributes |
/// |---|---|---|---|
/// | `gen_ai.client.token.usage` | `{token}` | request with counted tokens, once for input and once for output | provider, model, server, `gen_ai.token.type` |
/// | `gen_ai.client.operation.duration` | s | request to a model | provider, model, server, `error.type` |
/// | `gen_ai.invoke_agent.duration` | s | run, also of an agent that is called as a tool | agent, `error.type` |
/// | `gen_ai.execute_tool.duration` | s | call of a tool | tool, agent, `error.type` |
/// | `ptc.client.cost` | USD | request to a model with known [`Prices`](crate::replay::Prices) | provider, model, server |
///
/// Names and bounds of the buckets are in [`conventions`](super::conventions). No attribute holds text of a mission, a
/// program or an answer, and their number does not grow with the number of runs. One observer serves all runs of a
/// process, also at the same time. Answers and results that the journal of a resumed run had
/// are not counted again.
///
/// ```
/// use std::sync::Arc;
/// use opentelemetry::global;
/// use ptc_trace::MetricsObserver;
/// use ptc_transcript::Observer;
///
/// let metrics: Arc<dyn Observer> = Arc::new(MetricsObserver::new(&global::meter("my-program")));
/// # drop(metrics);
/// ```
#[derive(Debug)]
pub struct MetricsObserver {
    tokens: Histogram<u64>,
    requests: Histogram<f64>,
    runs: Histogram<f64>,
    calls: Histogram<f64>,
    cost: Counter<f64>,
    prices: PriceBook,
}

impl MetricsObserver {
    /// An observer with instruments of this meter. Costs are list prices, as `ptc replay` knows them; models that are
    /// not on the list have none.
    pub fn new(meter: &Meter) -> MetricsObserver {
        let seconds = |name, description, bounds: &[f64]| {
            let histogram = meter.f64_histogram(name).with_unit("s").with_description(description);
            histogram.with_boundaries(bounds.to_vec()).build()
        };
        MetricsObserver {
            tokens: meter
                .u64_histogram(TOKEN_USAGE)
                .with_unit("{token}")
                .with_description("Input and output tokens of requests to models")
                .with_boundaries(TOKEN_BOUNDS.to_vec())
                .build(),
            requests: seconds(OPERATION_DURATION, "Duration of requests to models", &CALL_BOUNDS),
            runs: seconds(AGENT_DURATION, "Duration of runs", &AGENT_BOUNDS),
            calls: seconds(TOOL_DURATION, "Duration of calls of tools", &CALL_BOUNDS),
            cost: meter.f64_counter(COST).with_unit("USD").with_description("List price of requests to models").build(),
            prices: PriceBook::default(),
        }
    }

    /// The same with these prices.
    pub fn with_prices(self, prices: PriceBook) -> MetricsObserver {
        MetricsObserver { prices, ..self }
    }

    fn asked(&self, model: &str, tokens: Option<Tokens>, duration: Duration, error: Option<&str>) {
        let asked = ModelParts::of(model);
        let mut about = vec![
            KeyValue::new(OPERATION_NAME, CHAT),
            KeyValue::new(PROVIDER_NAME, asked.provider),
            KeyValue::new(REQUEST_MODEL, asked.model),
        ];
        if let Some((address, port)) = asked.server {
            about.extend([KeyValue::new(SERVER_ADDRESS, address), KeyValue::new(SERVER_PORT, i64::from(port))]);
        }
        if let Some(tokens) = tokens {
            for (kind, count) in [(INPUT, tokens.input), (OUTPUT, tokens.output)] {
                self.tokens.record(count, &with(&about, TOKEN_TYPE, Some(kind)));
            }
            if let Some(prices) = self.prices.of_run(model) {
                self.cost.add(prices.cost(&tokens), &about);
            }
        }
        self.requests.record(duration.as_secs_f64(), &with(&about, ERROR_TYPE, error));
    }

    fn ran(&self, event: &Event, duration: Duration, error: Option<&str>) {
        self.runs.record(duration.as_secs_f64(), &with(&agent(event), ERROR_TYPE, error));
    }

    fn called(&self, event: &Event, tool: &str, duration: Duration, error: Option<&str>) {
        let mut about = agent(event);
        about.extend([KeyValue::new(TOOL_NAME, tool.to_owned()), KeyValue::new(TOOL_TYPE, FUNCTION)]);
        self.calls.record(duration.as_secs_f64(), &with(&about, ERROR_TYPE, error));
    }
}

impl Observer for MetricsObserver {
    fn on_event(&self, event: &Event) {
        match &event.kind {
            EventKind::LlmStop { duration, model, is_new: true, tokens, response, .. } => {
                let error = response.as_ref().err().map(|error| error.kind().as_str());
                self.asked(model, *tokens, *duration, error);
            }
            EventKind::RunStop { duration, step } => {
                self.ran(event, *duration, step.fail().map(|fail| class(&fail.reason)));
            }
            EventKind::RunException { duration, .. } => self.ran(event, *duration, Some(OTHER_ERROR)),
            EventKind::ToolStop { duration, tool_name, is_new: true, .. } => {
                self.called(event, tool_name, *duration, None)
            }
            EventKind::ToolException { duration, tool_name, is_new: true, .. } => {
                self.called(event, tool_name, *duration, Some(TOOL_ERROR));
            }
            _ => {}
        }
    }
}

/// The agent of an event, if it has a name.
fn agent(event: &Event) -> Vec<KeyValue> {
    event.agent.iter().map(|name| KeyValue::new(AGENT_NAME, name.clone())).collect()
}

/// These attributes and one more, if there is one.
fn with(about: &[KeyValue], key: &'static str, value: Option<&str>) -> Vec<KeyValue> {
    about.iter().cloned().chain(value.map(|value| KeyValue::new(key, value.to_owned()))).collect()
}

#[cfg(test)]
mod tests;
