//! Names and notes, as they are kept.

use super::EditError;

/// The text without blanks around it, if something is left and it is one line.
pub(super) fn line(what: &'static str, text: String) -> Result<String, EditError> {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed.chars().any(char::is_control) {
        return Err(EditError::NotALine { what, found: text });
    }
    Ok(trimmed.to_owned())
}
