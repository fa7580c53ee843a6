//! The facts of rows hold for their examples.

use super::{Callback, Returns, Size};
use crate::parse::{Form, FormKind, parse};
use crate::session::{Session, SessionOptions};
use crate::stdlib::Builtin;
use crate::stdlib::table::table;

fn rows() -> impl Iterator<Item = &'static Builtin> {
    table().iter().map(|(_, entry)| entry.row)
}

/// The texts of the arguments of an example, if it is a call of its row.
fn arguments<'e>(row: &Builtin, example: &'e str) -> Option<Vec<&'e str>> {
    let parsed = parse(example).ok()?;
    let [Form { kind: FormKind::List(parts), .. }] = parsed.forms.as_slice() else { return None };
    let (head, args) = parts.split_first()?;
    let name = head.name()?;
    (name == row.name)
        .then(|| args.iter().map(|arg| &example[arg.span.start as usize..arg.span.end as usize]).collect())
}

/// What holds of the result `r` of a call with these arguments, which are `a0`, `a1` and so on.
fn law_of_size(size: Size, arguments: usize) -> Option<String> {
    let count = |at: usize| format!("(count a{at})");
    let all = |from: usize| (from..arguments).map(count).collect::<Vec<_>>().join(" ");
    let at_most = |bound: &str| Some(format!("(<= (count r) {bound})"));
    match size {
        Size::Any | Size::Marker | Size::Results => None,
        Size::Scalar => Some("(not (or (coll? r) (string? r)))".to_owned()),
        Size::Same(at) => at_most(&count(at)),
        Size::Shorter(at) => at_most(&format!("(max 0 (dec {}))", count(at))),
        Size::Last => at_most(&count(arguments - 1)),
        Size::Shortest(from) => at_most(&format!("(min {})", all(from))),
        Size::Together => at_most(&format!("(+ {})", all(0))),
        Size::Both if arguments == 2 => at_most("(+ (count a0) (count a1))"),
        Size::Taken if arguments == 2 => at_most("(min a0 (count a1))"),
        Size::Number if arguments == 2 => at_most("a0"),
        Size::Range if arguments == 1 => at_most("a0"),
        Size::Arguments => at_most(&arguments.to_string()),
        Size::Two => at_most("2"),
        Size::Count => Some("(= r (count a0))".to_owned()),
        Size::Second => Some("(= r a1)".to_owned()),
        Size::Both | Size::Taken | Size::Number | Size::Range => None,
    }
}

fn law_of_kind(returns: Returns) -> Option<&'static str> {
    match returns {
        Returns::Any => None,
        Returns::Table => Some("(or (map? r) (set? r))"),
        Returns::TableOfFirst => Some("(let [r (unreduced r)] (or (not (or (map? a0) (set? a0))) (map? r) (set? r)))"),
        Returns::Number => Some("(number? r)"),
        Returns::Sequence => Some("(or (nil? r) (sequential? r))"),
    }
}

/// The function that is counted, and the most calls of it.
fn law_of_calls(callback: Callback, arguments: usize) -> Option<(usize, String)> {
    let count = |at: usize| format!("(count a{at})");
    let counts = (1..arguments).map(count).collect::<Vec<_>>().join(" ");
    Some(match callback {
        Callback::Each(f, coll) if arguments == f.max(coll) + 1 => (f, count(coll)),
        Callback::Rows if arguments > 1 => (0, format!("(min {counts})")),
        Callback::Fold if arguments == 2 => (0, format!("(max 1 {})", count(1))),
        Callback::Fold if arguments == 3 => (0, count(2)),
        Callback::Once(f) if arguments > f => (f, "1".to_owned()),
        Callback::Times if arguments == 2 => (1, "a0".to_owned()),
        Callback::PerArgument if arguments > 1 => (0, (arguments - 1).to_string()),
        Callback::All => (0, "1".to_owned()),
        Callback::Makes(_) if arguments > 0 => (0, "0".to_owned()),
        _ => return None,
    })
}

