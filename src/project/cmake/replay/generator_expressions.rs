//! Generator's expressions, which a build evaluates once all files are read.

/// The text inside of generator's expressions: `$<$<BOOL:${X}>:a.cu>` gives `a.cu`.
pub fn unwrapped(text: &str) -> &str {
    let mut text = text;
    while text.starts_with("$<") && text.ends_with('>') {
        let inside = text.get(2..text.len() - 1).unwrap_or_default();
        let mut depth = 0_usize;
        let colon = inside.char_indices().find(|(at, letter)| {
            match letter {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                ':' => return depth == 0 && *at > 0,
                _ => {}
            }
            false
        });
        let Some((at, _)) = colon else {
            return text;
        };
        text = inside.get(at + 1..).unwrap_or_default();
    }
    text
}

/// The texts inside of expressions that hold a list, whose elements come one by one: `$<$<BOOL:${X}>:a.cu`, `b.cu>`.
#[derive(Default)]
pub(super) struct Unwrapping {
    /// How many expressions are open behind the elements so far.
    depth: usize,
}

impl Unwrapping {
    /// The text of the next element, and whether it stands in an expression.
    pub(super) fn next<'t>(&mut self, text: &'t str) -> (&'t str, bool) {
        let whole = unwrapped(text);
        let opened = text.matches("$<").count();
        let closed = text.matches('>').count();
        let before = self.depth;
        self.depth = (before + opened).saturating_sub(closed);
        if whole.len() < text.len() || before == 0 && self.depth == 0 {
            return (whole, whole.len() < text.len());
        }
        // What stands in front of the last expression's colon is its condition.
        let front = text.rfind(">:").map_or(0, |at| at + 2);
        let inside = if before == 0 {
            text.get(front..)
        } else {
            Some(text)
        };
        (inside.unwrap_or(text).trim_end_matches('>'), true)
    }
}

#[cfg(test)]
mod tests {
    use super::Unwrapping;

    #[test]
    fn the_elements_of_a_list_in_an_expression_have_none_around_them() {
        let mut all = Unwrapping::default();
        for (text, want) in [
            ("a.cu", ("a.cu", false)),
            ("$<$<BOOL:ON>:b.cu>", ("b.cu", true)),
            ("$<$<BOOL:ON>:c.cu", ("c.cu", true)),
            ("d.cu", ("d.cu", true)),
            ("e.cu>", ("e.cu", true)),
            ("f.cu", ("f.cu", false)),
        ] {
            assert_eq!(all.next(text), want, "{text}");
        }
    }
}
