//! Images, sounds and files of results reach the client.

use rmcp::model::CallToolResult;

use super::*;
use crate::running::ProgramResult;
use crate::testing::sample::before_sample;

async fn run(client: &RunningService<RoleClient, Client>, program: &str, session: Option<&str>) -> CallToolResult {
    let mut arguments = json!({"program": program});
    if let Some(session) = session {
        arguments["session"] = json!(session);
    }
    client.call_tool(params("run_program", arguments)).await.unwrap()
}

/// The blocks of an answer after its text, as JSON.
fn blocks(result: &CallToolResult) -> Json {
    json!(result.content[1..])
}

#[tokio::test]
async fn what_a_program_returns_follows_its_answer() {
    for (is_new, mode) in [(false, OLD), (true, new())] {
        let folder = tempfile::tempdir().unwrap();
        let (gateway, _served) = before_sample(folder.path(), is_new, "").await;
        let client = connected_to(gateway, Client::saying(None), mode).await;
        let result = run(&client, "(def c (tool/s-chart {})) c", None).await;
        let said = result.structured_content.clone().unwrap();
        let [image, sound] = [0, 1].map(|at| said["value"]["attachments"][at].clone());
        assert_eq!(
            (&said["value"]["points"], &image["bytes"], &sound["type"]),
            (&json!(2), &json!(8), &json!("audio"))
        );
        assert_eq!(said["attachments"], json!([image["ref"], sound["ref"]]));
        assert_eq!(
            blocks(&result),
            json!([
                {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="},
                {"type": "audio", "mimeType": "audio/wav", "data": "UklGRg=="},
            ])
        );
        // Only what the value refers to, also in a later program.
        let session = said["session"].as_str();
        assert_eq!(blocks(&run(&client, "(:points c)", session).await), json!([]));
        let later = run(&client, "(second (:attachments c))", session).await;
        assert_eq!(blocks(&later), json!([{"type": "audio", "mimeType": "audio/wav", "data": "UklGRg=="}]));
    }
}

#[tokio::test]
async fn links_and_files_follow_and_texts_are_values() {
    let folder = tempfile::tempdir().unwrap();
    let (gateway, _served) = before_sample(folder.path(), false, "").await;
    let client = connected_to(gateway, Client::saying(None), OLD).await;
    let result = run(&client, "(tool/s-files {})", None).await;
    let value = &result.structured_content.as_ref().unwrap()["value"];
    assert_eq!((&value[1]["bytes"], &value[2]["text"], &value[2]["ref"]), (&json!(3), &json!("see"), &Json::Null));
    assert_eq!(
        blocks(&result),
        json!([
            {"type": "resource_link", "uri": "file:///a.txt", "name": "a.txt"},
            {"type": "resource", "resource": {"uri": "file:///b.bin", "mimeType": "application/octet-stream", "blob": "AAEC"}},
        ])
    );
}

#[tokio::test]
async fn a_failure_has_its_structured_content() {
    let folder = tempfile::tempdir().unwrap();
    let (gateway, _served) = before_sample(folder.path(), true, "").await;
    let client = connected_to(gateway, Client::saying(None), new()).await;
    let program = "(try (tool/s-fail {}) (catch Exception e [(:data (ex-data e)) (ex-message e)]))";
    let said = run(&client, program, None).await.structured_content.unwrap();
    assert_eq!(said["value"][0], json!({"code": 404, "order": "A-7"}));
    assert!(said["value"][1].as_str().unwrap().contains("no such order"), "{said}");
}

#[tokio::test]
async fn an_older_answer_says_that_its_blocks_are_gone() {
    let folder = tempfile::tempdir().unwrap();
    let (gateway, _served) = before_sample(folder.path(), false, "").await;
    let server = McpServer::new(gateway).unwrap();
    let report = json!({"value": {"ref": "attachment:ab"}, "attachments": ["attachment:ab"]});
    let result = server.answer(&ProgramResult { report, is_ok: true, is_kept: true });
    assert_eq!(result.content.len(), 1);
    let cut = &result.structured_content.unwrap()["cut"];
    assert_eq!(cut, &json!(["attachments: some are no longer kept: call their tools again"]));
}
