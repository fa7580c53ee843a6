//! Calls of tools with a signature: literal arguments are checked before anything runs.

use super::ir::{Kind, Node};
use super::{Analyzer, Form, FormKind, Reason, Span};
use crate::limits::meter::Meter;
use crate::parse::pairs;
use crate::signature::contract::{Mistake, Written, mistakes};
use crate::value::Name;

impl Analyzer<'_> {
    /// Report mistakes in the arguments of a call of `tool`, as far as they are literals; `forms` are those written in
    /// the call itself.
    pub(super) fn check_tool_call(&mut self, tool: &Name, args: &[Node], forms: &[Form], span: Span) {
        let signature = self.names.tool(tool.as_str()).flatten().filter(|found| found.declares_params());
        let Some(signature) = signature else { return };
        let written: Vec<Written> = args.iter().map(written).collect();
        let found = mistakes(tool.as_str(), signature, &written, self.names.tool_checks(), &mut Meter::host());
        for Mistake { message, argument } in found {
            let place = argument.and_then(|name| argument_span(forms, &name)).unwrap_or(span);
            self.problem(Reason::InvalidToolArgs, message, place);
        }
    }
}

fn written(node: &Node) -> Written {
    match &node.kind {
        Kind::Const(value) => Written::Known(value.clone()),
        Kind::Map(nodes) => {
            let entries = nodes.as_chunks().0.iter().map(|[key, value]| Some((key.literal()?, value.literal())));
            entries.collect::<Option<Vec<_>>>().map_or(Written::Computed, Written::Entries)
        }
        _ => Written::Computed,
    }
}

/// The place of this argument's value, in a map literal or among `:name value` pairs.
fn argument_span(args: &[Form], name: &str) -> Option<Span> {
    let parts = match args {
        [Form { kind: FormKind::Map(parts), .. }] => parts.as_slice(),
        _ => args,
    };
    let is_named = |form: &Form| matches!(&form.kind, FormKind::Keyword(key) | FormKind::Str(key) if key == name);
    pairs(parts).iter().find(|[key, _]| is_named(key)).map(|[_, value]| value.span)
}
