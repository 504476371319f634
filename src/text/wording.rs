//! Lists and texts that are too long to be shown whole.

use std::borrow::Cow;

/// The first `most` of some names, and how many more there are: `A, B and 3 more`.
pub fn first_of(names: &[impl AsRef<str>], most: usize) -> String {
    let first = names.iter().take(most).map(AsRef::as_ref);
    let first: Vec<&str> = first.collect();
    let more = and_more(names.len().saturating_sub(most));
    format!("{}{more}", first.join(", "))
}

/// What stands behind the names that are shown: ` and 3 more`. Empty where nothing is left.
pub fn and_more(left: usize) -> String {
    match left {
        0 => String::new(),
        left => format!(" and {left} more"),
    }
}

/// A count with its noun: `1 place`, `2 places`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A text that takes no more than `most` letters: `text…`.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match front(text, most) {
        Some(front) => Cow::Owned(format!("{front}…")),
        None => Cow::Borrowed(text),
    }
}

/// A text that takes no more than `most` letters, without its middle: `front…back`.
pub fn without_middle(text: &str, most: usize) -> Cow<'_, str> {
    let half = most / 2;
    let back = text.char_indices().nth_back(half.saturating_sub(1));
    match (front(text, most), front(text, half), back) {
        (Some(_), Some(front), Some((start, _))) => {
            Cow::Owned(format!("{front}…{}", text.get(start..).unwrap_or_default()))
        }
        _ => Cow::Borrowed(text),
    }
}

/// The first `most` letters of a text that has more.
pub fn front(text: &str, most: usize) -> Option<&str> {
    let (end, _) = text.char_indices().nth(most)?;
    text.get(..end)
}

/// A text in lines that are no longer than `width`, where it has spaces to break it at.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let letters = |text: &str| text.chars().count();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if letters(line) + 1 + letters(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_said() {
        assert_eq!(first_of(&["a", "b"], 2), "a, b");
        assert_eq!(first_of(&["a", "b", "c", "d"], 2), "a, b and 2 more");
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöü", 2), "äö…");
    }

    #[test]
    fn texts_break_at_spaces() {
        assert_eq!(wrapped("an äöü and more", 6), ["an äöü", "and", "more"]);
        assert_eq!(wrapped("unbreakable", 6), ["unbreakable"]);
        assert_eq!(wrapped("", 6), [""]);
    }
}
