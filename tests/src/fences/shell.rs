//! Command lines of shell examples, as far as these pages use the language of shells.

/// The commands of an example, each as its words: comments, redirections and assignments are dropped, and what is
/// connected by `|`, `&&` or `;` is separate.
///
/// Quotes are removed as a shell does; nothing is expanded.
pub fn commands(text: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    for line in text.replace("\\\n", " ").lines() {
        for words in split(line).split(|word| *word == Word::End) {
            commands.push(command(words));
        }
    }
    commands.retain(|words: &Vec<String>| !words.is_empty());
    commands
}

#[derive(Debug, Clone, PartialEq)]
enum Word {
    Text(String),
    /// What follows is a file.
    Redirection,
    End,
}

/// Words without redirections and assignments before the first one.
fn command(words: &[Word]) -> Vec<String> {
    let mut command: Vec<String> = Vec::new();
    let mut skips = false;
    for word in words {
        match word {
            Word::Text(_) if skips => skips = false,
            Word::Text(text) if command.is_empty() && is_assignment(text) => {}
            Word::Text(text) => command.push(text.clone()),
            Word::Redirection => skips = true,
            Word::End => {}
        }
    }
    command
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
    })
}

fn split(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                while let Some(inner) = letters.next().filter(|inner| *inner != letter) {
                    match inner {
                        '\\' if letter == '"' => word.extend(letters.next()),
                        _ => word.push(inner),
                    }
                }
            }
            '#' if word.is_none() => break,
            ' ' | '|' | '&' | ';' | '>' | '<' => {
                words.extend(word.take().map(Word::Text));
                match letter {
                    '|' | '&' | ';' => words.push(Word::End),
                    '>' | '<' if words.last() != Some(&Word::Redirection) => words.push(Word::Redirection),
                    _ => {}
                }
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word.map(Word::Text));
    words
}
