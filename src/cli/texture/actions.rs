//! Actions on the command line: `walk,run:6,"walk, then turn right":3`.

use std::str::FromStr;

use crate::texture::{ACTION_SECS, Ordered};

/// Longer than an hour is a typing mistake.
pub(super) const MOST_SECS: f64 = 3600.0;

/// Actions in an order; those without a time last [`ACTION_SECS`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Actions(Vec<(String, Option<f64>)>);

impl Actions {
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn order(&self) -> Vec<Ordered> {
        let each = self.0.iter().map(|(action, secs)| Ordered {
            action: action.clone(),
            secs: secs.unwrap_or(ACTION_SECS),
        });
        each.collect()
    }

    pub(super) fn has_times(&self) -> bool {
        self.0.iter().any(|(_, secs)| secs.is_some())
    }
}

impl FromStr for Actions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let each = split(text)?.into_iter().map(action);
        Ok(Self(each.collect::<Result<_, String>>()?))
    }
}

/// Splits at commas outside quotes; quotes stay.
fn split(text: &str) -> Result<Vec<&str>, String> {
    let mut words = Vec::new();
    let (mut from, mut is_quoted) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                words.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    if is_quoted {
        return Err("a quote is not closed".to_owned());
    }
    words.push(&text[from..]);
    Ok(words)
}

/// `NAME`, `NAME:SECS`, `"NAME"` or `"NAME":SECS`.
fn action(text: &str) -> Result<(String, Option<f64>), String> {
    let text = text.trim();
    let closed = text.strip_prefix('"').and_then(|t| t.split_once('"'));
    let (name, secs) = match closed {
        Some((name, rest)) if rest.trim().is_empty() => (name, None),
        Some((name, rest)) => match rest.trim().strip_prefix(':') {
            Some(secs) => (name, Some(secs)),
            None => return Err(format!("expected :SECONDS after a quote, found \"{rest}\"")),
        },
        None => match text.rsplit_once(':') {
            Some((name, secs)) => (name, Some(secs)),
            None => (text, None),
        },
    };
    let name = name.trim();
    if name.is_empty() {
        return Err("expected actions such as walk,run:6".to_owned());
    }
    Ok((name.to_owned(), secs.map(seconds).transpose()?))
}

/// A time that can be waited for.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(secs) if secs > 0.0 && secs <= MOST_SECS => Ok(secs),
        _ => Err(format!(
            "expected seconds over zero and up to {MOST_SECS}, found \"{text}\""
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_may_have_times_and_commas() {
        let read: Actions = "walk, run:6,\"walk, then turn right\":2.5,\"a:b\""
            .parse()
            .unwrap();
        assert_eq!(
            read.names(),
            ["walk", "run", "walk, then turn right", "a:b"]
        );
        let secs: Vec<f64> = read.order().iter().map(|o| o.secs).collect();
        assert_eq!(secs, [4.0, 6.0, 2.5, 4.0]);
        assert!(read.has_times());
        assert!(!"walk,run".parse::<Actions>().unwrap().has_times());
        for (wrong, words) in [
            ("", "such as walk"),
            ("walk,,run", "such as walk"),
            (":3", "such as walk"),
            ("walk:0", "seconds over zero"),
            ("walk:-1", "seconds over zero"),
            ("walk:x", "found \"x\""),
            ("walk:1e9", "up to 3600"),
            ("\"walk", "not closed"),
            ("\"walk\"3", "after a quote"),
        ] {
            let error = wrong.parse::<Actions>().unwrap_err();
            assert!(error.contains(words), "{wrong}: {error}");
        }
    }
}
