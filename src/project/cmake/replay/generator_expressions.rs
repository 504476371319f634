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
