//! Calls: of keys, of functions whose bodies are known, of tools and of builtins.

use std::sync::Arc;

use super::look_up::Use;
use super::rules;
use super::summary::{known_of_observed, known_of_type};
use super::value::{Arguments, Callee, Group, Known, Lambda, Literal};
use super::walk::Walk;
use crate::analyze::ir::{CaptureSource, Kind};
use crate::parse::span::Span;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Closure, Name, Value};

impl Walk<'_> {
    /// A call that is written at this place.
    pub fn call_at(&mut self, callee: &Known, args: Arguments, span: Span) -> Known {
        if self.text == 0 {
            self.site = span;
        }
        self.call(callee, args)
    }

    /// A call of anything that the value may be.
    pub fn call(&mut self, callee: &Known, args: Arguments) -> Known {
        if callee.open || callee.is_crowded() {
            self.escape_all(&args.known);
            self.escape(callee);
            return Known::any();
        }
        let target = args.get(0);
        let default = args.known.get(1).cloned();
        let mut value = Known::nothing();
        match &callee.literal {
            Some(Literal { value: Value::Keyword(_), .. }) => value = self.look_up(&target, callee, default),
            None if callee.scalar => value = self.look_up(&target, callee, default),
            _ if callee.map.is_some() => value = self.look_up(callee, &target, default),
            _ => {}
        }
        if let Some(members) = &callee.list {
            // A set as a function: it compares.
            self.used(&target, Use::Computed);
            value = value.or(members.element.clone().or_nil());
        }
        for function in &callee.functions {
            value = value.or(self.deeper(|walk| walk.call_function(function, args.clone())));
        }
        value
    }

    /// A call of a key as some builtins take it: a function, a text, or a path.
    pub fn call_key(&mut self, key: &Known, item: &Known) -> Known {
        match &key.literal {
            Some(Literal { value: Value::Str(_), .. }) => self.look_up(item, key, None),
            Some(Literal { value: Value::Vector(_), .. }) => self.look_along(item, key, None),
            _ => self.call(key, Arguments::of([item.clone()])),
        }
    }

    pub fn call_function(&mut self, callee: &Callee, args: Arguments) -> Known {
        match callee {
            Callee::Tool(name) => self.tool(name, &args),
            Callee::Builtin(id) => self.builtin(*id, args),
            Callee::Lambda(lambda) => self.inline(lambda, &args),
            Callee::Global(global) => {
                let value = self.global(*global);
                self.call(&value, args)
            }
            Callee::Stored(closure) => match self.read(closure) {
                Some(lambda) => self.inline(&lambda, &args),
                None => {
                    self.escape_all(&args.known);
                    Known::any()
                }
            },
            Callee::Made(id, parts) => self.made(*id, parts, args),
        }
    }

    /// What a tool gets is sent as it is; what it returns has the declared type, or else probably the fields that it had
    /// before.
    fn tool(&mut self, name: &Name, args: &Arguments) -> Known {
        args.known.iter().for_each(|arg| self.used_with_parts(arg, Use::Shown));
        self.escape_all(&args.known);
        let machine = self.program.machine;
        let Some(spec) = machine.tools.get(name.as_str()) else { return Known::any() };
        let part: Arc<str> = format!("the result of tool/{name}").into();
        let declared = spec.signature.as_ref().map(|signature| known_of_type(signature.result(), &part, false));
        match declared.filter(|known| !known.open) {
            Some(known) => known,
            None => known_of_observed(&spec.observed, part, &machine.cx.cells),
        }
    }

    fn builtin(&mut self, id: BuiltinId, args: Arguments) -> Known {
        let row = table().entry(id).row;
        let name = row.name;
        let Arguments { mut known, more } = args;
        if let Some(more) = more {
            if name == "vector" || name == "list" {
                return known.into_iter().fold(Known::list(more), |list, one| list.or(Known::list(one)));
            }
            if !row.facts.alike {
                self.escape_all(&known);
                return Known::any();
            }
            known.push(more);
        }
        let origin = known.iter().find_map(|arg| arg.origin.clone());
        self.built_in(id, name, &known).since(origin.as_ref())
    }

    /// A call of a function that a builtin made of others.
    fn made(&mut self, id: BuiltinId, parts: &Arc<[Known]>, args: Arguments) -> Known {
        let parts = parts.as_ref();
        match (table().entry(id).row.name, parts) {
            ("comp", [before @ .., last]) => {
                let value = self.call(last, args);
                before.iter().rev().fold(value, |value, part| self.call(part, Arguments::of([value])))
            }
            ("partial", [function, first @ ..]) => {
                let Arguments { known, more } = args;
                self.call(function, Arguments { known: first.iter().cloned().chain(known).collect(), more })
            }
            ("juxt", parts) => Known::tuple(parts.iter().map(|part| self.call(part, args.clone())).collect()),
            ("constantly", [value]) => value.clone(),
            ("complement", [function]) => {
                self.call(function, args);
                Known::scalar()
            }
            ("fnil", [function, defaults @ ..]) => {
                let mut args = args;
                for (arg, default) in args.known.iter_mut().zip(defaults) {
                    *arg = std::mem::take(arg).but_nil().or(default.clone());
                }
                self.call(function, args)
            }
            ("some-fn" | "every-pred" | "all-of" | "any-of" | "none-of", parts) => {
                let each = parts.iter().map(|part| self.call(part, args.clone()));
                each.fold(Known::scalar().or_nil(), Known::or).settled()
            }
            ("completing" | "comparator" | "memoize", [function, ..]) => self.call(function, args),
            ("%where", [field]) => {
                self.call_key(field, &args.get(0));
                Known::scalar()
            }
            ("%where", [field, _, value]) => {
                let found = self.call_key(field, &args.get(0));
                if !rules::is_plain_test(value) {
                    self.used(&found, Use::Computed);
                }
                Known::scalar()
            }
            (_, parts) => {
                self.escape_all(parts);
                self.escape_all(&args.known);
                Known::any()
            }
        }
    }

    /// A collection through a transducer.
    pub fn through(&mut self, transducer: &Known, coll: &Known) -> Known {
        match transducer.functions.as_slice() {
            [Callee::Made(id, steps)] if table().entry(*id).row.name == "comp" => {
                steps.iter().fold(coll.clone(), |coll, step| self.through(step, &coll))
            }
            [Callee::Made(id, parts)] => {
                let args: Vec<Known> = parts.iter().cloned().chain([coll.clone()]).collect();
                self.built_in(*id, table().entry(*id).row.name, &args)
            }
            [Callee::Builtin(id)] if table().entry(*id).row.name == "cat" => Known::list(coll.elements().elements()),
            _ => {
                self.escape(transducer);
                Known::list(Known::any())
            }
        }
    }

    /// A function of an earlier program, parsed again from its text; `None` where that is not in one piece.
    fn read(&mut self, closure: &Arc<Closure>) -> Option<Arc<Lambda>> {
        let address = Arc::as_ptr(closure);
        if let Some((_, lambda)) = self.stored.get(&address) {
            return lambda.clone();
        }
        let lambda = self.read_again(closure);
        self.stored.insert(address, (closure.clone(), lambda.clone()));
        lambda
    }

    fn read_again(&mut self, closure: &Closure) -> Option<Arc<Lambda>> {
        if closure.is_derived() {
            return None;
        }
        let tree = (self.program.read)(closure)?;
        let text = self.texts.len() as u32;
        self.texts.push(Some(closure.proto.name.clone().unwrap_or_else(|| "a function of an earlier program".into())));
        let values = closure.captured();
        let mut captured = |sources: &[CaptureSource]| -> Arc<[Known]> {
            let taken = |source: &CaptureSource| match source {
                CaptureSource::Local(slot) => values.get(*slot as usize).map(|value| self.existing(value)),
                _ => None,
            };
            sources.iter().map(taken).map(Option::unwrap_or_default).collect()
        };
        match tree {
            Kind::Fn(function) => {
                let captures = captured(&function.captures);
                Some(Arc::new(Lambda { function, captures, group: None, text }))
            }
            Kind::LetFn { slots, functions, captures, body } => {
                let group = Arc::new(Group { functions, captures: captured(&captures), text });
                let Kind::Local { slot, .. } = body.kind else { return None };
                group.lambda(slots.iter().position(|known| *known == slot)?)
            }
            _ => None,
        }
    }

    /// A value that a function of an earlier program closed over.
    fn existing(&mut self, value: &Value) -> Known {
        match value {
            Value::Function(closure) => Known::function(Callee::Stored(closure.clone())),
            Value::Builtin(id) => Known::function(Callee::Builtin(*id)),
            _ => Known::any(),
        }
    }
}
