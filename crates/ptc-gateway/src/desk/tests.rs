use super::*;

fn request(n: usize) -> Json {
    json!({"method": "roots/list", "params": {"n": n}})
}

#[tokio::test]
async fn requests_wait_until_they_are_answered_or_given_up() {
    let desk = Arc::new(Desk::new("p/1".to_owned(), "c", Arc::default()));
    let asks = |n| {
        let desk = desk.clone();
        tokio::spawn(async move { Caller::answer(&*desk, "s", request(n)).await })
    };
    let first = asks(1);
    let [known] = &desk.next(&[]).await[..] else { panic!("one waits") };
    let second = asks(2);
    let [other] = &desk.next(std::slice::from_ref(&known.key)).await[..] else { panic!("one is new") };
    assert_eq!((&known.request, &other.request), (&request(1), &request(2)));
    desk.answer(&known.key, Ok(json!("yes")));
    assert_eq!(first.await.unwrap(), Ok(json!("yes")));
    second.abort();
    assert!(second.await.unwrap_err().is_cancelled());
    assert!(desk.waiting(&[]).is_empty());
}

#[tokio::test]
async fn only_so_many_requests_wait() {
    let desk = Desk::new("p/1".to_owned(), "c", Arc::default());
    let ask = |n| Caller::answer(&desk, "s", request(n));
    let mut open: Vec<_> = (0..MAX_OPEN).map(ask).collect();
    for asked in &mut open {
        assert!(futures::poll!(asked.as_mut()).is_pending());
    }
    assert!(ask(MAX_OPEN).await.unwrap_err().contains("at most 20"));
}
