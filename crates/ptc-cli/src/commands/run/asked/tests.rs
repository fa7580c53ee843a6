use std::path::Path;

use super::*;

#[test]
fn a_sentence_is_a_question_unless_it_names_a_file() {
    for text in ["Which month had the most rain?", "sum of rain", "Sum?", "哪个月雨最多？"] {
        assert_eq!(question(Path::new(text)), Some(text));
    }
    for file in ["bookings.toml", "my mission.toml", "count", " rain", "/"] {
        assert_eq!(question(Path::new(file)), None, "{file}");
    }
}

#[test]
fn saved_names_start_from_the_folder() {
    assert_eq!(seen_from(Path::new(""), "a.csv"), "a.csv");
    assert_eq!(seen_from(Path::new("kept/rain"), "data/a.csv"), "../../data/a.csv");
    assert_eq!(seen_from(Path::new("kept"), "kept/a.json"), "a.json");
}

#[test]
fn the_mission_of_a_question_is_toml() {
    let added = Added {
        files: vec![("rain".to_owned(), of_file("rain.csv"))],
        tools: vec![("rate".to_owned(), vec!["python3".to_owned(), "rate.py".to_owned()])],
        servers: vec![("crm".to_owned(), Access::Url("http://127.0.0.1/mcp".to_owned()))],
        returns: Some("{month :string}".to_owned()),
        ..Added::default()
    };
    insta::assert_snapshot!(added.mission("Which \"month\"?", Some(3), Path::new("")), @r#"
    mission = "Which \"month\"?"
    signature = "{month :string}"
    max_turns = 3

    [data.rain]
    file = "rain.csv"

    [tools.rate]
    command = ["python3", "rate.py"]

    [mcp.crm]
    url = "http://127.0.0.1/mcp"
    "#);
}

#[test]
fn data_files_have_the_options_of_mission_files() {
    let keys = data::table(r#"{ file = "data/a.csv", skip = 2, types = { day = "date" }, null = ["-"] }"#);
    let added = Added { files: vec![("rain".to_owned(), keys.unwrap().ok().unwrap())], ..Added::default() };
    insta::assert_snapshot!(added.mission("Which month?", None, Path::new("kept")), @r#"
    mission = "Which month?"

    [data.rain]
    file = "../data/a.csv"
    skip = 2
    types = { day = "date" }
    null = ["-"]
    "#);
    assert!(data::table("{\"file\": 1}").is_none() && data::table("a=b").is_none() && data::table("{a} = 1").is_none());
    let error = data::table("{ file = \"a.csv\" skip = 2 }").unwrap().err().unwrap().to_string();
    assert!(error.starts_with("--data { file = \"a.csv\" skip = 2 }: "), "{error}");
}

#[test]
fn options_are_pairs_of_a_name_and_words() {
    assert_eq!(words("--tool", "", "sh -c 'a b'").ok(), Some(vec!["sh".to_owned(), "-c".to_owned(), "a b".to_owned()]));
    assert!(words("--tool", "", "sh 'x").is_err() && words("--tool", "", "").is_err());
    assert!(pair("--tool", "rate", "NAME=COMMAND").is_err() && pair("--tool", "=x", "NAME=COMMAND").is_err());
}
