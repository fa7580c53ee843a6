//! What clients read about servers before they call anything.

use super::*;
use crate::testing::sample::before_sample;

#[tokio::test]
async fn instructions_of_servers_are_before_their_tools() {
    for (is_new, mode) in [(false, OLD), (true, new())] {
        let folder = tempfile::tempdir().unwrap();
        let (gateway, _served) = before_sample(folder.path(), is_new, "").await;
        let client = connected_to(gateway, Client::saying(None), mode).await;
        let tools = client.list_all_tools().await.unwrap();
        let run = tools.iter().find(|tool| tool.name == "run_program").unwrap().description.as_deref().unwrap();
        let (_, after) = run.split_once("\nInstructions of s: Charts are drawn once a day.\ntool/s-ask").unwrap();
        assert!(!after.contains("Instructions"), "{run}");
        let said = json!({"s": "Charts are drawn\nonce a day."});
        let found = call(&client, "search_tools", json!({"query": "chart"})).await;
        assert_eq!((&found["instructions"], found["tools"].as_array().map(Vec::len)), (&said, Some(1)));
        let described = call(&client, "describe_tools", json!({"names": ["s-chart", "tool/s-fail", "look"]})).await;
        assert_eq!(described["instructions"], said);
        let own = call(&client, "describe_tools", json!({"names": ["look"]})).await;
        assert_eq!(own["instructions"], Json::Null);
    }
}
