//! A web service without a framework: `GET /run/ID` streams the events of a run, `POST /approve/CALL` decides a call that
//! waits. A browser reads the stream with `EventSource`. Run without arguments, it asks itself and prints what it got.

use std::sync::Arc;

use ptc_runner::agent::ApprovalDesk;
use ptc_runner::prelude::*;
use ptc_runner::trace::LiveTrace;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Deserialize, JsonSchema)]
struct Invoice {
    invoice: u32,
}

#[derive(Clone)]
struct Service {
    agent: Agent,
    desk: ApprovalDesk,
}

impl Service {
    async fn answer(self, mut client: TcpStream) -> Result<(), Failure> {
        let (reader, mut writer) = client.split();
        let mut head = BufReader::new(reader).lines();
        let line = head.next_line().await?.unwrap_or_default();
        while head.next_line().await?.is_some_and(|line| !line.is_empty()) {}
        let path = line.split(' ').nth(1).unwrap_or_default();
        let (status, text) = match (path.strip_prefix("/run/"), path.strip_prefix("/approve/")) {
            (Some(id), _) if line.starts_with("GET ") => return self.run(id, &mut writer).await,
            (_, Some(id)) if line.starts_with("POST ") => match self.desk.answer(id, Decision::Approve) {
                Ok(()) => ("200 OK", "approved".to_owned()),
                Err(none) => ("404 Not Found", none.to_string()),
            },
            _ => ("404 Not Found", "there are GET /run/ID and POST /approve/CALL".to_owned()),
        };
        Ok(writer.write_all(format!("HTTP/1.1 {status}\r\nConnection: close\r\n\r\n{text}").as_bytes()).await?)
    }

    /// A client that has left takes no event, and no remark while nothing happens: its run is dropped and leaves the desk.
    async fn run(&self, id: &str, client: &mut (impl AsyncWriteExt + Unpin)) -> Result<(), Failure> {
        client.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n").await?;
        let llm = ScriptedLlm::replies(["(return (tool/pay {:invoice 7}))"]);
        let (trace, (sender, mut events)) = (LiveTrace::start(), mpsc::unbounded_channel());
        let watch = move |event: &Event| drop(sender.send(serde_json::to_string(&trace.entry(event))));
        let options = RunOptions::new().run_id(id).llm(Arc::new(llm)).approval(Arc::new(self.desk.clone()));
        let run = self.agent.run_with((), options.observers(vec![Arc::new(watch)]));
        let send = async {
            loop {
                match tokio::time::timeout(std::time::Duration::from_secs(1), events.recv()).await {
                    Ok(Some(event)) => client.write_all(format!("data: {}\n\n", event?).as_bytes()).await?,
                    Ok(None) => return Ok::<_, Failure>(()),
                    Err(_) => client.write_all(b": waiting\n\n").await?,
                }
            }
        };
        // The events end with the run, which holds the other end of the channel.
        let (step, ()) = tokio::try_join!(async { Ok(run.await?) }, send)?;
        let end = format!("data: {}\n\n", serde_json::json!({"event": "end", "value": step.value::<String>()?}));
        Ok(client.write_all(end.as_bytes()).await?)
    }
}

/// The body of the answer to a request, as one browser or script would send it.
async fn ask(address: std::net::SocketAddr, request: &str) -> Result<String, Failure> {
    let (mut stream, mut answer) = (TcpStream::connect(address).await?, String::new());
    stream.write_all(format!("{request} HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).await?;
    stream.read_to_string(&mut answer).await?;
    Ok(answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let pay = FnTool::new("pay", "Pays", |it: Invoice| Ok::<_, ToolError>(format!("paid {}", it.invoice))).approve();
    let service = Service { agent: Agent::builder("Pay invoice 7.").tool(pay).build()?, desk: ApprovalDesk::new() };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (address, desk) = (listener.local_addr()?, service.desk.clone());
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(service.clone().answer(client));
        }
    });
    let manager = async { ask(address, &format!("POST /approve/{}", desk.next().await.ids().join(" "))).await };
    let (events, approved) = tokio::try_join!(ask(address, "GET /run/r1"), manager)?;
    println!("{approved}");
    for event in events.lines().filter_map(|line| line.strip_prefix("data: ")) {
        let event: serde_json::Value = serde_json::from_str(event)?;
        let text = |key| event.get(key).and_then(serde_json::Value::as_str).unwrap_or_default();
        println!("{} {}", text("event"), text("value"));
    }
    println!("{}", ask(address, "POST /approve/r1/1/1").await?);
    Ok(())
}
