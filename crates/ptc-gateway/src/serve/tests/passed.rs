//! Resources and prompts of servers, in programs and for clients.

use rmcp::model::{
    ArgumentInfo, CompleteRequestParams, GetPromptRequestParams, ReadResourceRequestParams, Reference, ResultType,
};

use super::*;
use crate::testing::audit;
use crate::testing::sample::{before_sample, sample};
use crate::{Gateway, GatewayFile};

#[tokio::test]
async fn programs_read_resources_and_fill_in_prompts() {
    for (is_new, mode) in [(false, OLD), (true, new())] {
        let folder = tempfile::tempdir().unwrap();
        let (gateway, _served) = before_sample(folder.path(), is_new, "").await;
        let client = connected_to(gateway, Client::saying(None), mode).await;
        let program = r#"[(:due (tool/s-read_resource {:uri "memo:///today"}))
                          (mapv :text (tool/s-read_resource {:uri "memo:///days/1"}))
                          (tool/s-read_resource {:uri "memo:///logo"})
                          (:messages (tool/s-get_prompt {:name "draft" :arguments {:topic "rain"}}))
                          (try (tool/s-read_resource {:uri "memo:///x"}) (catch Exception e (ex-message e)))]"#;
        let result = client.call_tool(params("run_program", json!({"program": program}))).await.unwrap();
        let said = result.structured_content.unwrap();
        let [due, days, logo, messages, failed] = [0, 1, 2, 3, 4].map(|at| &said["value"][at]);
        assert_eq!((due, days, &logo["bytes"]), (&json!([1, 2]), &json!(["first", "second"]), &json!(8)), "{said}");
        assert_eq!(messages, &json!([{"role": "user", "content": "draft: rain"}]));
        assert!(failed.as_str().unwrap().contains("no memo memo:///x"), "{failed}");
        assert_eq!(json!(result.content[1])["resource"]["blob"], "iVBORw0KGgo=");
        let names = json!({"names": ["s-read_resource", "s-get_prompt"]});
        let described = call(&client, "describe_tools", names).await;
        let read = described["tools"][0]["description"].as_str().unwrap();
        for part in ["- memo:///today: today; What is due today.; application/json", "- memo:///days/{day}: day"] {
            assert!(read.contains(part), "{read}");
        }
        let prompt = described["tools"][1]["description"].as_str().unwrap();
        assert!(prompt.contains("- draft (topic, tone?): Drafts a memo."), "{prompt}");
        assert_eq!(described["tools"][0]["read_only"], true);
    }
}

#[tokio::test]
async fn clients_have_what_servers_have() {
    for (is_new, mode, said) in
        [(false, OLD, None), (true, new(), Some(ResultType::COMPLETE)), (false, new(), Some(ResultType::COMPLETE))]
    {
        let folder = tempfile::tempdir().unwrap();
        let (gateway, _served) = before_sample(folder.path(), is_new, "").await;
        let client = connected_to(gateway, Client::saying(None), mode).await;
        let uris = client.list_all_resources().await.unwrap();
        assert_eq!(uris.iter().map(|one| &*one.uri).collect::<Vec<_>>(), ["memo:///today", "memo:///logo"]);
        let templates = client.list_all_resource_templates().await.unwrap();
        assert_eq!(templates[0].uri_template, "memo:///days/{day}");
        for uri in ["memo:///today", "s+memo:///today", "memo:///days/2"] {
            let read = client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
            assert_eq!(json!(read.contents[0])["uri"], uri.trim_start_matches("s+"));
            assert_eq!(read.result_type, said);
        }
        assert!(client.read_resource(ReadResourceRequestParams::new("memo:///x")).await.is_err());
        let prompts = client.list_all_prompts().await.unwrap();
        assert_eq!((&*prompts[0].name, prompts[0].arguments.as_ref().map(Vec::len)), ("s-draft", Some(2)));
        let arguments = json!({"topic": "snow"}).as_object().cloned().unwrap();
        let filled = client.get_prompt(GetPromptRequestParams::new("s-draft").with_arguments(arguments)).await.unwrap();
        assert_eq!(json!(filled.messages)[0]["content"]["text"], "draft: snow");
        assert_eq!(filled.result_type, said);
        assert!(client.get_prompt(GetPromptRequestParams::new("draft")).await.is_err());
        for (reference, of) in [
            (Reference::for_prompt("s-draft"), "draft"),
            (Reference::for_resource("memo:///days/{day}"), "memo:///days/{day}"),
        ] {
            let argument = crate::testing::sample::typed::<ArgumentInfo>(json!({"name": "topic", "value": "ra"}));
            let completed = client.complete(CompleteRequestParams::new(reference, argument)).await.unwrap();
            assert_eq!(completed.completion.values, [format!("{of} ra")]);
            assert_eq!(completed.result_type, said);
        }
        let calls: Vec<Json> = audit(folder.path()).into_iter().filter(|line| line["event"] == "call").collect();
        assert_eq!(calls.len(), 7);
        assert_eq!(
            (&calls[0]["tool"], &calls[0]["parent"], &calls[0]["by"]),
            (&json!("s-read_resource"), &json!("direct"), &json!("the policy, for tester 1"))
        );
        let results = audit(folder.path()).into_iter().filter(|line| line["event"] == "result").count();
        assert_eq!(results, 7);
    }
}

