mod bindings;
mod extremes;
mod lowering;
mod problems;
mod world;

use super::*;
use crate::parse::parse;
use world::World;

/// The resolved program or its problems as text, with warnings.
pub(super) fn check(source: &str) -> String {
    check_in(source, World::new())
}

fn check_in(source: &str, mut world: World) -> String {
    let parsed = parse(source).unwrap();
    match analyze(&parsed, &mut world, &Options { max_symbols: 100 }) {
        Ok(analyzed) => {
            let mut lines = vec![print::program(&analyzed.main, &world)];
            lines.extend(analyzed.warnings.iter().map(|warning| {
                format!(";; {} at {}: {}", warning.code.as_str(), place(source, warning.span), warning.message)
            }));
            lines.join("\n")
        }
        Err(problems) => {
            let lines = problems.iter().map(|problem| {
                let place = problem.span.map_or_else(String::new, |span| format!(" at {}", place(source, span)));
                format!("!! {}{place}: {}", problem.reason, problem.message)
            });
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

fn place(source: &str, span: Span) -> String {
    let position = crate::parse::span::position(source, span.start);
    format!("{}:{}", position.line, position.column)
}
