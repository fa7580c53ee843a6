//! The names that programs of a session can write, by what they can be called with.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::signature::{Field, Type};

use crate::reference::{ReferenceKind, reference};
use crate::session::{Session, SessionOptions};
use crate::value::Value;

/// Most arguments of a call.
pub(super) const MOST: usize = 3;

/// Locals of a program, outermost first, in the order in which they are made.
const LOCALS: [&str; 12] = ["x", "y", "z", "v", "w", "u", "t", "s", "r", "q", "p", "o"];

/// How a function is called: which numbers of arguments it takes, and whether the first is a function.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Calls {
    pub takes_function: bool,
    /// Whether it can be called with 0, 1, 2, … arguments.
    pub counts: [bool; MOST + 1],
}

/// Names that are called alike.
pub(super) type Families = BTreeMap<Calls, Vec<String>>;

/// What a program can name.
pub(super) struct Names {
    /// Functions of the language and of the session.
    pub functions: Families,
    /// `data/NAME` and definitions.
    pub values: Vec<String>,
    /// Tools with their declared parameters, if they have any.
    pub tools: Vec<(String, Option<Vec<Field>>)>,
    /// Names for locals, which nothing else has.
    pub locals: Vec<&'static str>,
}

/// The functions of the language. They are what the static check takes, so nothing is said twice about them.
static LANGUAGE: LazyLock<Families> = LazyLock::new(|| {
    let session = Session::new(SessionOptions::default());
    let mut families = Families::new();
    for entry in reference().into_iter().filter(|entry| entry.kind == ReferenceKind::Function) {
        let takes_function = entry.params.iter().any(|params| ["[f ", "[pred "].iter().any(|f| params.starts_with(f)));
        add(&mut families, &session, entry.name, takes_function);
    }
    families
});

fn add(families: &mut Families, session: &Session, name: &str, takes_function: bool) {
    let first = if takes_function { " identity" } else { " x" };
    let counts = std::array::from_fn(|count| {
        let args = if count == 0 { String::new() } else { first.to_owned() + &" x".repeat(count - 1) };
        session.check(&format!("(fn [x] ({name}{args}))")).is_ok()
    });
    families.entry(Calls { takes_function, counts }).or_default().push(name.to_owned());
}

/// Bytes of a definition's name, at most.
const LONG: usize = 40;

impl Names {
    /// The names of a session, with its tools or without, and with so many definitions at most, the last ones.
    pub fn of(session: &Session, with_tools: bool, definitions: usize) -> Names {
        let mut functions = LANGUAGE.clone();
        let data = session.machine.data.iter().filter_map(|(key, _)| key_name(key)).filter(|name| is_shown(name));
        let mut values: Vec<String> = data.map(|name| format!("data/{name}")).collect();
        let globals = session.machine.globals.iter();
        let defined = globals.filter(|(name, _)| is_shown(name.as_str()) && name.as_str().len() <= LONG);
        let mut defined: Vec<_> = defined.filter(|(_, global)| global.value.is_some()).collect();
        defined.sort_by_key(|(_, global)| std::cmp::Reverse(global.order));
        for (name, global) in defined.into_iter().take(definitions) {
            match global.value {
                Some(Value::Function(_)) => add(&mut functions, session, name.as_str(), false),
                _ => values.push(name.to_string()),
            }
        }
        values.retain(|name| session.check(name).is_ok());
        let specs = session.machine.tools.names().into_iter().filter_map(|name| {
            let spec = session.machine.tools.get(&name)?;
            let declared = spec.signature.as_ref().filter(|signature| signature.declares_params());
            Some((name, declared.map(|signature| signature.params().to_vec())))
        });
        let tools =
            specs.filter(|_| with_tools).filter(|(name, _)| session.check(&format!("tool/{name}")).is_ok()).collect();
        // A name that means nothing yet cannot mean two things.
        let locals = LOCALS.into_iter().filter(|name| session.check(name).is_err()).collect();
        Names { functions, values, tools, locals }
    }
}

fn key_name(key: &Value) -> Option<&str> {
    match key {
        Value::Keyword(name) => Some(name.as_str()),
        key => key.as_str(),
    }
}

/// Whether models see the name.
fn is_shown(name: &str) -> bool {
    !name.starts_with('_')
}

/// Whether a field may be left out.
pub(super) fn is_optional(field: &Field) -> bool {
    matches!(field.ty, Type::Optional(_))
}
