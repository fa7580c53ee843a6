//! Fields that the data and the results of tools do not have.

use super::*;

#[tokio::test]
async fn a_program_that_fails_is_told_what_its_tools_give() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "[tools.list]\nprogram = \"[{:id 1 :open true}]\"\neffect = \"read\"").await;
    let said = report(&gateway, "(+ 1 (:id (tool/list {})))", None).await;
    assert_eq!(said["notes"], json!(["tool/list gives [{id :int, open :bool}]  ; observed in 1 call"]), "{said}");
    // The next program that looks for another field is warned before it fails.
    let said = report(&gateway, "(map :opne (tool/list {}))", None).await;
    assert_eq!(said["status"], "ok", "{said}");
    let warning = "line 1: no known record of the result of tool/list has :opne; did you mean :open?";
    assert_eq!(said["warnings"], json!([warning]), "{said}");
    let said = report(&gateway, "(map :open (tool/list {}))", None).await;
    assert!(said.get("warnings").is_none(), "{said}");
    // A tool that declares its result is not observed.
    let said = report(&gateway, "(+ 1 (:nobody (tool/look {:n 1})))", None).await;
    assert!(said["error"]["reason"] == "type_error" && said.get("notes").is_none(), "{said}");
}

#[tokio::test]
async fn a_field_that_no_record_has_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("trips.csv"), "id,cost\n1,5\n2,7\n").unwrap();
    let gateway = gateway(folder.path(), "[data]\ntrips = { file = \"trips.csv\" }").await;
    let said = report(&gateway, "(do (tool/look {:n 1}) (sum-by :cots data/trips))", None).await;
    assert_eq!(said["error"]["reason"], "problems", "{said}");
    let message = said["error"]["message"].as_str().unwrap();
    assert!(message.contains("no record of data/trips has :cots; did you mean :cost?"), "{said}");
    assert!(said.get("calls").is_none(), "{said}");
    let said = report(&gateway, "(sum-by :cost data/trips)", None).await;
    assert_eq!(said["value"], json!(12), "{said}");
}
