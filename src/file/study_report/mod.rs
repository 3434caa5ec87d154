//! What a study found, for people: tables as CSV and pages that need no other file.

mod analysis;
mod comparison;
mod svg;

pub use analysis::{analysis_csv, analysis_page, verdict};
pub use comparison::{comparison_csv, comparison_page};

/// Why `write!` to a `String` may be expected to work.
const TO_STRING: &str = "writing to a string does not fail";

const STYLE: &str = include_str!("../../../assets/study/report.css");

/// A whole HTML page with this title around a body.
fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body><main><h1>{title}</h1>\n{body}</main></body></html>\n"
    )
}

/// Text inside a page.
pub(in crate::file) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Three digits that say something, also where they are zeros: numbers of a column are as exact as each other. What is
/// smaller than any measure can see is none.
pub fn number(value: f64) -> String {
    const UNSEEN: f64 = 1e-10;
    let size = value.abs();
    if size < UNSEEN {
        "0".to_owned()
    } else if (1e-4..1e5).contains(&size) {
        let digits = (2 - size.log10().floor() as i32).clamp(0, 6) as usize;
        format!("{value:.digits$}")
    } else {
        format!("{value:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_names_do_no_harm() {
        let numbers = [2e-14, 0.012345, 1.0, 1234.5, -0.5, 3e-9, 0.1 + 0.2];
        let texts: Vec<String> = numbers.into_iter().map(number).collect();
        assert_eq!(
            texts,
            ["0", "0.0123", "1.00", "1234", "-0.500", "3.00e-9", "0.300"]
        );
        assert_eq!(escape("<b a=\"&\">"), "&lt;b a=&quot;&amp;&quot;&gt;");
        assert!(
            page("<x>", "").contains("<title>&lt;x&gt;</title>"),
            "title"
        );
    }
}
