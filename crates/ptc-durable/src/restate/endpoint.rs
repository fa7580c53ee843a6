//! The worker as a deployment of Restate: its services, and its invocations over HTTP/2.

use std::convert::Infallible;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{FutureExt, StreamExt, stream};
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use restate_sdk_shared_core::Header;
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::record::{Answer, RestateRecord};
use crate::limits::{ASK, SPENT, TICK, ask, spent, tick};
use crate::mission::{Mission, approve, cancel, status};
use crate::pump::{InvocationContext, InvocationEnd, drive};
use crate::record::RecordError;
use crate::worker::Serving;

/// How long invocations may continue after the worker was asked to stop.
const LAST_MOMENT: Duration = Duration::from_secs(10);

/// How often a silent engine is pinged.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// How long to wait after a failed accept before accepting connections again.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// How long a call may take before the engine asks the worker to release it, and how long it may take after that.
const INACTIVITY: Duration = Duration::from_secs(10 * 60);
const LONGEST_CALL: Duration = Duration::from_secs(6 * 60 * 60);

/// Retries of an invocation whose worker or blob store is unavailable, at most one every ten seconds: some months.
const ATTEMPTS: u64 = 1_000_000;

type Body = http_body_util::combinators::UnsyncBoxBody<Bytes, Infallible>;

/// What an invocation calls.
pub(super) enum Target {
    Mission(Arc<Mission>, MissionHandler),
    Limit(LimitHandler),
}

#[derive(Clone, Copy)]
pub(super) enum MissionHandler {
    Run,
    Status,
    Approve,
    Cancel,
}

#[derive(Clone, Copy)]
pub(super) enum LimitHandler {
    Ask,
    Tick,
    Spent,
}

/// Answer the engine until `stop` says so.
pub(crate) async fn serve(serving: Arc<Serving>, listener: TcpListener, stop: CancellationToken) -> io::Result<()> {
    let graceful = hyper_util::server::graceful::GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(ACCEPT_AGAIN).await;
            continue;
        };
        // Frames are small, and each of them is awaited.
        let _ = stream.set_nodelay(true);
        let serving = Arc::clone(&serving);
        let service = service_fn(move |request| {
            let serving = Arc::clone(&serving);
            async move { Ok::<_, Infallible>(answered(&serving, request)) }
        });
        let connection = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .keep_alive_interval(Some(KEEP_ALIVE))
            .serve_connection(TokioIo::new(stream), service);
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            // The engine notices on its own that a connection is lost.
            let _ = watched.await;
        });
    }
    let _ = tokio::time::timeout(LAST_MOMENT, graceful.shutdown()).await;
    Ok(())
}

fn answered(serving: &Arc<Serving>, request: Request<Incoming>) -> Response<Body> {
    let path = request.uri().path().to_owned();
    let mut parts = path.rsplit('/');
    match (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next().unwrap_or_default()) {
        ("health", ..) => plain(StatusCode::OK, "text/plain", String::new()),
        ("discover", ..) => discovered(serving, &request),
        (handler, service, "invoke") => match asked(serving, service, handler) {
            Some(asked) => invoked(serving, asked, request),
            None => {
                let known: Vec<&str> = serving.missions.keys().map(String::as_str).collect();
                let text = format!("no handler {service}/{handler} here; this worker has {}", known.join(", "));
                plain(StatusCode::NOT_FOUND, "text/plain", text)
            }
        },
        _ => plain(StatusCode::NOT_FOUND, "text/plain", format!("nothing is at {path}: this address is for an engine")),
    }
}

fn asked(serving: &Serving, service: &str, handler: &str) -> Option<Target> {
    if service == serving.shared.limits_service {
        return Some(Target::Limit(match handler {
            ASK => LimitHandler::Ask,
            TICK => LimitHandler::Tick,
            SPENT => LimitHandler::Spent,
            _ => return None,
        }));
    }
    let handler = match handler {
        "run" => MissionHandler::Run,
        "status" => MissionHandler::Status,
        "approve" => MissionHandler::Approve,
        "cancel" => MissionHandler::Cancel,
        _ => return None,
    };
    Some(Target::Mission(Arc::clone(serving.missions.get(service)?), handler))
}

