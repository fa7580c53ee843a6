use futures::stream;

use super::*;

/// Start a session; `None` when there are as many as allowed.
async fn started(sessions: &Sessions) -> Option<SessionId> {
    match sessions.create_session().await {
        Ok((id, _transport)) => Some(id),
        Err(SessionsError::Full(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

fn count(sessions: &Sessions) -> usize {
    lock(&sessions.known).len()
}

async fn is_there(sessions: &Sessions, id: &SessionId) -> bool {
    sessions.has_session(id).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn sessions_in_use_are_not_closed_for_new_ones() {
    let sessions = Sessions::new(|| 3);
    let [asking, reading, silent] =
        [started(&sessions).await.unwrap(), started(&sessions).await.unwrap(), started(&sessions).await.unwrap()];
    sessions.used(&asking, true);
    let stream = sessions.open(&reading, stream::pending::<()>());
    assert_eq!(started(&sessions).await, None, "all are new");
    let error = sessions.create_session().await.err().unwrap().to_string();
    assert_eq!(
        error,
        "all 3 sessions are in use (`max_sessions` in the gateway file): end sessions that are no longer needed with DELETE, or try again in a minute"
    );
    tokio::time::advance(NEW).await;
    let newer = started(&sessions).await.unwrap();
    assert!(!is_there(&sessions, &silent).await, "it requested nothing");
    assert_eq!(started(&sessions).await, None);
    tokio::time::advance(NEW).await;
    sessions.used(&newer, true);
    assert_eq!(started(&sessions).await, None, "the others request something or read");
    tokio::time::advance(LIVE - NEW).await;
    sessions.used(&newer, true);
    assert!(started(&sessions).await.is_some());
    assert!(!is_there(&sessions, &asking).await && is_there(&sessions, &newer).await, "the longest unused one");
    drop(stream);
    tokio::time::advance(IDLE).await;
    sessions.close_idle().await;
    assert_eq!(count(&sessions), 0);
}

#[tokio::test(start_paused = true)]
async fn a_session_with_an_open_stream_is_never_idle() {
    let sessions = Sessions::new(|| 3);
    let [waiting, silent] = [started(&sessions).await.unwrap(), started(&sessions).await.unwrap()];
    let _stream = sessions.open(&waiting, stream::pending::<()>());
    tokio::time::advance(IDLE - Duration::from_secs(1)).await;
    sessions.close_idle().await;
    assert_eq!(count(&sessions), 2);
    tokio::time::advance(Duration::from_secs(1)).await;
    sessions.close_idle().await;
    assert!(is_there(&sessions, &waiting).await && !is_there(&sessions, &silent).await);
}

#[tokio::test(start_paused = true)]
async fn any_number_of_new_clients_takes_no_more_than_the_bound() {
    let sessions = Sessions::new(|| 50);
    let mut refused = 0;
    for _ in 0..6_000 {
        refused += u32::from(started(&sessions).await.is_none());
        assert!(count(&sessions) <= 50 && sessions.local.sessions.read().await.len() <= 50);
    }
    assert_eq!((count(&sessions), refused), (50, 5_950));
}
