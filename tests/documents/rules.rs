//! `docs/rules.md`: every code with its explanation.

use std::fmt::{self, Write};

use torchada::diagnostic::Code;
use torchada::mapping::codes::Explanation;

const INTRO: &str = include_str!("rules_intro.md");

/// The whole document. `printed` gives what the program says of a code's example.
pub(crate) fn markdown<'t>(
    rules: &[(Code, &'t Explanation)],
    printed: &dyn Fn(&str) -> Option<&'t str>,
) -> Result<String, fmt::Error> {
    let mut page = INTRO.to_owned();
    for (code, _) in rules {
        let severity = code.severity.as_str();
        let anchor = code.id.to_ascii_lowercase();
        let (id, title) = (code.id, code.title);
        writeln!(page, "| [{id}](#{anchor}) | {severity} | {title} |")?;
    }
    for (code, text) in rules {
        writeln!(page, "\n## {}\n", code.id)?;
        let title = code.title;
        writeln!(page, "**{title}** ({})\n", code.severity.as_str())?;
        writeln!(page, "{}\n\n{}\n", text.what.trim(), text.why.trim())?;
        for (path, source) in &text.example.files {
            writeln!(page, "`{path}`\n\n```text\n{}\n```\n", source.trim_end())?;
        }
        writeln!(page, "```text")?;
        for line in text.example.commands() {
            writeln!(page, "$ {line}")?;
        }
        let output = printed(code.id).unwrap_or_default();
        writeln!(page, "{}\n```\n", output.trim_end())?;
        if let Some(why) = &text.example.not_run {
            writeln!(page, "{}\n", why.trim())?;
        }
        writeln!(page, "*What to do.* {}\n", text.fix.trim())?;
        writeln!(page, "*How sure it is.* {}", text.evidence.trim())?;
    }
    Ok(page)
}
