//! Reads sources as far as it takes to tell who names whom: words and signs, modules, imports, items.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Two colons, as one sign.
const PATH: char = '\u{2237}';

/// A module: where it is defined, what it defines itself, and what it brings into scope under which name.
#[derive(Default)]
pub(super) struct Module {
    pub(super) file: usize,
    pub(super) children: BTreeMap<String, usize>,
    pub(super) parent: Option<usize>,
    pub(super) defined: BTreeSet<String>,
    /// Name in scope, full path, whether it is a re-export.
    pub(super) brought: Vec<(String, Vec<String>, bool)>,
    /// What is named in the text with at least one `::`.
    pub(super) named: Vec<Vec<String>>,
    /// What is named in the text with one word.
    pub(super) words: BTreeSet<String>,
}

/// All modules of the library.
pub(super) struct Sources {
    pub(super) files: Vec<String>,
    pub(super) modules: Vec<Module>,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Sign(char),
}

/// Words and signs of a source, without comments, strings and characters; a path's `::` is one sign.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while at < chars.len() {
        let next = chars.get(at + 1).copied();
        match chars[at] {
            '/' if next == Some('/') => {
                while at < chars.len() && chars[at] != '\n' {
                    at += 1;
                }
            }
            '"' => {
                let is_raw = at > 0 && matches!(chars[at - 1], '#');
                let is_raw = is_raw
                    || matches!(tokens.last(), Some(Token::Word(w)) if w == "r" || w == "br");
                let mut hashes = 0;
                while hashes < at && chars[at - 1 - hashes] == '#' {
                    hashes += 1;
                }
                at += 1;
                loop {
                    match chars.get(at) {
                        None => break,
                        Some('\\') if !is_raw => at += 2,
                        Some('"') if !is_raw => break,
                        Some('"') if (1..=hashes).all(|n| chars.get(at + n) == Some(&'#')) => {
                            at += hashes;
                            break;
                        }
                        Some(_) => at += 1,
                    }
                }
                at += 1;
            }
            '\'' => {
                // A character, or the name of a lifetime.
                if next == Some('\\') {
                    at += 3;
                    while chars.get(at).is_some_and(|c| *c != '\'') {
                        at += 1;
                    }
                } else if chars.get(at + 2) == Some(&'\'') {
                    at += 2;
                } else {
                    at += 1;
                    while chars.get(at).is_some_and(|c| is_word(*c)) {
                        at += 1;
                    }
                    continue;
                }
                at += 1;
            }
            c if is_word(c) => {
                let from = at;
                while chars.get(at).is_some_and(|c| is_word(*c)) {
                    at += 1;
                }
                tokens.push(Token::Word(chars[from..at].iter().collect()));
            }
            ':' if next == Some(':') => {
                tokens.push(Token::Sign(PATH));
                at += 2;
            }
            c => {
                if !c.is_whitespace() {
                    tokens.push(Token::Sign(c));
                }
                at += 1;
            }
        }
    }
    tokens
}

fn word(token: Option<&Token>) -> Option<&str> {
    match token? {
        Token::Word(word) => Some(word),
        Token::Sign(_) => None,
    }
}

fn is_sign(token: Option<&Token>, sign: char) -> bool {
    token == Some(&Token::Sign(sign))
}

