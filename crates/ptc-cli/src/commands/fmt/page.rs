//! Programs in fenced blocks of a page in Markdown.

#[cfg(test)]
mod tests;

use ptc_runner::lisp::syntax::formatted;

/// The first words of blocks that are programs.
const KINDS: [&str; 3] = ["clojure", "clj", "ptc-lisp"];

/// The page with its programs formatted, and a remark for each block that is not a program: those stay, since pages
/// also show parts of programs.
pub(super) fn formatted_blocks(name: &str, text: &str) -> (String, Vec<String>) {
    let (mut page, mut left) = (String::new(), Vec::new());
    let mut lines = text.split_inclusive('\n').enumerate();
    while let Some((at, line)) = lines.next() {
        page.push_str(line);
        let Some(fence) = Fence::opened(line) else { continue };
        let mut block = String::new();
        let mut closing = None;
        for (_, line) in lines.by_ref() {
            if line.trim() == fence.marks {
                closing = Some(line);
                break;
            }
            block.push_str(line);
        }
        match fence.is_program.then(|| formatted(&fence.without_indent(&block))) {
            Some(Ok(program)) if closing.is_some() => page.push_str(&fence.indented(&program)),
            Some(Err(problem)) => {
                left.push(format!("{name}:{}: this block stays as it is: {problem}", at + 1));
                page.push_str(&block);
            }
            _ => page.push_str(&block),
        }
        page.push_str(closing.unwrap_or_default());
    }
    (page, left)
}

/// The line with which a block begins.
struct Fence<'l> {
    indent: &'l str,
    marks: &'l str,
    is_program: bool,
    line_end: &'static str,
}

impl Fence<'_> {
    fn opened(line: &str) -> Option<Fence<'_>> {
        let rest = line.trim_start();
        let indent = line.strip_suffix(rest)?;
        let info = rest.trim_start_matches('`');
        let marks = rest.strip_suffix(info).filter(|marks| marks.len() >= 3)?;
        let kind = info.split([',', ' ', '\r', '\n']).next().unwrap_or_default();
        let line_end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
        Some(Fence { indent, marks, is_program: KINDS.contains(&kind), line_end })
    }

    fn without_indent(&self, block: &str) -> String {
        block.split_inclusive('\n').map(|line| line.strip_prefix(self.indent).unwrap_or(line)).collect()
    }

    fn indented(&self, program: &str) -> String {
        let indent = |line: &str| if line.is_empty() { "" } else { self.indent };
        program.lines().map(|line| format!("{}{line}{}", indent(line), self.line_end)).collect()
    }
}
