//! A run in OpenTelemetry: its spans and metrics arrive at a collector.
//!
//! The collector of this example listens on loopback and shows what it receives. With `OTEL_EXPORTER_OTLP_ENDPOINT`,
//! such as `http://localhost:4318`, everything is sent to yours instead.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, MetricExporter, Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use ptc_runner::chat::Tokens;
use ptc_runner::prelude::*;
use ptc_runner::trace::{MetricsObserver, TracingObserver};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

#[derive(Deserialize, JsonSchema)]
struct Stay {
    room: String,
}

/// A run of two turns, the first with a call that fails.
fn run() -> Result<f64, Box<dyn Error>> {
    let rate = FnTool::new("rate", "Euros for a night", |stay: Stay| match stay.room.as_str() {
        "attic" => Ok(60.0),
        room => Err(ToolError::new(format!("no room {room}"))),
    });
    let agent =
        Agent::builder("What do 3 nights in the attic cost?").name("clerk").tool(rate).returns::<f64>().build()?;
    let reply = |room: &str, input| Reply {
        tokens: Some(Tokens { input, output: 20, ..Tokens::default() }),
        ..Reply::text(format!("(return (* 3 (tool/rate {{:room \"{room}\"}})))"))
    };
    // `connect("ollama:qwen3")?` asks a real model.
    let llm =
        ScriptedLlm::new([Ok(reply("Attic", 900)), Ok(reply("attic", 1_000))]).named("anthropic:claude-sonnet-4-5");
    let observers: Vec<Arc<dyn Observer>> =
        vec![Arc::new(TracingObserver::new()), Arc::new(MetricsObserver::new(&opentelemetry::global::meter("hotel")))];
    let step = blocking::run_with(&agent, (), RunOptions::new().llm(Arc::new(llm)).run_id("r1").observers(observers))?;
    Ok(step.value()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    // ptc-runner brings `reqwest` without a provider of cryptography, for exporters that use `reqwest` as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let given = std::env::var("OTEL_EXPORTER_OTLP_ENDPOINT").ok();
    let (collector, received) = Collector::start()?;
    let (spans, metrics) = exporters(given.as_deref().unwrap_or(&collector.address))?;
    let traces = SdkTracerProvider::builder().with_batch_exporter(spans).build();
    let meters = SdkMeterProvider::builder().with_periodic_exporter(metrics).build();
    opentelemetry::global::set_meter_provider(meters.clone());
    let layer = tracing_opentelemetry::layer().with_tracer(traces.tracer("hotel"));
    tracing_subscriber::registry().with(layer).try_init()?;

    println!("the answer: {}", run()?);
    // Sends what waits to be sent.
    traces.shutdown()?;
    meters.shutdown()?;
    if given.is_none() {
        received.try_iter().for_each(|body| show(&body));
    }
    Ok(())
}

fn exporters(address: &str) -> Result<(SpanExporter, MetricExporter), ExporterBuildError> {
    let (spans, metrics) = (format!("{address}/v1/traces"), format!("{address}/v1/metrics"));
    Ok((
        SpanExporter::builder().with_http().with_endpoint(spans).with_protocol(Protocol::HttpJson).build()?,
        MetricExporter::builder().with_http().with_endpoint(metrics).with_protocol(Protocol::HttpJson).build()?,
    ))
}

/// Takes what exporters post, as JSON.
struct Collector {
    address: String,
}

impl Collector {
    fn start() -> io::Result<(Collector, Receiver<Json>)> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        let (sender, received) = channel();
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let sender = sender.clone();
                thread::spawn(move || take(&connection, &sender));
            }
        });
        Ok((Collector { address }, received))
    }
}

/// All requests of one connection.
fn take(connection: &TcpStream, sender: &Sender<Json>) -> io::Result<()> {
    let mut reader = BufReader::new(connection);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match line.split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().map_err(io::Error::other)?;
                }
                None if line == "\r\n" => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        sender.send(serde_json::from_slice(&body)?).map_err(io::Error::other)?;
        let mut connection = connection;
        connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}")?;
    }
}

/// The spans of a request as a tree, or its metrics by name.
fn show(body: &Json) {
    let spans: Vec<&Json> = all(body, ["resourceSpans", "scopeSpans", "spans"]);
    for root in spans.iter().filter(|span| span["parentSpanId"].as_str().is_none_or(str::is_empty)) {
        show_span(root, &spans, 0);
    }
    for metric in all(body, ["resourceMetrics", "scopeMetrics", "metrics"]) {
        let points = ["histogram", "sum"]
            .into_iter()
            .filter_map(|kind| metric.get(kind)?.get("dataPoints")?.as_array())
            .flatten();
        println!("{} in {}: {} series", metric["name"].as_str().unwrap_or_default(), metric["unit"], points.count());
    }
}

fn show_span(span: &Json, spans: &[&Json], depth: usize) {
    let of = |name: &str| {
        let found = span["attributes"].as_array()?.iter().find(|attribute| attribute["key"] == name)?;
        Some(format!(" {}", found["value"].as_object()?.values().next()?))
    };
    let facts: String = ["gen_ai.usage.input_tokens", "error.type"].into_iter().filter_map(of).collect();
    println!("{}{}{facts}", "  ".repeat(depth), span["name"].as_str().unwrap_or_default());
    let mut inside: Vec<_> = spans.iter().filter(|inner| inner["parentSpanId"] == span["spanId"]).collect();
    inside.sort_by_key(|inner| inner["startTimeUnixNano"].as_str());
    inside.into_iter().for_each(|inner| show_span(inner, spans, depth + 1));
}

/// What lies at this path, through every list on it.
fn all<'b>(body: &'b Json, path: [&str; 3]) -> Vec<&'b Json> {
    path.into_iter()
        .fold(vec![body], |at, name| at.into_iter().filter_map(|json| json[name].as_array()).flatten().collect())
}
