//! The server: on this machine only, for clients that know its address.
//!
//! Two things keep others out. The address has a secret, so that neither another user of this machine nor a page that
//! guesses the port can ask. And requests must name this machine: a site whose name was made to resolve to it (DNS
//! rebinding) would name itself.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use ptc_runner::agent::CancellationToken;
use ptc_runner::trace::viewer::{Asset, served_page};
use tokio::net::TcpListener;

use super::answer::{Answer, said};
use super::library::Library;

/// How long the header of a request may take to arrive; also how long a connection may be without one.
const ARRIVES: Duration = Duration::from_secs(30);

/// How long to wait after a failed accept before accepting connections again.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

#[derive(Clone)]
pub(super) struct Server {
    library: Arc<Library>,
    port: u16,
    secret: Arc<str>,
}

impl Server {
    pub(super) fn new(library: Arc<Library>, port: u16) -> Server {
        Server { library, port, secret: uuid::Uuid::new_v4().simple().to_string().into() }
    }

    /// Where the list is, or the page of this run.
    pub(super) fn address(&self, run: Option<&str>) -> String {
        let page = run.map_or_else(String::new, |id| format!("run/{id}"));
        format!("http://127.0.0.1:{}/{}/{page}", self.port, self.secret)
    }

    /// Answer until `stop` says so.
    pub(super) async fn run(self, listener: TcpListener, stop: CancellationToken) {
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    // The error of one connection; a lack of file descriptors passes.
                    Err(_) => {
                        tokio::time::sleep(ACCEPT_AGAIN).await;
                        continue;
                    }
                },
                () = stop.cancelled() => return,
            };
            let (server, stop) = (self.clone(), stop.clone());
            tokio::spawn(async move {
                let service = service_fn(|request| {
                    let server = server.clone();
                    async move {
                        let method = request.method().clone();
                        Ok::<_, Infallible>(server.answer(&request).await.send(&method))
                    }
                });
                let mut builder = http1::Builder::new();
                let connection = builder.timer(TokioTimer::new()).header_read_timeout(ARRIVES);
                tokio::select! {
                    // A browser that goes away does not disturb others.
                    _ended = connection.serve_connection(TokioIo::new(stream), service) => {}
                    () = stop.cancelled() => {}
                }
            });
        }
    }

    async fn answer<B>(&self, request: &Request<B>) -> Answer {
        let names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{}", self.port));
        if !said(request, header::HOST).is_some_and(|host| names.iter().any(|name| name == host)) {
            return Answer::refusal(StatusCode::FORBIDDEN, "this server answers to 127.0.0.1 and localhost only");
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Answer::refusal(StatusCode::METHOD_NOT_ALLOWED, "this server only shows: use GET");
        }
        let path = request.uri().path().trim_start_matches('/');
        let Some((_, page)) = path.split_once('/').filter(|(secret, _)| **secret == *self.secret) else {
            return match path {
                // Browsers request it automatically.
                "favicon.ico" => Answer::refusal(StatusCode::NO_CONTENT, ""),
                _ => Answer::refusal(StatusCode::NOT_FOUND, "open the address that `ptc view` printed"),
            };
        };
        let known = said(request, header::IF_NONE_MATCH).map(str::to_owned);
        match page {
            "" => Answer::page(served_page("Runs · ptc", &Asset::Runs { url: "runs.json".to_owned() })),
            "runs.json" => self.runs(known).await,
            _ => match page.split_once('/') {
                Some(("run", id)) => self.one(id, known).await,
                Some(("diff", pair)) => self.two(pair, known).await,
                Some(("gateway", name)) => self.gateway(name, known).await,
                _ => Answer::refusal(StatusCode::NOT_FOUND, "there is no such page"),
            },
        }
    }

    /// The list as far as it is known; the rest is read in the background.
    async fn runs(&self, known: Option<String>) -> Answer {
        let library = Arc::clone(&self.library);
        let listed = tokio::task::spawn_blocking(move || {
            let (list, waits) = library.list();
            if waits {
                tokio::task::spawn_blocking(move || library.fill());
            }
            serde_json::to_string(&list)
        });
        match listed.await {
            Ok(Ok(text)) => {
                let tag = format!("\"{}\"", fingerprint(&text));
                Answer::json(&text.into(), tag, known.as_deref())
            }
            _ => Answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, "the runs cannot be listed"),
        }
    }

    /// The page of a run, or its document.
    async fn one(&self, page: &str, known: Option<String>) -> Answer {
        let (id, wants_data) = page.strip_suffix(".json").map_or((page, false), |id| (id, true));
        let (library, id) = (Arc::clone(&self.library), id.to_owned());
        let found = tokio::task::spawn_blocking(move || {
            let source = library.source(&id)?;
            Some((id, wants_data.then(|| library.document(&source))))
        });
        match found.await {
            Ok(Some((id, None))) => {
                let asset = Asset::Run { url: format!("{id}.json"), list: Some("../".to_owned()) };
                Answer::page(served_page("Run · ptc", &asset))
            }
            Ok(Some((_, Some(Ok((stamp, text)))))) => Answer::json(&text, stamp.tag(), known.as_deref()),
            Ok(Some((_, Some(Err(problem))))) => Answer::refusal(StatusCode::UNPROCESSABLE_ENTITY, problem),
            Ok(None) => Answer::refusal(StatusCode::NOT_FOUND, "there is no such run here"),
            Err(_) => {
                Answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, "the run cannot be read: this is a defect of ptc")
            }
        }
    }

    /// The page of a gateway, or its data.
    async fn gateway(&self, page: &str, known: Option<String>) -> Answer {
        let (name, wants_data) = page.strip_suffix(".json").map_or((page, false), |name| (name, true));
        let (library, name) = (Arc::clone(&self.library), name.to_owned());
        let found = tokio::task::spawn_blocking(move || {
            let state = library.state(&name)?;
            Some((name, wants_data.then(|| library.gateway(state))))
        });
        match found.await {
            Ok(Some((name, None))) => {
                let asset = Asset::Gateway { url: format!("{name}.json"), list: "../".to_owned() };
                Answer::page(served_page("Gateway · ptc", &asset))
            }
            Ok(Some((_, Some(Ok(text))))) => {
                let tag = format!("\"{}\"", fingerprint(&text));
                Answer::json(&text.into(), tag, known.as_deref())
            }
            Ok(None) => Answer::refusal(StatusCode::NOT_FOUND, "there is no such gateway here"),
            _ => Answer::refusal(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the gateway cannot be read: this is a defect of ptc",
            ),
        }
    }

    /// The page of two runs next to each other, `ID/ID`, or its data.
    async fn two(&self, page: &str, known: Option<String>) -> Answer {
        let (pair, wants_data) = page.strip_suffix(".json").map_or((page, false), |pair| (pair, true));
        let Some((one, other)) = pair.split_once('/').map(|(one, other)| (one.to_owned(), other.to_owned())) else {
            return Answer::refusal(StatusCode::NOT_FOUND, "there is no such page");
        };
        let library = Arc::clone(&self.library);
        let found = tokio::task::spawn_blocking(move || {
            let (one, other) = (library.source(&one)?, library.source(&other)?);
            let diff = wants_data.then(|| library.diff([&one, &other], known.as_deref()));
            Some(([one.id, other.id], known, diff))
        });
        match found.await {
            Ok(Some((ids, _, None))) => {
                let (url, list) = (format!("{}.json", ids[1]), "../../".to_owned());
                let runs = ids.map(|id| format!("{list}run/{id}"));
                Answer::page(served_page("Two runs · ptc", &Asset::Diff { url, list, runs }))
            }
            Ok(Some((_, known, Some(Ok((tag, text)))))) => {
                Answer::json(&text.unwrap_or_default(), tag, known.as_deref())
            }
            Ok(Some((_, _, Some(Err(problem))))) => Answer::refusal(StatusCode::UNPROCESSABLE_ENTITY, problem),
            Ok(None) => Answer::refusal(StatusCode::NOT_FOUND, "there is no such run here"),
            Err(_) => {
                Answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, "the runs cannot be read: this is a defect of ptc")
            }
        }
    }
}

/// Differs when the text does.
fn fingerprint(text: &str) -> String {
    ptc_runner::transcript::fingerprint(&text).unwrap_or_default()
}
