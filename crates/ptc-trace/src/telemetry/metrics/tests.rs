//! What a reader of metrics gets.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use insta::assert_snapshot;
use opentelemetry::KeyValue;
use opentelemetry::metrics::MeterProvider;
use opentelemetry_sdk::metrics::data::{AggregatedMetrics, MetricData};
use opentelemetry_sdk::metrics::{InMemoryMetricExporter, PeriodicReader, SdkMeterProvider};
use ptc_chat::{LlmError, LlmErrorKind, Tokens};
use ptc_transcript::{EndingKind, Event, EventKind, Fail, FailKind, FailReason, Observer, Step};

use super::MetricsObserver;
use crate::replay::{PriceBook, PriceList, Prices};
use crate::sample::{event, events, failed_step};

fn attributes<'k>(all: impl Iterator<Item = &'k KeyValue>) -> String {
    let mut shown: Vec<String> = all.map(|KeyValue { key, value, .. }| format!("{key}={value}")).collect();
    shown.sort();
    shown.join(" ")
}

/// One line per series: name and unit, its attributes, what was measured.
fn measured(events: &[Event], prices: Option<Prices>) -> String {
    let book = prices.map_or_else(PriceBook::default, |prices| PriceBook::default().with_prices(prices));
    measured_with(events, |metrics| metrics.with_prices(book))
}

fn measured_with(events: &[Event], options: impl FnOnce(MetricsObserver) -> MetricsObserver) -> String {
    let exporter = InMemoryMetricExporter::default();
    let provider = SdkMeterProvider::builder().with_reader(PeriodicReader::builder(exporter.clone()).build()).build();
    let metrics = options(MetricsObserver::new(&provider.meter("tests")));
    events.iter().for_each(|event| metrics.on_event(event));
    provider.force_flush().unwrap();
    let mut lines = Vec::new();
    for resource in exporter.get_finished_metrics().unwrap() {
        for metric in resource.scope_metrics().flat_map(|scope| scope.metrics()) {
            let mut line = |attributes: String, measured: String| {
                let mut line = format!("{} [{}] {attributes}:", metric.name(), metric.unit());
                write!(line, " {measured}").unwrap();
                lines.push(line);
            };
            match metric.data() {
                AggregatedMetrics::F64(MetricData::Histogram(all)) => all.data_points().for_each(|at| {
                    line(attributes(at.attributes()), format!("{} times, {} together", at.count(), at.sum()))
                }),
                AggregatedMetrics::U64(MetricData::Histogram(all)) => all.data_points().for_each(|at| {
                    line(attributes(at.attributes()), format!("{} times, {} together", at.count(), at.sum()))
                }),
                AggregatedMetrics::F64(MetricData::Sum(all)) => {
                    all.data_points().for_each(|at| line(attributes(at.attributes()), format!("{:.6}", at.value())))
                }
                other => panic!("{other:?}"),
            }
        }
    }
    lines.sort();
    lines.join("\n")
}

