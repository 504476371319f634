//! Pages in Markdown: their blocks of code, their links, and the names of their headings.

use std::collections::BTreeMap;

/// A block of code with its language, and the line of text before it.
pub(crate) struct Block<'a> {
    pub(crate) before: &'a str,
    pub(crate) language: &'a str,
    pub(crate) code: &'a str,
}

/// The fenced blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut pieces = page.split("```");
    let mut text = pieces.next().unwrap_or_default();
    while let (Some(block), Some(after)) = (pieces.next(), pieces.next()) {
        let (language, code) = block.split_once('\n').expect("a language");
        let before = text.trim_end().lines().next_back().unwrap_or_default();
        blocks.push(Block {
            before,
            language,
            code,
        });
        text = after;
    }
    blocks
}

/// The code of the blocks of one language.
pub(crate) fn code_of<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let blocks = blocks(page).into_iter();
    let wanted = blocks.filter(|block| block.language == language);
    wanted.map(|block| block.code).collect()
}

/// The lines of a page outside of blocks of code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut fence = None;
    page.lines().filter(move |line| {
        let line = line.trim_start();
        let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            None => return true,
            Some(_) => {}
        }
        false
    })
}

/// A line with a word in the place of each span of code.
fn without_code(line: &str) -> String {
    let mut result = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let ticks = &rest[start..start + rest[start..].bytes().take_while(|b| *b == b'`').count()];
        let inside = &rest[start + ticks.len()..];
        let Some(end) = inside.find(ticks) else { break };
        result.push_str(&rest[..start]);
        result.push_str("code");
        rest = &inside[end + ticks.len()..];
    }
    result + rest
}

/// The targets of the links and pictures of a page.
pub(crate) fn links(page: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(page).map(without_code) {
        let links = line.split("](").skip(1);
        let links = links.filter_map(|rest| rest.split(')').next());
        targets.extend(links.map(str::to_owned));
    }
    targets
}

/// What a link names of a page behind `#`: each heading as hosts of code and mdBook make a name of it.
pub(crate) fn anchors(page: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(page).filter(|line| {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        (1..=6).contains(&level) && line[level..].starts_with(' ')
    });
    let mut anchors = Vec::new();
    for heading in headings {
        let text = heading.trim_start_matches('#').trim();
        let mut name = String::new();
        for letter in text.chars() {
            if letter.is_alphanumeric() || matches!(letter, '_' | '-') {
                name.extend(letter.to_lowercase());
            } else if letter == ' ' {
                name.push('-');
            }
        }
        let before = seen.entry(name.clone()).or_default();
        *before += 1;
        anchors.push(match *before {
            1 => name,
            number => format!("{name}-{}", number - 1),
        });
    }
    anchors
}
