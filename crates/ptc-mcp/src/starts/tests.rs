use super::*;
use crate::{Server, ServerSpec};

/// A command that ends at once.
fn ending(name: &str) -> Server {
    Server::start(ServerSpec::command(name, "sh", ["-c", "exit 3"]))
}

#[tokio::test]
async fn a_server_that_somebody_needs_does_not_wait_for_its_turn() {
    let places = available_parallelism().map_or(1, usize::from);
    let all = PLACES.acquire_many(places.try_into().unwrap()).await.unwrap();
    let (first, second) = (ending("first"), ending("second"));
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(first.status().is_starting && second.status().is_starting);
    second.wanted().await;
    assert!(second.status().problem.is_some() && first.status().is_starting);
    // No process is started for an address.
    let far = Server::start(ServerSpec::http("far", "http://127.0.0.1:1/mcp"));
    far.settled().await;
    drop(all);
    first.settled().await;
    assert!(first.status().problem.is_some());
}
