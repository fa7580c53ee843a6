//! Missions that the command writes for beginners.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

#[cfg(unix)]
use super::command;
use super::{ptc, shown};

/// The three products with the most revenue of 2025 and the pieces sold, computed without the interpreter.
fn best(folder: &Path) -> Vec<(String, i64, f64)> {
    let mut sums: BTreeMap<String, (i64, f64)> = BTreeMap::new();
    let text = fs::read_to_string(folder.join("orders.csv")).unwrap();
    for line in text.lines().skip(1) {
        let (front, product, rest) = match line.split('"').collect::<Vec<_>>()[..] {
            [front, product, rest] => (front, product, &rest[1..]),
            _ => {
                let cells: Vec<&str> = line.splitn(5, ',').collect();
                (line, cells[3], cells[4])
            }
        };
        let cells: Vec<&str> = rest.split(',').collect();
        if front.split(',').nth(1).unwrap().starts_with("2025") && cells[2] == "delivered" {
            let (sold, revenue) = sums.entry(product.to_owned()).or_default();
            let quantity: i64 = cells[0].parse().unwrap();
            *sold += quantity;
            *revenue += quantity as f64 * cells[1].parse::<f64>().unwrap();
        }
    }
    let mut best: Vec<_> = sums.into_iter().map(|(product, (sold, revenue))| (product, sold, revenue)).collect();
    best.sort_by(|left, right| right.2.total_cmp(&left.2));
    best.truncate(3);
    best
}

fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

/// The output of `ptc run FILE --json`.
fn answer(folder: &Path, mission: &str) -> Json {
    let (step, _) = shown(folder, &["run", mission, "--json"]);
    serde_json::from_str::<Json>(&step).unwrap()["return"].take()
}

#[test]
fn a_new_mission_runs_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (told, remarks) = shown(folder.path(), &["init", "shop"]);
    insta::assert_snapshot!(told, @r"
    wrote mission.toml, orders.csv, answers.jsonl, mission.schema.json in shop
    next:
      ptc run shop/mission.toml                      # answers are recorded ones, no model is asked
      ptc check shop/mission.toml                    # after each change: all that is wrong with it
      ptc run shop/mission.toml --llm ollama:qwen3   # a model is asked; `ptc run --help` names others
    ");
    assert_eq!(remarks, "");
    assert_eq!(
        shown(folder.path(), &["check", "shop/mission.toml"]),
        ("shop/mission.toml: no problems; data: year, orders (52 elements)\ndata/orders: shop/orders.csv: CSV, cells separated by `,`; 52 rows: id text, placed dates as text, country text, product text, quantity integers, price numbers, status text\n".into(), String::new())
    );
    let shop = folder.path().join("shop");
    let expected: Vec<Json> = best(&shop)
        .iter()
        .map(|(product, _, revenue)| json!({"product": product, "revenue": cents(*revenue)}))
        .collect();
    assert_eq!(expected.len(), 3);
    assert_eq!(answer(folder.path(), "shop/mission.toml"), Json::from(expected));
    assert_eq!(fs::read_to_string(shop.join(".gitignore")).unwrap(), ".ptc/\n");
    let (schema, _) = shown(folder.path(), &["schema"]);
    assert_eq!(fs::read_to_string(shop.join("mission.schema.json")).unwrap(), schema);
    assert!(fs::read_to_string(shop.join("mission.toml")).unwrap().starts_with("#:schema ./mission.schema.json\n"));
}

/// The answer of the mission with a tool.
fn with_tool(folder: &Path) -> Json {
    let left = |product: &str| match product {
        "Backpack, grey" => 2,
        "Wool blanket" => 1,
        other => {
            assert_eq!(other, "Tea tin, Assam");
            7
        }
    };
    let row = |(product, sold, revenue): (String, i64, f64)| {
        let weeks = (52.0 * f64::from(left(&product)) / sold as f64 * 10.0).round() / 10.0;
        json!({"product": product, "revenue": cents(revenue), "left": left(&product), "weeks": weeks})
    };
    best(folder).into_iter().map(row).collect()
}

#[test]
fn a_new_mission_with_a_tool_runs_at_once() {
    let folder = tempfile::tempdir().unwrap();
    shown(folder.path(), &["init", "--with-tool", "--name", "stock.toml"]);
    assert_eq!(shown(folder.path(), &["check", "stock.toml"]).1, "");
    assert_eq!(answer(folder.path(), "stock.toml"), with_tool(folder.path()));
}

/// Where python3 does not run, the tool is a script of the shell.
#[cfg(unix)]
#[test]
fn the_tool_is_a_script_of_the_shell_where_there_is_no_python() {
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().join("bin");
    fs::create_dir(&programs).unwrap();
    for program in ["sh", "sed"] {
        let known = ["/bin", "/usr/bin"].map(|place| Path::new(place).join(program));
        std::os::unix::fs::symlink(known.iter().find(|path| path.exists()).unwrap(), programs.join(program)).unwrap();
    }
    let here = |args: &[&str]| {
        let output = command(folder.path(), args).env("PATH", &programs).output().unwrap();
        let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(0), "{err}");
        (out, err)
    };
    assert_eq!(here(&["init", "--with-tool"]).1, "note: python3 does not run here, so the tool is written in sh\n");
    assert_eq!(here(&["check", "mission.toml"]).1, "");
    let step: Json = serde_json::from_str(&here(&["run", "mission.toml", "--json"]).0).unwrap();
    assert_eq!(step["return"], with_tool(folder.path()));
    fs::remove_file(programs.join("sh")).unwrap();
    let output = command(folder.path(), &["init", "other", "--with-tool"]).env("PATH", &programs).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("other").exists());
}

#[test]
fn nothing_is_replaced_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    fs::write(folder.path().join("mission.toml"), "mission = \"mine\"\n").unwrap();
    fs::write(folder.path().join(".gitignore"), "target\n").unwrap();
    insta::assert_snapshot!(super::refused(folder.path(), &["init"]), @"error: this folder has mission.toml already, and nothing was written: name another folder, or add --force to replace what is there");
    assert_eq!(
        (read("mission.toml"), folder.path().join("orders.csv").exists()),
        ("mission = \"mine\"\n".into(), false)
    );
    insta::assert_snapshot!(shown(folder.path(), &["init", "--force"]).1, @"note: mission.toml was replaced");
    assert!(read("mission.toml").starts_with("#:schema"));
    assert_eq!(read(".gitignore"), "target\n");
    // An identical file does no harm.
    assert_eq!(shown(folder.path(), &["init"]).1, "");
    let refused = ptc(folder.path(), &["init", "--name", "../up"]);
    assert_eq!(refused.status.code(), Some(2));
}
