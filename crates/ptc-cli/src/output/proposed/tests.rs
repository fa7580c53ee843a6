use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

#[test]
fn what_an_address_hides_is_a_variable() {
    let servers = ["a=https://h/mcp?key=k1", "b=https://h/mcp", "c=https://me:k2@h/mcp"];
    let command = Proposed::new("ptc run", &["my m.toml"])
        .option("--llm", Some("https://h/v1?key=k0#m"))
        .option("--mcp", servers);
    assert_snapshot!(command, @r#"ptc run 'my m.toml' --llm "$PTC_LLM" --mcp "$PTC_MCP" --mcp b=https://h/mcp --mcp "$PTC_MCP_2""#);
    assert_snapshot!(command.before().unwrap(), @"set PTC_LLM to https://h/v1?[hidden]#m and PTC_MCP to a=https://h/mcp?[hidden] and PTC_MCP_2 to c=https://[hidden]@h/mcp with its key in place of [hidden], which is not printed");
    assert!(Proposed::new("ptc run", &["m.toml"]).option("--llm", Some("https://h/v1#m")).before().is_none());
}

proptest! {
    /// A shell that has the variables reads the words as they were given, and no key is in the command or before it.
    #[test]
    fn a_command_says_what_was_given_and_no_key(
        values in proptest::collection::vec("(a=)?https?://(me:KEY@)?h(:80)?/[a-z']{0,4}(\\?api-version=KEY)?(#m 1)?", 0..4),
        about in "[a-z '?]{1,8}",
    ) {
        let command = Proposed::new("ptc run", &[&about]).option("--mcp", &values);
        let printed = format!("{command} {:?}", command.before());
        prop_assert!(!printed.contains("KEY"), "{}", printed);
        let hidden: Vec<&String> = values.iter().filter(|value| value.contains("KEY")).collect();
        let variables: Vec<&str> = command.unset.iter().map(|unset| unset.variable.as_str()).collect();
        prop_assert_eq!(variables.len(), hidden.len());
        let read = shlex::split(&command.to_string()).unwrap().into_iter().map(|word| {
            let at = variables.iter().position(|name| word.strip_prefix('$') == Some(*name));
            at.map_or(word, |at| hidden[at].clone())
        });
        let given = ["ptc", "run", &about].into_iter().chain(values.iter().flat_map(|value| ["--mcp", value]));
        prop_assert_eq!(read.collect::<Vec<_>>(), given.collect::<Vec<_>>());
    }
}
