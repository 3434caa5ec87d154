//! Words that messages and labels share.

use crate::document::Document;

/// "1 clip", "3 clips".
pub fn counted(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}

/// The wish itself, or else with the first number behind it that makes it free.
pub fn free_name(wish: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2_usize..).map(|n| format!("{wish} {n}"));
    let mut names = std::iter::once(wish.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// A name for a model that no other model has.
pub fn free_model_name(document: &Document, wish: &str) -> String {
    let wish = if wish.is_empty() { "variation" } else { wish };
    free_name(wish, |name| {
        document.models().iter().any(|model| model.name == name)
    })
}

/// What an animator pictures: body heights as centimetres of a body of 1.75 m.
pub fn slide_cm(heights: f64) -> f64 {
    175.0 * heights
}

/// A set name that is free: the wish itself, or with a number behind it.
pub fn free_set_name(document: &Document, wish: &str) -> String {
    let wish = wish.trim();
    let wish = if wish.is_empty() { "set" } else { wish };
    free_name(wish, |name| {
        document.sets().iter().any(|set| set.name == name)
    })
}