#[test]
fn a_run_as_metrics() {
    assert_snapshot!(measured(&events(), None), @"
    gen_ai.client.operation.duration [s] gen_ai.operation.name=chat gen_ai.provider.name=ollama gen_ai.request.model=qwen3: 1 times, 0.001 together
    gen_ai.client.token.usage [{token}] gen_ai.operation.name=chat gen_ai.provider.name=ollama gen_ai.request.model=qwen3 gen_ai.token.type=input: 1 times, 812 together
    gen_ai.client.token.usage [{token}] gen_ai.operation.name=chat gen_ai.provider.name=ollama gen_ai.request.model=qwen3 gen_ai.token.type=output: 1 times, 20 together
    gen_ai.execute_tool.duration [s] error.type=tool_error gen_ai.agent.name=booker gen_ai.tool.name=quote-room gen_ai.tool.type=function: 1 times, 0.001 together
    gen_ai.execute_tool.duration [s] gen_ai.agent.name=booker gen_ai.tool.name=quote-room gen_ai.tool.type=function: 1 times, 0.003 together
    gen_ai.invoke_agent.duration [s] gen_ai.agent.name=booker: 1 times, 0.009 together
    ");
}

#[test]
fn two_runs_at_the_same_time_are_counted_apart() {
    let (one, other) = (events(), events());
    let other = other.into_iter().map(|event| Event { run: "r2".into(), agent: Some("other".into()), ..event });
    let mixed: Vec<Event> = one.into_iter().zip(other).flat_map(|(one, other)| [one, other]).collect();
    let runs: Vec<String> =
        measured(&mixed, None).lines().filter(|line| line.contains("invoke_agent")).map(str::to_owned).collect();
    assert_snapshot!(runs.join("\n"), @"
    gen_ai.invoke_agent.duration [s] gen_ai.agent.name=booker: 1 times, 0.009 together
    gen_ai.invoke_agent.duration [s] gen_ai.agent.name=other: 1 times, 0.009 together
    ");
}

#[test]
fn failures_have_their_class() {
    let error = LlmError::new(LlmErrorKind::RateLimit, "secret text");
    let failed = EventKind::LlmStop {
        duration: Duration::from_millis(5),
        turn: 1,
        model: "http://127.0.0.1:8080/v1#gpt-5-mini".into(),
        is_new: true,
        tokens: None,
        response: Err(error),
    };
    let stop = EventKind::RunStop { duration: Duration::from_millis(4), step: Arc::new(failed_step()) };
    let made_up = Fail::new(FailKind::Explicit, FailReason::Custom("secret text".into()), "secret text");
    let gave_up = Step::failed(EndingKind::Fail, made_up);
    let gave_up = EventKind::RunStop { duration: Duration::from_millis(2), step: Arc::new(gave_up) };
    let broken = EventKind::RunException { duration: Duration::from_millis(3), reason: "secret text".into() };
    let all = [event(3, 2, failed), event(1, 0, stop), event(8, 0, gave_up), event(9, 0, broken)];
    assert_snapshot!(measured(&all, None), @"
    gen_ai.client.operation.duration [s] error.type=rate_limit gen_ai.operation.name=chat gen_ai.provider.name=openai gen_ai.request.model=gpt-5-mini server.address=127.0.0.1 server.port=8080: 1 times, 0.005 together
    gen_ai.invoke_agent.duration [s] error.type=_OTHER gen_ai.agent.name=booker: 2 times, 0.005 together
    gen_ai.invoke_agent.duration [s] error.type=max_turns_exceeded gen_ai.agent.name=booker: 1 times, 0.004 together
    ");
}

#[test]
fn costs_are_list_prices_or_those_given() {
    let asked = |model: &str| {
        let kind = EventKind::LlmStop {
            duration: Duration::ZERO,
            turn: 1,
            model: model.into(),
            is_new: true,
            tokens: Some(Tokens { input: 1_000_000, output: 100_000, cached: 500_000, cache_write: 0 }),
            response: Ok(String::new()),
        };
        event(3, 2, kind)
    };
    let cost = |measured: String| {
        measured.lines().find_map(|line| line.split_once("ptc.client.cost").map(|(_, line)| line.to_owned()))
    };
    let costs = |model: &str, prices| cost(measured(&[asked(model)], prices));
    let given: Prices = "input=1,cached=0.1,write=1,output=10".parse().unwrap();
    assert_eq!(costs("ollama:qwen3", None), None, "a local model has no price");
    assert_snapshot!(costs("ollama:qwen3", Some(given)).unwrap(), @" [USD] gen_ai.operation.name=chat gen_ai.provider.name=ollama gen_ai.request.model=qwen3: 1.550000");
    assert_snapshot!(costs("anthropic:claude-sonnet-4-5", None).unwrap(), @" [USD] gen_ai.operation.name=chat gen_ai.provider.name=anthropic gen_ai.request.model=claude-sonnet-4-5: 3.150000");
    let list = || PriceList::parse("[[list]]\nunverified = true\nmodels.own = { input = 1, output = 10 }").unwrap();
    let listed = |model: &str| {
        cost(measured_with(&[asked(model)], |metrics| metrics.with_prices(PriceBook::default().with_list(list()))))
    };
    assert_snapshot!(listed("https://llm.example/v1#own").unwrap(), @" [USD] gen_ai.operation.name=chat gen_ai.provider.name=openai gen_ai.request.model=own server.address=llm.example server.port=443: 2.000000");
    assert_eq!(
        listed("anthropic:claude-sonnet-4-5"),
        costs("anthropic:claude-sonnet-4-5", None),
        "of the built-in list"
    );
}

/// A resumed run has answers that were paid for before.
#[test]
fn what_a_journal_had_is_not_counted_again() {
    let old = events().into_iter().map(|mut event| {
        match &mut event.kind {
            EventKind::LlmStop { is_new, .. }
            | EventKind::ToolStop { is_new, .. }
            | EventKind::ToolException { is_new, .. } => *is_new = false,
            _ => {}
        }
        event
    });
    let measured = measured(&old.collect::<Vec<_>>(), None);
    assert_eq!(measured.lines().count(), 1, "only the run: {measured}");
}