fn invoked(serving: &Arc<Serving>, asked: Target, request: Request<Incoming>) -> Response<Body> {
    let (parts, body) = request.into_parts();
    #[cfg(unix)]
    if let (Some(processes), Target::Mission(mission, MissionHandler::Run)) = (&serving.processes, &asked) {
        return apart(serving, processes, mission.name.clone(), parts.headers, body);
    }
    let input = body.into_data_stream().map(|bytes| bytes.map_err(|error| error.to_string()));
    let (output, written) = mpsc::unbounded_channel();
    let (record, headers) = match RestateRecord::new(parts.headers, Box::pin(input), output, serving.suspend_after) {
        Ok(made) => made,
        Err((code, text)) => {
            let code = StatusCode::from_u16(code).unwrap_or(StatusCode::BAD_REQUEST);
            return plain(code, "text/plain", text);
        }
    };
    let serving = Arc::clone(serving);
    response(headers, written, Guard(tokio::spawn(async move { driven(&serving, asked, record).await })))
}

/// The same in a separate process.
#[cfg(unix)]
fn apart(
    serving: &Arc<Serving>,
    processes: &Arc<super::Processes>,
    mission: String,
    headers: hyper::HeaderMap,
    body: Incoming,
) -> Response<Body> {
    let (output, written) = mpsc::unbounded_channel();
    // For the head of the response, which is the same in that process.
    let empty = Box::pin(stream::empty());
    let head = match RestateRecord::new(headers.clone(), empty, output.clone(), serving.suspend_after) {
        Ok((_, head)) => head,
        Err((code, text)) => {
            let code = StatusCode::from_u16(code).unwrap_or(StatusCode::BAD_REQUEST);
            return plain(code, "text/plain", text);
        }
    };
    let (serving, processes) = (Arc::clone(serving), Arc::clone(processes));
    let handed = async move {
        let _place = serving.places.acquire().await.ok();
        let about = (mission.clone(), headers);
        if let Err(error) = super::apart::hand_over(&serving, &processes, about, body.into_data_stream(), output).await
        {
            (serving.on_trouble)(&format!("a process that drove a mission '{mission}' was lost: {error}"));
        }
    };
    response(head, written, Guard(tokio::spawn(handed)))
}

