//! Colours of programs and values, by their tokens.

use ptc_runner::lisp::syntax::{Token, TokenKind, tokens};

use super::super::names::{NameKind, Names};

/// Everything that is not part of a program.
pub(crate) const DIM: &str = "2";
const TEXT: &str = "32";
const NUMBER: &str = "36";
const KEYWORD: &str = "35";
const FORM: &str = "1;34";
const BUILTIN: &str = "34";
const TOOL: &str = "1;33";
const DATA: &str = "33";
const DEFINITION: &str = "1";
/// A bracket and its partner.
const PAIR: &str = "1;7";
/// A closing bracket that closes nothing, or a character that begins nothing.
const WRONG: &str = "31";

/// The text in this style, by the numbers of an ANSI sequence.
pub(crate) fn colored(text: &str, style: &str) -> String {
    format!("\u{1b}[{style}m{text}\u{1b}[0m")
}

/// The typed text with colours: a program, or a command.
pub(crate) fn painted_input(input: &str, cursor: Option<usize>, names: &Names) -> String {
    if !super::is_command(input) {
        return painted(input, cursor, names);
    }
    let begin = input.len() - input.trim_start().len();
    let (before, line) = input.split_at_checked(begin).unwrap_or(("", input));
    let (command, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    format!("{before}{}{rest}", colored(command, FORM))
}

/// A program or a value with colours; the bracket at the cursor and its partner are marked.
pub(crate) fn painted(program: &str, cursor: Option<usize>, names: &Names) -> String {
    let tokens = tokens(program);
    let partners = partners(program, &tokens);
    let marked = cursor.and_then(|cursor| marked(&tokens, &partners, cursor));
    let (mut shown, mut at) = (String::new(), 0);
    for (index, token) in tokens.iter().enumerate() {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let text = program.get(start..end).unwrap_or_default();
        shown.push_str(program.get(at..start).unwrap_or_default());
        at = end;
        let is_marked = marked.is_some_and(|(one, other)| index == one || index == other);
        let is_alone = token.kind == TokenKind::Close && partners.get(index).is_none_or(Option::is_none);
        match if is_marked {
            Some(PAIR)
        } else if is_alone {
            Some(WRONG)
        } else {
            style(token.kind, text, names)
        } {
            Some(style) => shown.push_str(&colored(text, style)),
            None => shown.push_str(text),
        }
    }
    shown.push_str(program.get(at..).unwrap_or_default());
    shown
}

fn style(kind: TokenKind, text: &str, names: &Names) -> Option<&'static str> {
    Some(match kind {
        TokenKind::Text => TEXT,
        TokenKind::Number => NUMBER,
        TokenKind::Keyword => KEYWORD,
        TokenKind::Comment | TokenKind::Mark => DIM,
        TokenKind::Unknown => WRONG,
        TokenKind::Name => match names.get(text)?.kind {
            NameKind::Form => FORM,
            NameKind::Builtin => BUILTIN,
            NameKind::Tool => TOOL,
            NameKind::Data => DATA,
            NameKind::Definition => DEFINITION,
        },
        TokenKind::Open | TokenKind::Close => return None,
    })
}

/// For each token the one that it forms a pair of brackets with.
fn partners(program: &str, tokens: &[Token]) -> Vec<Option<usize>> {
    let last = |token: &Token| program.get(..token.span.end as usize).and_then(|text| text.chars().next_back());
    let mut partners = vec![None; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => open.push(at),
            TokenKind::Close => {
                let opener = open.last().and_then(|opener| Some((*opener, last(tokens.get(*opener)?)?)));
                let Some((opener, kind)) = opener else { continue };
                if matches!((kind, last(token)), ('(', Some(')')) | ('[', Some(']')) | ('{', Some('}'))) {
                    open.pop();
                    partners.get_mut(at).into_iter().for_each(|partner| *partner = Some(opener));
                    partners.get_mut(opener).into_iter().for_each(|partner| *partner = Some(at));
                }
            }
            _ => {}
        }
    }
    partners
}

/// The bracket before or under the cursor, with its partner.
fn marked(tokens: &[Token], partners: &[Option<usize>], cursor: usize) -> Option<(usize, usize)> {
    let touches = |token: &Token| token.span.end as usize == cursor && token.kind == TokenKind::Close;
    let below = |token: &Token| {
        (token.span.start as usize..token.span.end as usize).contains(&cursor)
            && matches!(token.kind, TokenKind::Open | TokenKind::Close)
    };
    let at = tokens.iter().position(below).or_else(|| tokens.iter().position(touches))?;
    Some((at, (*partners.get(at)?)?))
}
