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

/// A size of a file with its unit, such as "3.4 MB".
pub fn data_size(n_bytes: u64) -> String {
    let bytes = n_bytes as f64;
    match n_bytes {
        0..1_000 => format!("{n_bytes} bytes"),
        1_000..1_000_000 => format!("{:.0} KB", bytes / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

/// A moment on the clock and calendar of this computer, with how long ago that is: "Wed 18 Nov 2026, 16:20 (5 min
/// ago)".
pub fn moment(unix_secs: u64) -> String {
    let now = jiff::Timestamp::now().as_second();
    let secs = i64::try_from(unix_secs).unwrap_or(i64::MAX);
    match jiff::Timestamp::from_second(secs) {
        Ok(at) if unix_secs > 0 => {
            let at = at.to_zoned(jiff::tz::TimeZone::system());
            let date = at.strftime("%a %-d %b %Y, %H:%M");
            format!("{date} ({})", ago(now.saturating_sub(secs)))
        }
        _ => "at an unknown time".to_owned(),
    }
}

fn ago(secs: i64) -> String {
    let (n, unit) = match secs {
        ..60 => return "just now".to_owned(),
        60..3_600 => (secs / 60, "min"),
        3_600..172_800 => (secs / 3_600, "h"),
        _ => (secs / 86_400, "days"),
    };
    format!("{n} {unit} ago")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_ages_are_rounded_as_people_do() {
        assert_eq!(data_size(999), "999 bytes");
        assert_eq!(data_size(12_345), "12 KB");
        assert_eq!(data_size(3_449_999), "3.4 MB");
        let ages = [-5, 59, 60, 7_200, 172_800].map(ago);
        assert_eq!(
            ages,
            ["just now", "just now", "1 min ago", "2 h ago", "2 days ago"]
        );
        assert_eq!(moment(0), "at an unknown time");
        assert!(moment(1_763_483_000).contains("Nov 2025"), "a date");
        assert_eq!(moment(u64::MAX), "at an unknown time");
    }
}