/// A response with these headers and everything that is written, until the task of `guard` drops its end.
fn response(headers: Vec<Header>, written: UnboundedReceiver<Bytes>, guard: Guard) -> Response<Body> {
    let written = stream::unfold((written, guard), |(mut written, guard)| async move {
        let bytes = written.recv().await?;
        Some((Ok::<_, Infallible>(Frame::data(bytes)), (written, guard)))
    });
    let mut response = Response::new(StreamBody::new(written).boxed_unsync());
    for header in headers {
        let name = hyper::header::HeaderName::from_bytes(header.key.as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(&header.value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Drive an invocation as far as it goes in this process.
pub(super) async fn driven(serving: &Serving, asked: Target, mut record: RestateRecord) {
    // An invocation that waits here is not read yet, and costs almost nothing.
    let _place = match asked {
        Target::Mission(_, MissionHandler::Run) => serving.places.acquire().await.ok(),
        _ => None,
    };
    let invocation = match record.begun().await {
        Ok(invocation) => invocation,
        Err(_) => return record.let_go().await,
    };
    let shared = &serving.shared;
    let driven = drive(&mut record, |handler: InvocationContext| async move {
        let (key, input) = (invocation.key.clone(), invocation.input.clone());
        let answer = match asked {
            Target::Mission(mission, MissionHandler::Run) => Ok(mission.run(shared, handler, invocation).await),
            Target::Mission(mission, MissionHandler::Status) => status(shared, &mission, &handler, &key).await,
            Target::Mission(mission, MissionHandler::Approve) => approve(&mission, &handler, &input).await,
            Target::Mission(_, MissionHandler::Cancel) => cancel(&handler).await,
            Target::Limit(LimitHandler::Ask) => ask(&handler, &shared.limits_service, &key, &input).await,
            Target::Limit(LimitHandler::Tick) => tick(&handler, &shared.limits_service, &key).await,
            Target::Limit(LimitHandler::Spent) => spent(&handler, &input).await,
        };
        answer.unwrap_or_else(|error| match error {
            RecordError::Diverged(problem) => Answer::Diverged(Err(problem), Vec::new()),
            error => Answer::Later(error.to_string()),
        })
    });
    // A defect would recur each time.
    let ended = AssertUnwindSafe(driven).catch_unwind().await.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        let problem = format!("a defect of the worker: it panicked: {}", text.unwrap_or("panic without a text"));
        InvocationEnd::Done(Answer::Diverged(Err(problem), Vec::new()))
    });
    match ended {
        InvocationEnd::Done(answer) => record.end(answer).await,
        InvocationEnd::PutOff(problem) => record.end(Answer::Later(problem)).await,
        InvocationEnd::Dropped => record.let_go().await,
    }
}

/// Ends an invocation whose engine disappeared: it drives it somewhere else.
struct Guard(JoinHandle<()>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The services of the worker, for the engine.
fn discovered(serving: &Serving, request: &Request<Incoming>) -> Response<Body> {
    let accepts = request.headers().get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    const MANIFEST: &str = "application/vnd.restate.endpointmanifest.v4+json";
    if !accepts.contains(MANIFEST) {
        let text = format!("this worker describes itself as {MANIFEST} only: use Restate 1.5 or newer");
        return plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "text/plain", text);
    }
    plain(StatusCode::OK, MANIFEST, manifest(serving).to_string())
}

fn manifest(serving: &Serving) -> Json {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let value = json!({"contentType": "application/json"});
    let shared = |name: &str| json!({"name": name, "ty": "SHARED", "input": {"required": false, "contentType": "application/json"}, "output": value});
    let mission = |name: &String| {
        json!({
            "name": name,
            "ty": "WORKFLOW",
            "handlers": [
                {
                    "name": "run", "ty": "WORKFLOW", "input": {"required": false, "contentType": "application/json"}, "output": value,
                    "workflowCompletionRetention": millis(serving.keep),
                },
                shared("status"), shared("approve"), shared("cancel"),
            ],
            // The worker releases waiting invocations on its own; running work is not disturbed.
            "inactivityTimeout": millis(INACTIVITY),
            "abortTimeout": millis(LONGEST_CALL),
            "retryPolicyInitialInterval": 100, "retryPolicyMaxInterval": 10_000, "retryPolicyExponentiationFactor": 2.0,
            "retryPolicyMaxAttempts": ATTEMPTS, "retryPolicyOnMaxAttempts": "PAUSE",
            "metadata": {"ptc-version": serving.shared.version},
        })
    };
    let limit = |name: &str| json!({"name": name, "ty": "EXCLUSIVE", "input": value, "output": value});
    let limits = json!({
        "name": serving.shared.limits_service, "ty": "VIRTUAL_OBJECT", "handlers": [limit(ASK), limit(TICK), limit(SPENT)],
        "enableLazyState": true, "ingressPrivate": true, "journalRetention": 0,
    });
    let services: Vec<Json> = serving.missions.keys().map(mission).chain([limits]).collect();
    json!({"protocolMode": "BIDI_STREAM", "minProtocolVersion": 6, "maxProtocolVersion": 7, "services": services})
}

fn plain(status: StatusCode, content_type: &'static str, text: String) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(text)).boxed_unsync());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