/// Whether this program is true.
fn holds(program: &str) -> Option<bool> {
    let outcome = Session::new(SessionOptions::default()).run(program, &mut |_| unreachable!());
    outcome.value().map(|value| value.to_string() == "true")
}

#[test]
fn the_examples_of_each_row_keep_its_facts() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows() {
        for (example, _) in row.examples {
            let Some(args) = arguments(row, example).filter(|args| !row.is_stage(args.len())) else { continue };
            let lets: String = args.iter().enumerate().map(|(at, text)| format!("a{at} {text} ")).collect();
            let names: String = (0..args.len()).map(|at| format!(" a{at}")).collect();
            let call = format!("({}{names})", row.name);
            let laws = law_of_size(row.facts.size, args.len()).into_iter();
            for law in laws.chain(law_of_kind(row.facts.returns).map(ToOwned::to_owned)) {
                let program = format!("(let [{lets} r {call}] {law})");
                // A short function as an argument has its parameters in the call.
                let Some(is_kept) = holds(&program) else { continue };
                checked += 1;
                if !is_kept {
                    wrong.push(program);
                }
            }
            let Some((f, most)) = row.facts.callback.and_then(|callback| law_of_calls(callback, args.len())) else {
                continue;
            };
            let counted = format!("calls (atom 0) f a{f} a{f} (fn [& args] (swap! calls inc) (apply f args))");
            let program = format!("(let [{lets} {counted} r {call} _ (str r)] (<= @calls {most}))");
            let Some(is_kept) = holds(&program) else { continue };
            checked += 1;
            if !is_kept {
                wrong.push(program);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 150, "{checked} laws were checked");
}

#[test]
fn a_test_of_presence_tells_nil_from_something() {
    for (row, is_there) in rows().filter_map(|row| Some((row, row.facts.presence?))) {
        let program = format!("(= {is_there} (not ({} nil)))", row.name);
        assert_eq!(holds(&program), Some(true), "{program}");
    }
}

/// The names of parameters that are functions.
const FUNCTIONS: [&str; 9] = ["f", "pred", "key", "keyfn", "g", "fns", "fs", "preds", "xform"];

#[test]
fn a_row_that_takes_a_function_says_what_it_does_with_it() {
    let takes = |row: &Builtin| {
        let mut names = row.params.iter().flat_map(|params| params.trim_matches(['[', ']']).split_whitespace());
        names.any(|name| FUNCTIONS.contains(&name))
    };
    let silent: Vec<&str> = rows()
        .filter(|row| !row.name.starts_with('%') && row.facts.callback.is_none() && takes(row))
        .map(|row| row.name)
        .collect();
    assert!(silent.is_empty(), "these rows have no `callback` (see stdlib/facts.rs): {}", silent.join(" "));
}

/// The strings of a source file that are next to each other in a list, and the words of each string.
fn lists(text: &str) -> Vec<Vec<&str>> {
    let mut lists = vec![Vec::new()];
    let mut parts = text.split('"');
    let mut between = parts.next().unwrap_or_default();
    while let (Some(string), Some(next)) = (parts.next(), parts.next()) {
        if !between.trim_matches([',', ' ', '\n', '|']).is_empty() {
            lists.push(Vec::new());
        }
        lists.last_mut().unwrap().push(string);
        lists.push(string.split_whitespace().collect());
        lists.rotate_right(1);
        between = next;
    }
    lists
}

/// A list of builtins that is not in their rows is one that a new builtin can miss. A few in one `match` share a rule.
#[test]
fn no_file_lists_builtins() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                if !["stdlib", "tests", "testing"].contains(&name) {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && !["tests.rs", "testing.rs"].contains(&name) {
                let text = std::fs::read_to_string(&path).unwrap();
                let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
                for list in lists(&code.join("\n")) {
                    let builtins = list.iter().filter(|word| table().find(word).is_some()).count();
                    if builtins > 8 && builtins * 3 >= list.len() * 2 {
                        found.push(format!("{}: {list:?}", path.strip_prefix(&source).unwrap().display()));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
