//! What servers ask and log during a call reaches the client of the program.
#![expect(deprecated, reason = "servers have roots, sampling and logs, also those of the newest revision")]

use rmcp::model::{CreateMessageRequestParams, CreateMessageResult, ListRootsResult, LoggingMessageNotificationParam};

use super::*;
use crate::testing::sample::{before_sample, typed};

/// A client that can do everything, or nothing.
#[derive(Clone)]
struct Able {
    is_able: bool,
    asked: Arc<Mutex<Vec<String>>>,
    logged: Arc<Mutex<Vec<Json>>>,
}

impl Able {
    fn new(is_able: bool) -> Able {
        Able { is_able, asked: Arc::default(), logged: Arc::default() }
    }
}

impl ClientHandler for Able {
    fn get_info(&self) -> ClientConfig {
        let all = json!({"elicitation": {"form": {}}, "sampling": {}, "roots": {}});
        let has = if self.is_able { typed(all) } else { ClientCapabilities::default() };
        ClientConfig::new(has, Implementation::new("able", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            self.asked.lock().unwrap().push(message);
        }
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({"day": "Monday"})))
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Ok(typed(json!({"role": "assistant", "content": {"type": "text", "text": "4"}, "model": "m"})))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(typed(json!({"roots": [{"uri": "file:///work", "name": "work"}]})))
    }

    async fn on_logging_message(&self, told: LoggingMessageNotificationParam, _: NotificationContext<RoleClient>) {
        self.logged.lock().unwrap().push(json!(told));
    }
}

/// The revisions of the server and of the client.
fn revisions() -> [(bool, ClientLifecycleMode); 4] {
    [(false, OLD), (true, new()), (false, new()), (true, OLD)]
}

async fn value(client: &RunningService<RoleClient, Able>, program: &str) -> Json {
    let said = client.call_tool(params("run_program", json!({"program": program}))).await.unwrap();
    let said = said.structured_content.unwrap();
    assert_eq!(said["status"], "ok", "{said}");
    said["value"].clone()
}

#[tokio::test]
async fn a_client_answers_what_servers_ask() {
    for (is_new, mode) in revisions() {
        let folder = tempfile::tempdir().unwrap();
        let (gateway, _served) = before_sample(folder.path(), is_new, "").await;
        let able = Able::new(true);
        let asked = able.asked.clone();
        let client = connected_to(gateway, able, mode).await;
        let said = value(&client, "(pmap (fn [f] (f {})) [tool/s-ask tool/s-think tool/s-folders])").await;
        assert_eq!(said[0]["content"], json!({"day": "Monday"}), "{said}");
        assert_eq!(said[1]["content"]["text"], "4", "{said}");
        assert_eq!(said[2]["roots"][0]["uri"], "file:///work", "{said}");
        assert_eq!(*asked.lock().unwrap(), ["The MCP server s asks: Which day?"]);
    }
}

#[tokio::test]
async fn what_a_client_cannot_answer_is_refused_with_words() {
    for (is_new, mode) in revisions() {
        let folder = tempfile::tempdir().unwrap();
        let (gateway, _served) = before_sample(folder.path(), is_new, "").await;
        let client = connected_to(gateway, Able::new(false), mode).await;
        let said = value(
            &client,
            "(mapv (fn [f] (try (f {}) (catch Exception e (ex-message e)))) [tool/s-ask tool/s-think tool/s-folders])",
        )
        .await;
        for (at, words) in
            ["cannot ask its user", "cannot ask a model for a server", "cannot name folders"].iter().enumerate()
        {
            let told = said[at].as_str().unwrap();
            assert!(told.contains("the client able 1") && told.contains(words), "{told}");
        }
    }
}

#[tokio::test]
async fn logs_of_servers_reach_the_client() {
    for is_new in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let (gateway, _served) = before_sample(folder.path(), is_new, "").await;
        let able = Able::new(true);
        let logged = able.logged.clone();
        let client = connected_to(gateway, able, OLD).await;
        // A server may log before the stream is open by which it can: then again.
        for _ in 0..50 {
            assert_eq!(value(&client, "(tool/s-log {})").await, json!("logged"));
            // A notification may arrive after the answer.
            tokio::time::sleep(Duration::from_millis(50)).await;
            if !logged.lock().unwrap().is_empty() {
                break;
            }
        }
        let logged = logged.lock().unwrap().clone();
        let line = json!({"level": "warning", "logger": "s/pump", "data": "at warning"});
        assert!(!logged.is_empty() && logged.iter().all(|logged| *logged == line), "{is_new} {logged:?}");
    }
}
