//! `docs/cli.md`, made from the definitions so that it can't go stale.

use super::Cli;
use super::keys::{Key, SETTINGS, TABLES};

/// The text of `docs/cli.md`.
fn markdown() -> String {
    let mut text = String::from(HEAD);
    text.push_str("\n| key | such as | means |\n| --- | --- | --- |\n");
    for key in SETTINGS {
        row(&mut text, key);
    }
    text.push_str(MAPPING_TABLES);
    for key in TABLES {
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

/// What the definitions do not say.
const HEAD: &str = "\
# The command line

<!-- Made from the definitions in `src/cli`; `UPDATE_DOCS=1 cargo test --lib cli` writes it anew. -->

## Exit codes

| code | `port`, `shim`, `map`, `explain`, `rules` | `check` |
| --- | --- | --- |
| 0 | Done; for `port`, everything is written. There may be findings. | Every file was looked at, and no finding is as severe as `--fail-on`. |
| 1 | Edits were withdrawn, files failed, or your edits of the output and the new port disagree: each is named, and the rest is written. With `--check`: a port would change what is there. `map` or `explain` does not know a name or code. | There is a finding as severe as `--fail-on`. |
| 2 | The command line, a table, the configuration or the place of the output is at fault. Nothing is written. | The same, or a file could not be looked at; its finding says why. |
| 101 | The program has a bug. The message says where; please report it, with what `torchada info` prints. | The same. |

## Streams

Standard output carries results only: the diff, the translated file of `port -`, the answers of
`map`, the findings of `check`. A port's findings, the closing summary and errors go to standard
error. `check` puts its summary behind the findings of `--format full`, on standard error with
`concise`, and into the document with `json`. Colours go to terminals only, never where `NO_COLOR`
is set, and as `--color` says. A reader that closes the pipe early ends the program quietly.

## Comments that hide findings

A marker counts in comments only, never in strings.

| comment | does |
| --- | --- |
| `// torchada: ignore[CPP002]` | Hides findings of this code. On a line with code it hides the findings of that line; on a line of its own, those of the next line with code. A directive counts as one line, even if it spans several. |
| `// torchada: ignore[CPP002, CPP01] why` | Several codes, or beginnings of codes. The text behind the bracket is for people. |
| `/* torchada: ignore */` | Hides all findings there. |
| `// MUSIFY_EXCL_LINE` | This line stays as it is: no edits, no findings. |
| `// MUSIFY_EXCL_START` … `// MUSIFY_EXCL_STOP` | The same for these two lines and all between them. |

The summary counts the findings that markers hide and the edits that they prevent, and the report lists
them. A marker without effect gets a note, and a marker that can't be read gets a warning.

## Where the output goes

| PATH | without `-o` | |
| --- | --- | --- |
| a folder | `NAME_musa` beside it; `.` and `..` by the folder's real name | if OUT lies in PATH, it is no input |
| a part of `--root` | `NAME_musa` beside the part | the rest of the tree is read, not written |
| `k.cu`, `k.cuh` | `k.mu`, `k.muh` beside it | never replaces an existing file |
| another file | `NAME_musa.ext` beside it | the same |
| `-` | standard output | `-o -` does the same for a file |

## The package for run time

A port of a whole tree whose Python uses torch, to another tree or in place, writes the Python package
`torchada` to the output's root. After `import torchada`, before torch is used, code that only run time
can translate works on MUSA. Python finds it from programs in the root; for those in folders below it (`python scripts/train.py`)
put the root into `PYTHONPATH`, or install `torchada-port`. A port of a part, a file or a `--layout` writes no package; in the portable
dialect, which needs one, its programs import it all the same, with a note. The package's files are in
the manifest like any others: the next port updates them, and keeps your changes. `--diff` leaves them
out, because they come from the program. If the tree has a folder or module `torchada` of its own, the
port stops with an error; `--no-stub`, or `stub = false`, leaves the package out. The package's tables
are made from the mappings of the run, your own included.

## Configuration

The configuration is the nearest `torchada.toml`, or `pyproject.toml` with a table `[tool.torchada]`,
from PATH upwards. The command line takes precedence over it. Paths are relative to the file's folder.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cli.md");
        let fresh = markdown();
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, &fresh).expect("docs/cli.md can be written");
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == fresh,
            "docs/cli.md is stale: run `UPDATE_DOCS=1 cargo test --lib cli`"
        );
    }
}
