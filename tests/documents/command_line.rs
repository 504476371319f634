//! `docs/cli.md`.

use torchada::cli::Cli;
use torchada::mapping::configuration::{ConfigurationKeys, Key};

/// What the definitions do not say.
const INTRO: &str = include_str!("command_line_intro.md");

/// The whole document.
pub(crate) fn markdown() -> String {
    let mut text = INTRO.to_owned();
    text.push_str("\n| key | such as | means |\n| --- | --- | --- |\n");
    let keys = ConfigurationKeys::builtin();
    for key in &keys.settings {
        row(&mut text, key);
    }
    text.push_str(MAPPING_TABLES);
    for key in &keys.tables {
        row(&mut text, key);
    }
    text.push_str(SCHEMA);
    let mut root = Cli::shown().term_width(100);
    root.build();
    section(&mut text, "torchada", &mut root);
    for command in root.get_subcommands_mut() {
        let name = command.get_name().to_owned();
        if name != "help" {
            section(&mut text, &format!("torchada {name}"), command);
        }
    }
    text
}

fn row(text: &mut String, key: &Key) {
    let Key {
        name,
        example,
        what,
        ..
    } = key;
    let row = format!("| `{name}` | `{example}` | {what} |\n");
    text.push_str(&row);
}

const MAPPING_TABLES: &str = "
The file may also contain mapping tables, like a file that `mapping` names. A row is a name in quotes, or a
table with `to`, `relation`, `evidence`, `source`, `note`, `advice` and more:

| table | such as | holds |
| --- | --- | --- |
";

const SCHEMA: &str = "
`torchada config` shows the effective settings, each with its origin. `torchada generate schema` prints the JSON
schema, which is also [torchada.schema.json](torchada.schema.json). With `#:schema PATH` as its first line,
editors with taplo (Even Better TOML) complete and check `torchada.toml`.
";

fn section(text: &mut String, title: &str, command: &mut clap::Command) {
    text.push_str("\n## `");
    text.push_str(title);
    text.push_str("`\n\n```text\n");
    let help = command.render_long_help().to_string();
    for line in help.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str("```\n");
}
