use rmcp::model::NumberOrString;
use serde_json::json;

use super::*;

struct Named(&'static str);

impl Caller for Named {
    fn name(&self) -> &str {
        self.0
    }

    fn reader(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }

    fn keep(&self, _: Json) -> String {
        String::new()
    }

    fn answer<'a>(&'a self, server: &'a str, request: Json) -> BoxFuture<'a, Result<Json, String>> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(100)).await;
            Ok(json!([self.0, server, request]))
        })
    }

    fn logged(&self, _: &str, _: Json) {}
}

/// Calls in flight for these callers.
fn calls(callers: &[Option<&'static str>]) -> (Arc<Calls>, Vec<Arc<InFlight>>) {
    let calls = Arc::new(Calls::default());
    let in_flight = callers.iter().enumerate().map(|(at, name)| {
        let call = Arc::new(InFlight::new(name.map(|name| Arc::new(Named(name)) as Arc<dyn Caller>)));
        calls.insert(ProgressToken(NumberOrString::Number(at as i64)), call.clone());
        call
    });
    let in_flight = in_flight.collect();
    (calls, in_flight)
}

#[test]
fn who_is_meant_is_known_where_all_calls_are_for_one() {
    let meant =
        |callers: &[Option<&'static str>]| calls(callers).0.only_caller().map(|caller| caller.name().to_owned());
    assert_eq!(meant(&[Some("a"), Some("a")]).as_deref(), Ok("a"));
    assert!(meant(&[Some("a"), Some("b")]).unwrap_err().contains("not known which one"));
    assert!(meant(&[Some("a"), None]).unwrap_err().contains("not known which one"));
    assert!(meant(&[None]).unwrap_err().contains("no call") && meant(&[]).unwrap_err().contains("no call"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_waits_for_an_answer_is_not_silent() {
    let (calls, in_flight) = calls(&[Some("a")]);
    let began = Instant::now();
    let answer = calls.answer("s", json!("?"));
    let silence = in_flight[0].silence(Duration::from_secs(10));
    let silent_after = async {
        silence.await;
        began.elapsed().as_secs()
    };
    let (answer, silent_after) = tokio::join!(answer, silent_after);
    assert_eq!(answer, Ok(json!(["a", "s", "?"])));
    assert_eq!(silent_after, 110);
}

#[tokio::test(start_paused = true)]
async fn logs_are_for_the_only_reader_of_late() {
    let reader = |calls: &Calls| calls.log_reader().map(|caller| caller.reader().to_owned());
    let token = |number| ProgressToken(NumberOrString::Number(number));
    let (calls, _) = calls(&[Some("ann/1"), Some("ann/2")]);
    assert_eq!(reader(&calls).as_deref(), Some("ann"));
    calls.remove(&token(0));
    calls.remove(&token(1));
    assert_eq!(reader(&calls).as_deref(), Some("ann"));
    // What ann's calls have caused may still be on its way.
    calls.insert(token(2), Arc::new(InFlight::new(Some(Arc::new(Named("ben/1"))))));
    assert_eq!(reader(&calls), None);
    tokio::time::sleep(LATE).await;
    assert_eq!(reader(&calls).as_deref(), Some("ben"));
    calls.remove(&token(2));
    tokio::time::sleep(LATE).await;
    assert_eq!(reader(&calls), None);
}
