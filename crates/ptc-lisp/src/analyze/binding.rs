//! Destructuring: patterns of `let` and other binding forms become single bindings.

use super::ir::{Kind, Node, Slot};
use super::{Analyzer, Form, FormKind, Name, Reason, Span, Tail, Use, Value, call_of, choice, constant, local, quote};
use crate::parse::{Symbol, pairs};

/// Single bindings, in order.
pub(super) type Bindings = Vec<(Slot, Node)>;

impl Analyzer<'_> {
    pub(super) fn let_form(&mut self, site: &Use<'_>) -> Option<Node> {
        let (pairs, body) = self.pairs(site)?;
        Some(self.within(|analyzer, bindings| {
            for [pattern, form] in pairs {
                let under_way = analyzer.bindings_under_way.len();
                analyzer.bindings_under_way.extend(pattern.plain().map(str::to_owned));
                let value = analyzer.expr(form, Tail::No);
                analyzer.bindings_under_way.truncate(under_way);
                analyzer.bind(pattern, value, bindings);
                analyzer.note_list(pattern, form);
            }
            analyzer.body(body, site.span, site.tail)
        }))
    }

    /// The pattern–form pairs of `(name [pattern form …] body…)` and the body.
    pub(super) fn pairs<'f>(&mut self, site: &Use<'f>) -> Option<(&'f [[Form; 2]], &'f [Form])> {
        let (first, body) = site.args.split_first()?;
        let Some(items) = first.vector() else { return self.wrong_shape(site, first.span) };
        if items.len() % 2 != 0 {
            let text = format!("{}: the bindings need an even number of forms, got {}", site.name, items.len());
            return self.refuse(Reason::InvalidForm, text, first.span);
        }
        Some((pairs(items), body))
    }

    /// Bind the names of `pattern` to the parts of `value`.
    pub(super) fn bind(&mut self, pattern: &Form, value: Node, out: &mut Bindings) {
        match &pattern.kind {
            FormKind::Symbol(symbol) if symbol.ns.is_none() && !is_rest_mark(pattern) => {
                let slot = self.hold(value, out);
                self.declare(&symbol.name, slot);
            }
            FormKind::Vector(parts) => self.bind_positions(parts, value, pattern.span, out),
            FormKind::Map(entries) => {
                let check = if takes_by_index(entries) { "%index-pattern" } else { "%map-pattern" };
                self.bind_keys(entries, check, value, pattern.span, out);
            }
            _ => self.bad_pattern(pattern),
        }
    }

    fn bad_pattern(&mut self, pattern: &Form) {
        self.declare_all(pattern);
        let text = match &pattern.kind {
            FormKind::Symbol(symbol) if symbol.ns.is_some() => {
                format!("cannot bind the qualified name {symbol}; write {}", symbol.name)
            }
            _ => format!("cannot destructure with {}", quote::text(pattern, 60)),
        };
        self.problem(Reason::UnsupportedPattern, text, pattern.span);
    }

    /// Treat every name in a broken pattern as known, so its uses are not reported as well.
    fn declare_all(&mut self, pattern: &Form) {
        if let Some(name) = pattern.name() {
            self.declare(name, 0);
        }
        pattern.parts().iter().for_each(|part| self.declare_all(part));
    }

    /// `[a b & more :as all]`
    fn bind_positions(&mut self, parts: &[Form], value: Node, span: Span, out: &mut Bindings) {
        let (parts, whole) = self.split_as(parts);
        let value = match whole {
            Some(name) => {
                let slot = self.hold(value, out);
                self.declare(name, slot);
                local(slot, span)
            }
            None => value,
        };
        let sequence = self.apply("%seq-pattern", vec![value], span);
        let sequence = self.hold(sequence, out);
        let mut index = 0_i64;
        let mut parts = parts.iter();
        while let Some(part) = parts.next() {
            if is_rest_mark(part) {
                let rest = self.part("%rest", sequence, Value::Int(index), span);
                match (parts.next(), parts.next()) {
                    (Some(pattern), None) => self.bind_rest(pattern, rest, out),
                    _ => {
                        parts.as_slice().iter().for_each(|part| self.declare_all(part));
                        let text = "& in a pattern needs exactly one name or pattern after it";
                        self.problem(Reason::UnsupportedPattern, text, part.span);
                    }
                }
                return;
            }
            let item = self.part("%nth", sequence, Value::Int(index), part.span);
            self.bind(part, item, out);
            index += 1;
        }
    }

    /// What follows `&`; a map pattern takes keys and values or one trailing map.
    pub(super) fn bind_rest(&mut self, pattern: &Form, rest: Node, out: &mut Bindings) {
        match &pattern.kind {
            FormKind::Map(entries) => self.bind_keys(entries, "%key-args", rest, pattern.span, out),
            _ => self.bind(pattern, rest, out),
        }
    }

    /// `:as name` at the end of a vector pattern.
    fn split_as<'f>(&mut self, parts: &'f [Form]) -> (&'f [Form], Option<&'f str>) {
        if let [before @ .., mark, name] = parts
            && mark.is_keyword("as")
            && let Some(name) = name.plain()
        {
            return (before, Some(name));
        }
        (parts, None)
    }

    /// `{:keys [a] :or {a 1} :as all, b :key, [c d] :pair}`
    fn bind_keys(&mut self, entries: &[Form], check: &str, value: Node, span: Span, out: &mut Bindings) {
        let map = self.apply(check, vec![value], span);
        let map = self.hold(map, out);
        let defaults = self.defaults(entries);
        for [target, source] in pairs(entries) {
            match &target.kind {
                FormKind::Keyword(word) if word == "or" => {}
                FormKind::Keyword(word) if word == "as" => match source.plain() {
                    Some(name) => self.declare(name, map),
                    None => self.bad_pattern(source),
                },
                FormKind::Keyword(word) => self.bind_named(word, target, source, map, &defaults, out),
                _ => {
                    let key = self.expr(source, Tail::No);
                    let value = self.entry(map, key, target.plain(), &defaults, target.span);
                    self.bind(target, value, out);
                }
            }
        }
    }

    /// `:keys [a b]`, `:strs`, `:syms`, also `:ns/keys`.
    fn bind_named(
        &mut self,
        word: &str,
        target: &Form,
        source: &Form,
        map: Slot,
        defaults: &[(&str, &Form)],
        out: &mut Bindings,
    ) {
        let (namespace, kind) = match word.rsplit_once('/') {
            Some((namespace, kind)) => (Some(namespace), kind),
            None => (None, word),
        };
        let key: fn(&str) -> Value = match kind {
            "keys" => Value::keyword,
            "strs" => |name| Value::string(name),
            "syms" => |name| Value::Symbol(Name::new(name)),
            _ => {
                self.declare_all(source);
                return self.bad_pattern(target);
            }
        };
        let names = match &source.kind {
            FormKind::Vector(names) => names,
            FormKind::Symbol(name) => {
                self.declare_all(source);
                let text =
                    format!("cannot destructure with {name}: :{word} takes a vector of names, {{:{word} [{name}]}}");
                self.problem(Reason::UnsupportedPattern, text, source.span);
                return;
            }
            _ => return self.bad_pattern(source),
        };
        for name in names {
            let Some(symbol) = name_of(name) else {
                self.bad_pattern(name);
                continue;
            };
            let namespace = symbol.ns.as_deref().or(namespace);
            let full =
                namespace.map_or_else(|| symbol.name.clone(), |namespace| format!("{namespace}/{}", symbol.name));
            let value = self.entry(map, constant(key(&full), name.span), Some(&symbol.name), defaults, name.span);
            let slot = self.hold(value, out);
            self.declare(&symbol.name, slot);
        }
    }

    /// The value under `key`, or the default of `name` where the key is absent.
    fn entry(&mut self, map: Slot, key: Node, name: Option<&str>, defaults: &[(&str, &Form)], span: Span) -> Node {
        let default = name.and_then(|name| defaults.iter().find(|(known, _)| *known == name));
        let Some((_, default)) = default else { return self.found(map, key, span) };
        let otherwise = self.expr(default, Tail::No);
        let test = self.apply("%has", vec![local(map, span), key.clone()], span);
        let found = self.found(map, key, span);
        choice(test, found, otherwise, span)
    }

    /// The value under `key` of a map or nil.
    fn found(&mut self, map: Slot, key: Node, span: Span) -> Node {
        match key.kind {
            Kind::Const(Value::Keyword(_)) => call_of(key, vec![local(map, span)], span),
            _ => self.apply("%get", vec![local(map, span), key], span),
        }
    }

    /// The names and forms of `:or {name default}`.
    fn defaults<'f>(&mut self, entries: &'f [Form]) -> Vec<(&'f str, &'f Form)> {
        let mut found = Vec::new();
        for [target, source] in pairs(entries) {
            if !target.is_keyword("or") {
                continue;
            }
            let FormKind::Map(items) = &source.kind else {
                self.bad_pattern(source);
                continue;
            };
            for [name, form] in pairs(items) {
                match &name.kind {
                    FormKind::Symbol(Symbol { name, .. }) | FormKind::Keyword(name) => {
                        found.push((name.as_str(), form))
                    }
                    _ => self.bad_pattern(name),
                }
            }
        }
        found
    }

    fn part(&mut self, function: &str, sequence: Slot, at: Value, span: Span) -> Node {
        self.apply(function, vec![local(sequence, span), constant(at, span)], span)
    }
}

/// Whether all keys of a map pattern are indices.
fn takes_by_index(entries: &[Form]) -> bool {
    let is_index = |[target, source]: &[Form; 2]| match &target.kind {
        FormKind::Keyword(word) => (word == "or" || word == "as").then_some(false),
        _ => matches!(source.kind, FormKind::Int(_)).then_some(true),
    };
    let kinds: Option<Vec<bool>> = pairs(entries).iter().map(is_index).collect();
    kinds.is_some_and(|kinds| kinds.contains(&true))
}

/// What `:keys [a :b c/d]` may hold.
fn name_of(form: &Form) -> Option<Symbol> {
    match &form.kind {
        FormKind::Symbol(symbol) => Some(symbol.clone()),
        FormKind::Keyword(name) => Some(Symbol::new(name)),
        _ => None,
    }
}

/// Whether binding this node needs no work: it is already a value or a local.
pub(super) fn is_simple(node: &Node) -> bool {
    matches!(node.kind, Kind::Const(_) | Kind::Local { .. } | Kind::Capture(_))
}

/// The `&` of a pattern.
pub(super) fn is_rest_mark(form: &Form) -> bool {
    form.plain() == Some("&")
}
