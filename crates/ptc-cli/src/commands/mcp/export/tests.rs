use super::*;

#[test]
fn each_client_is_told_in_its_form() {
    let of = |client: Client| written(&client.form().0, "/opt/p tc/ptc", "/srv/it's.toml");
    for client in Client::value_variants() {
        let text = of(*client);
        let (command, args) = match client.form().0 {
            Form::Line(_) => {
                assert_eq!(text, r"claude mcp add gateway -- '/opt/p tc/ptc' mcp '/srv/it'\''s.toml'");
                continue;
            }
            Form::Json(key, further) => {
                let json: Json = serde_json::from_str(&text).unwrap();
                let server = &json[key][NAME];
                further.iter().for_each(|(key, value)| assert_eq!(server[*key], *value));
                (server["command"].clone(), server["args"].clone())
            }
            Form::Toml(table) => {
                let toml: toml::Table = toml::from_str(&text).unwrap();
                let server = serde_json::to_value(&toml[table][NAME]).unwrap();
                (server["command"].clone(), server["args"].clone())
            }
        };
        assert_eq!((command, args), (json!("/opt/p tc/ptc"), json!(["mcp", "/srv/it's.toml"])), "{text}");
    }
}
