//! A resolved program as text: `$0` is a local, `^0` a captured value, `@x` a definition.

use super::world::World;
use crate::analyze::ir::{Arity, Catch, Function, Kind, Node, Slot};
use crate::value::Value;

pub(super) fn program(function: &Function, world: &World) -> String {
    function.arities.iter().map(|arity| node(&arity.body, world)).collect::<Vec<_>>().join(" ")
}

fn node(it: &Node, world: &World) -> String {
    match &it.kind {
        Kind::Const(value) => constant(value),
        Kind::Local { slot, .. } => format!("${slot}"),
        Kind::Capture(number) => format!("^{number}"),
        Kind::SelfFn => "self".to_owned(),
        Kind::Sibling(number) => format!("sibling-{number}"),
        Kind::Global(number) => format!("@{}", world.global_name(*number)),
        Kind::Data(name) => format!("data/{name}"),
        Kind::Tool(name) => format!("tool/{name}"),
        Kind::History(number) => format!("*{number}"),
        Kind::Cond { clauses, default } if let [(test, then)] = clauses.as_slice() => {
            format!("(if {} {} {})", node(test, world), node(then, world), node(default, world))
        }
        Kind::Cond { clauses, default } => {
            let clauses: Vec<String> =
                clauses.iter().map(|(test, then)| format!("{} => {}", node(test, world), node(then, world))).collect();
            format!("(cond {} else {})", clauses.join(", "), node(default, world))
        }
        Kind::Do(items) => group("do", &nodes(items, world)),
        Kind::And(items) => group("and", &nodes(items, world)),
        Kind::Or(items) => group("or", &nodes(items, world)),
        Kind::Let { bindings, body } => format!("(let [{}] {})", bound(bindings, world), node(body, world)),
        Kind::Loop { bindings, body } => format!("(loop [{}] {})", bound(bindings, world), node(body, world)),
        Kind::Recur(items) => group("recur", &nodes(items, world)),
        Kind::Call { callee, args } => group(&node(callee, world), &nodes(args, world)),
        Kind::Fn(function) => closure(function, world),
        Kind::LetFn { slots, functions, captures, body } => {
            let functions: Vec<String> = functions.iter().map(|function| closure(function, world)).collect();
            let body = node(body, world);
            format!("(letfn {slots:?} {captures:?} {} {body})", functions.join(" "))
        }
        // The analyzer creates none of these.
        Kind::Each(_)
        | Kind::Update(_)
        | Kind::Replace { .. }
        | Kind::Clear { .. }
        | Kind::Lazily { .. }
        | Kind::InPart { .. }
        | Kind::Leave
        | Kind::Skip
        | Kind::Stop => {
            format!("{:?}", it.kind)
        }
        Kind::Vector(items) => format!("[{}]", nodes(items, world)),
        Kind::Map(items) => format!("{{{}}}", nodes(items, world)),
        Kind::Set(items) => format!("#{{{}}}", nodes(items, world)),
        Kind::Def { name, value, doc, once, .. } => {
            let doc = doc.as_ref().map(|doc| format!("{doc:?} ")).unwrap_or_default();
            let head = if *once { "defonce" } else { "def" };
            format!("({head} {name} {doc}{})", node(value, world))
        }
        Kind::Try { body, catches, finally } => {
            let catches: String = catches.iter().map(|clause| catch(clause, world)).collect();
            let finally = finally.as_ref().map(|form| format!(" (finally {})", node(form, world))).unwrap_or_default();
            format!("(try {}{catches}{finally})", node(body, world))
        }
    }
}

fn catch(it: &Catch, world: &World) -> String {
    format!(" (catch {:?} ${} {})", it.class, it.slot, node(&it.body, world))
}

fn closure(it: &Function, world: &World) -> String {
    let name = it.name.as_ref().map(|name| format!("{name} ")).unwrap_or_default();
    let captures = if it.captures.is_empty() { String::new() } else { format!("{:?} ", it.captures) };
    let arities: Vec<String> = it.arities.iter().map(|one| arity(one, world)).collect();
    format!("(fn {name}#[{}] {captures}{})", it.params_text.replace('\n', "] ["), arities.join(" | "))
}

fn arity(it: &Arity, world: &World) -> String {
    let rest = if it.rest { "&" } else { "" };
    format!("{}{rest}/{} {}", it.fixed, it.slots, node(&it.body, world))
}

fn bound(bindings: &[(Slot, Node)], world: &World) -> String {
    bindings.iter().map(|(slot, value)| format!("${slot} {}", node(value, world))).collect::<Vec<_>>().join(" ")
}

fn nodes(items: &[Node], world: &World) -> String {
    items.iter().map(|item| node(item, world)).collect::<Vec<_>>().join(" ")
}

fn group(head: &str, rest: &str) -> String {
    if rest.is_empty() { format!("({head})") } else { format!("({head} {rest})") }
}

fn constant(value: &Value) -> String {
    let all = |items: &mut dyn Iterator<Item = &Value>| items.map(constant).collect::<Vec<_>>().join(" ");
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Keyword(name) => format!(":{name}"),
        Value::Symbol(name) => format!("'{name}"),
        Value::Var(name) => format!("#'{name}"),
        Value::Builtin(id) => World::builtin_name(*id).to_owned(),
        Value::Str(text) => format!("{:?}", text.as_str()),
        Value::Vector(items) => format!("'[{}]", all(&mut items.iter())),
        Value::Set(items) => format!("'#{{{}}}", all(&mut items.iter())),
        Value::Map(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(key, item)| format!("{} {}", constant(key), constant(item))).collect();
            format!("'{{{}}}", entries.join(" "))
        }
        other => format!("<{}>", other.kind()),
    }
}