#[tokio::test]
async fn what_programs_may_not_read_no_client_reads() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "[policy.a]\ndecide = \"deny\"\ntool = \"read_resource\"\nargs = { uri = \"memo:///logo\" }\n\
                 [policy.b]\ndecide = \"deny\"\ntool = \"get_prompt\"\n\
                 [policy.c]\ndecide = \"ask\"\ntool = \"read_resource\"\nargs = { uri = \"memo:///today\" }\n";
    let (gateway, _served) = before_sample(folder.path(), false, rules).await;
    let client = connected_to(gateway, Client::saying(None), OLD).await;
    let read = async |uri: &str| client.read_resource(ReadResourceRequestParams::new(uri)).await;
    assert!(read("memo:///days/1").await.is_ok());
    let denied = read("memo:///logo").await.unwrap_err().to_string();
    assert!(denied.contains("the policy denies this"), "{denied}");
    let asks = read("memo:///today").await.unwrap_err().to_string();
    assert!(asks.contains("this needs approval: call the tool in a program"), "{asks}");
    assert!(client.list_all_prompts().await.unwrap().is_empty());
    let refused = audit(folder.path()).into_iter().filter(|line| line["event"] == "refused");
    assert_eq!(refused.map(|line| line["args"]["uri"].clone()).collect::<Vec<_>>(), ["memo:///logo", "memo:///today"]);
}

#[tokio::test]
async fn a_first_request_waits_for_servers_that_start() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _served) = sample(folder.path(), false, "").await;
    let start = async || {
        let file = GatewayFile::from_text(folder.path().join("gateway.toml"), &file).unwrap();
        connected_to(Gateway::start(file).await.unwrap(), Client::saying(None), OLD).await
    };
    let read = start().await.read_resource(ReadResourceRequestParams::new("memo:///today")).await;
    assert!(read.is_ok(), "{read:?}");
    let unknown = start().await.get_prompt(GetPromptRequestParams::new("s-nothing")).await.unwrap_err().to_string();
    assert!(unknown.contains("no server has the prompt s-nothing"), "{unknown}");
    assert!(start().await.get_prompt(GetPromptRequestParams::new("s-draft")).await.is_ok());
}

#[tokio::test]
async fn equal_addresses_of_two_servers_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let other = "[mcp.t]\nurl = \"ADDRESS\"\n";
    let (gateway, _served) = before_sample(folder.path(), false, other).await;
    let client = connected_to(gateway, Client::saying(None), OLD).await;
    let uris = client.list_all_resources().await.unwrap();
    let uris: Vec<&str> = uris.iter().map(|one| &*one.uri).collect();
    assert_eq!(uris, ["memo:///today", "memo:///logo", "t+memo:///today", "t+memo:///logo"]);
    for (uri, server) in
        [("memo:///today", "s"), ("t+memo:///today", "t"), ("t+memo:///days/1", "t"), ("memo:///days/1", "s")]
    {
        assert!(client.read_resource(ReadResourceRequestParams::new(uri)).await.is_ok(), "{uri}");
        let lines = audit(folder.path());
        let call = lines.iter().rfind(|line| line["event"] == "call").unwrap();
        assert_eq!(call["server"], server, "{uri}");
    }
    let prompts = client.list_all_prompts().await.unwrap();
    assert_eq!(prompts.iter().map(|one| &*one.name).collect::<Vec<_>>(), ["s-draft", "t-draft"]);
}