/// The place after the bracket that closes the one at `open`.
fn after_bracket(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign('}' | ')' | ']') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Reads the leaves of an import, `a::{b::C, d as e, f::*}`, and returns the place after it.
fn read_use(
    tokens: &[Token],
    mut at: usize,
    path: &[String],
    found: &mut Vec<(String, Vec<String>)>,
) -> usize {
    let mut path = path.to_vec();
    loop {
        match tokens.get(at) {
            Some(Token::Word(word)) if word == "as" => {
                let name = word_at(tokens, at + 1);
                found.push((name, path));
                return at + 2;
            }
            Some(Token::Word(word)) => {
                path.push(word.clone());
                at += 1;
                if !is_sign(tokens.get(at), PATH) && self::word(tokens.get(at)) != Some("as") {
                    let mut name = path.last().cloned().unwrap_or_default();
                    if name == "self" {
                        path.pop();
                        name = path.last().cloned().unwrap_or_default();
                    }
                    found.push((name, path));
                    return at;
                }
            }
            Some(Token::Sign(PATH)) => at += 1,
            Some(Token::Sign('*')) => {
                found.push(("*".to_owned(), path));
                return at + 1;
            }
            Some(Token::Sign('{')) => {
                let end = after_bracket(tokens, at);
                at += 1;
                while at < end - 1 {
                    at = read_use(tokens, at, &path, found);
                    if is_sign(tokens.get(at), ',') {
                        at += 1;
                    }
                }
                return end;
            }
            _ => return at + 1,
        }
    }
}

fn word_at(tokens: &[Token], at: usize) -> String {
    word(tokens.get(at)).unwrap_or("_").to_owned()
}

const ITEMS: &[&str] = &[
    "fn", "struct", "enum", "trait", "const", "static", "type", "union",
];

impl Sources {
    pub(super) fn read(src: &Path) -> Self {
        let mut sources = Self {
            files: Vec::new(),
            modules: Vec::new(),
        };
        sources.read_file(src, "lib.rs", src, None);
        sources
    }

    /// Reads a file and those that it declares, which lie in `folder`.
    fn read_file(&mut self, src: &Path, file: &str, folder: &Path, parent: Option<usize>) -> usize {
        let text = fs::read_to_string(src.join(file)).unwrap();
        let tokens = tokens(&text);
        self.files.push(file.to_owned());
        let module = self.modules.len();
        self.modules.push(Module {
            file: self.files.len() - 1,
            parent,
            ..Module::default()
        });
        self.read_tokens(src, folder, module, &tokens);
        module
    }

    fn read_tokens(&mut self, src: &Path, folder: &Path, module: usize, tokens: &[Token]) {
        let mut at = 0;
        let mut depth = 0;
        let mut is_test = false;
        // Where the item at hand began to say how far it can be seen.
        let mut is_public = false;
        while at < tokens.len() {
            let next = tokens.get(at + 1);
            match &tokens[at] {
                Token::Sign('#') => {
                    let open = at + if is_sign(next, '!') { 2 } else { 1 };
                    let end = after_bracket(tokens, open);
                    let inner = &tokens[open..end];
                    let is_cfg = word(inner.get(1)) == Some("cfg");
                    is_test |= is_cfg && word(inner.get(3)) == Some("test") && inner.len() == 6;
                    at = end;
                    continue;
                }
                Token::Word(w) if w == "mod" && word(next).is_some() && depth == 0 => {
                    let name = word_at(tokens, at + 1);
                    let is_inline = is_sign(tokens.get(at + 2), '{');
                    let end = if is_inline {
                        after_bracket(tokens, at + 2)
                    } else {
                        at + 3
                    };
                    if !is_test {
                        let child = if is_inline {
                            let child = self.modules.len();
                            let file = self.modules[module].file;
                            self.modules.push(Module {
                                file,
                                parent: Some(module),
                                ..Module::default()
                            });
                            let inner = &tokens[at + 3..end - 1];
                            self.read_tokens(src, &folder.join(&name), child, inner);
                            child
                        } else {
                            let flat = folder.join(format!("{name}.rs"));
                            let deep = folder.join(&name).join("mod.rs");
                            let path = if flat.exists() { flat } else { deep };
                            let file = path.strip_prefix(src).unwrap();
                            let file = file.to_str().unwrap().to_owned();
                            self.read_file(src, &file, &folder.join(&name), Some(module))
                        };
                        self.modules[module].children.insert(name, child);
                    }
                    at = end;
                    (is_test, is_public) = (false, false);
                    continue;
                }
                Token::Word(w) if w == "use" => {
                    let mut leaves = Vec::new();
                    let end = read_use(tokens, at + 1, &[], &mut leaves);
                    if !is_test {
                        let brought = &mut self.modules[module].brought;
                        brought.extend(leaves.into_iter().map(|(n, p)| (n, p, is_public)));
                    }
                    at = end;
                    (is_test, is_public) = (false, false);
                    continue;
                }
                Token::Word(w) if ITEMS.contains(&w.as_str()) && depth == 0 => {
                    if let Some(name) = word(next) {
                        self.modules[module].defined.insert(name.to_owned());
                    }
                    if is_test {
                        let mut end = at;
                        while end < tokens.len() && !matches!(tokens[end], Token::Sign('{' | ';')) {
                            end += 1;
                        }
                        at = if is_sign(tokens.get(end), '{') {
                            after_bracket(tokens, end)
                        } else {
                            end + 1
                        };
                        (is_test, is_public) = (false, false);
                        continue;
                    }
                    is_public = false;
                }
                Token::Word(w) if w == "impl" && depth == 0 && is_test => {
                    let mut end = at;
                    while end < tokens.len() && !is_sign(tokens.get(end), '{') {
                        end += 1;
                    }
                    at = after_bracket(tokens, end);
                    is_test = false;
                    continue;
                }
                Token::Word(w) if w == "pub" => {
                    is_public = true;
                    if is_sign(next, '(') {
                        at = after_bracket(tokens, at + 1);
                        continue;
                    }
                }
                Token::Word(w) => {
                    let is_method = at > 0 && is_sign(tokens.get(at - 1), '.');
                    let is_inner = at > 0 && is_sign(tokens.get(at - 1), PATH);
                    if !is_method && !is_inner {
                        let mut path = vec![w.clone()];
                        let mut to = at + 1;
                        while is_sign(tokens.get(to), PATH) {
                            let Some(part) = word(tokens.get(to + 1)) else {
                                break;
                            };
                            path.push(part.to_owned());
                            to += 2;
                        }
                        if path.len() > 1 {
                            self.modules[module].named.push(path);
                        } else {
                            self.modules[module].words.insert(w.clone());
                        }
                    }
                }
                Token::Sign('{') => depth += 1,
                Token::Sign('}') => {
                    depth -= 1;
                    (is_test, is_public) = (false, false);
                }
                Token::Sign(';') => (is_test, is_public) = (false, false),
                Token::Sign(_) => {}
            }
            at += 1;
        }
    }
}
