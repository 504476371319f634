//! One configuration file: its keys, checked one by one with their places.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::facts::FactsChoice;
use super::overlay::{self, is_table};
use super::reader::{Reader, key_help};
use super::{
    CudaVersion, Fault, Origin, PerFileIgnores, Set, cuda_version, display_path, versions,
};
use crate::cli::{InlinePtx, OnConflict};
use crate::mapping::configuration::ConfigurationKeys;
use crate::mapping::{Dialect, Evidence, Overlay, Rename, Vendored, Version};
use crate::text::LineIndex;

/// The settings of a configuration file.
#[derive(Clone, Debug, Default)]
pub(super) struct FileConfig {
    /// The file.
    pub(super) path: PathBuf,
    /// Whether the command line names it.
    pub(super) is_named: bool,
    /// Globs, as written.
    pub(super) exclude: Option<Set<Vec<String>>>,
    /// Whether source files are renamed.
    pub(super) rename: Option<Set<Rename>>,
    /// The names that the result is written in.
    pub(super) dialect: Option<Set<Dialect>>,
    pub(super) ptx: Option<Set<InlinePtx>>,
    /// Whether what builds for MUSA already is ported all the same.
    pub(super) even_so: Option<Set<bool>>,
    /// The weakest evidence that is acted upon.
    pub(super) min_evidence: Option<Set<Evidence>>,
    /// What happens to libraries in the tree.
    pub(super) vendored: Option<Set<Vendored>>,
    /// The project's own identifiers.
    pub(super) own_names: Option<Set<BTreeSet<String>>>,
    /// Table files, as written.
    pub(super) mapping: Option<Set<Vec<String>>>,
    /// Which facts a run rests on.
    pub(super) facts: Option<Set<FactsChoice>>,
    /// Folder pairs, as written.
    pub(super) layout: Option<Set<Vec<(String, String)>>>,
    /// Folders, as written.
    pub(super) include_roots: Option<Set<Vec<String>>>,
    /// Codes of the findings that a check shows.
    pub(super) select: Option<Set<Vec<String>>>,
    /// Codes of the findings that a check leaves out.
    pub(super) ignore: Option<Set<Vec<String>>>,
    /// What happens where a person's edit and the port disagree.
    pub(super) on_conflict: Option<Set<OnConflict>>,
    /// Whether findings in what no build for MUSA compiles count like others.
    pub(super) all_code: Option<Set<bool>>,
    /// Whether a port keeps by what the next one knows what changed.
    pub(super) cache: Option<Set<bool>>,
    /// Whether a port writes the package for run time.
    pub(super) stub: Option<Set<bool>>,
    /// The MUSA SDK that the port is for.
    pub(super) sdk: Option<Set<Version>>,
    /// The `torch_musa` release that the port is for.
    pub(super) torch_musa: Option<Set<Version>>,
    /// The CUDA whose versions stand in place of the macros.
    pub(super) cuda_version: Option<Set<CudaVersion>>,
    /// The GPU generations that the port is for.
    pub(super) target: Option<Set<Vec<String>>>,
    /// What a check looks at, as written.
    pub(super) paths: Option<Set<Vec<String>>>,
    /// Codes of the findings that are suppressed in some files.
    pub(super) per_file_ignores: Option<Set<PerFileIgnores>>,
    /// The mapping tables in the file.
    pub(super) tables: Option<Overlay>,
    /// The names of these tables, with how many entries each has.
    pub(super) table_keys: Vec<(String, Set<usize>)>,
}

/// The way in which a file keeps its settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// At the top, as in `torchada.toml`.
    Own,
    /// Under `[tool.torchada]`, as in `pyproject.toml`.
    PyProject,
}

/// Read a file's text. `None` for a `pyproject.toml` without our table.
///
/// # Errors
/// The first fault, with its place.
pub(super) fn parse(path: &Path, text: &str, shape: Shape) -> Result<Option<FileConfig>, Fault> {
    let reader = Reader {
        file: display_path(path),
        lines: LineIndex::new(text.as_bytes()),
        text,
    };
    let document = DeTable::parse(text)
        .map_err(|error| reader.fault(error.span().unwrap_or(0..0), error.message(), None))?;
    let document = document.into_inner();
    let keys = match shape {
        Shape::Own => &document,
        Shape::PyProject => {
            let ours = document
                .get("tool")
                .and_then(|tool| tool.get_ref().as_table())
                .and_then(|tool| tool.get("torchada"))
                .and_then(|ours| ours.get_ref().as_table());
            match ours {
                Some(keys) => keys,
                None => return Ok(None),
            }
        }
    };
    let mut config = reader.read(keys)?;
    path.clone_into(&mut config.path);
    if keys.keys().any(|key| is_table(key.get_ref())) {
        let tables = match shape {
            Shape::Own => text.to_owned(),
            Shape::PyProject => overlay::lift(text, &document).map_err(|span| {
                reader.fault(
                    span,
                    "a mapping table in pyproject.toml needs a header of its own",
                    Some("write it as [tool.torchada.names], with a row a line".to_owned()),
                )
            })?,
        };
        config.tables = Some(Overlay {
            file: reader.file.clone(),
            text: tables,
        });
    }
    Ok(Some(config))
}

impl Reader<'_> {
    fn read(&self, keys: &DeTable<'_>) -> Result<FileConfig, Fault> {
        let mut config = FileConfig::default();
        for (key, value) in keys {
            let name = &**key.get_ref();
            let origin = self.origin(&key.span());
            match name {
                "exclude" => config.exclude = Some(set(self.strings(name, value)?, origin)),
                "include-roots" => {
                    config.include_roots = Some(set(self.strings(name, value)?, origin));
                }
                "select" => config.select = Some(set(self.codes(name, value)?, origin)),
                "ignore" => config.ignore = Some(set(self.codes(name, value)?, origin)),
                "all-code" => config.all_code = Some(set(self.boolean(name, value)?, origin)),
                "cache" => config.cache = Some(set(self.boolean(name, value)?, origin)),
                "even-so" => config.even_so = Some(set(self.boolean(name, value)?, origin)),
                "stub" => config.stub = Some(set(self.boolean(name, value)?, origin)),
                "sdk" => {
                    let release = self.version(name, value, versions::HELP)?;
                    config.sdk = Some(set(release, origin));
                }
                "torch-musa" => {
                    let release = self.version(name, value, versions::HELP)?;
                    config.torch_musa = Some(set(release, origin));
                }
                "cuda-version" => {
                    let release = self.version(name, value, cuda_version::HELP)?;
                    config.cuda_version = Some(set(release, origin));
                }
                "paths" => config.paths = Some(set(self.strings(name, value)?, origin)),
                "per-file-ignores" => {
                    config.per_file_ignores = Some(set(self.per_file_ignores(value)?, origin));
                }
                "target" => config.target = Some(set(self.strings(name, value)?, origin)),
                "mapping" => config.mapping = Some(set(self.strings(name, value)?, origin)),
                "facts" => config.facts = Some(set(self.facts(value)?, origin)),
                "own-names" => {
                    let names = self.identifiers(name, value)?.into_iter().collect();
                    config.own_names = Some(set(names, origin));
                }
                "layout" => config.layout = Some(set(self.layout(value)?, origin)),
                "rename" => config.rename = Some(set(self.choice(name, value)?, origin)),
                "dialect" => config.dialect = Some(set(self.choice(name, value)?, origin)),
                "ptx" => config.ptx = Some(set(self.choice(name, value)?, origin)),
                "on-conflict" => config.on_conflict = Some(set(self.choice(name, value)?, origin)),
                "min-evidence" => {
                    let least: Evidence = self.choice(name, value)?;
                    config.min_evidence = Some(set(least, origin));
                }
                "vendored" => config.vendored = Some(set(self.choice(name, value)?, origin)),
                table if is_table(table) => {
                    let rows = set(self.rows(table, value)?, origin);
                    config.table_keys.push((table.to_owned(), rows));
                }
                unknown => {
                    let known = ConfigurationKeys::builtin().all();
                    let known: Vec<&str> = known.map(|key| &*key.name).collect();
                    return Err(self.fault(
                        key.span(),
                        format!("unknown key `{unknown}`"),
                        Some(key_help(unknown, &known)),
                    ));
                }
            }
        }
        Ok(config)
    }

    /// The number of rows that a mapping table has.
    fn rows(&self, table: &str, value: &Spanned<DeValue<'_>>) -> Result<usize, Fault> {
        let span = value.span();
        let value = value.get_ref();
        // A list is a setting's value, and some settings have almost the name of a table.
        let mut settings = ConfigurationKeys::builtin().settings.iter();
        let like = settings.find(|key| table.strip_suffix('s') == Some(&*key.name));
        if let Some(like) = like.filter(|_| !has_rows(value)) {
            return Err(self.fault(
                span,
                format!("`{table}` is a mapping table, with rows of its own"),
                Some(format!("the setting is called `{}`", like.name)),
            ));
        }
        let rows = value.as_table().map(toml::map::Map::len);
        let rows = rows.or_else(|| value.as_array().map(|rows| rows.iter().count()));
        Ok(rows.unwrap_or_default())
    }
}

/// Whether a value is a table, or a list of tables, as mapping tables are.
fn has_rows(value: &DeValue<'_>) -> bool {
    let is_table = |value: &DeValue<'_>| value.as_table().is_some();
    let rows = value.as_array();
    is_table(value) || rows.is_some_and(|rows| rows.iter().all(|row| is_table(row.get_ref())))
}

fn set<T>(value: T, origin: Origin) -> Set<T> {
    Set { value, origin }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> Result<FileConfig, Fault> {
        parse(Path::new("torchada.toml"), text, Shape::Own).map(Option::unwrap_or_default)
    }

    #[test]
    fn a_value_knows_its_line() {
        let config = own("# head\nrename = \"never\"\n").expect("sound");
        let rename = config.rename.expect("set");
        assert_eq!(rename.value, Rename::Never);
        assert_eq!(rename.origin.to_string(), "torchada.toml:2");
    }

    #[test]
    fn a_list_in_the_place_of_a_table_is_an_error_that_names_the_setting() {
        let fault = own("targets = [\"mp_31\"]\n").expect_err("a table");
        assert!(fault.message.contains("`targets` is a mapping table"));
        assert!(fault.help.is_some_and(|help| help.contains("`target`")));
    }

    #[test]
    fn an_unknown_key_is_an_error_with_its_place_and_a_suggestion() {
        let fault = own("exclude = []\nrenmae = \"never\"\n").expect_err("misspelt");
        assert_eq!(fault.to_string(), "torchada.toml:2:1: unknown key `renmae`");
        assert_eq!(fault.help.as_deref(), Some("did you mean `rename`?"));
    }

    #[test]
    fn a_wrong_choice_names_the_right_ones() {
        let fault = own("vendored = \"swop\"\n").expect_err("misspelt");
        assert_eq!((fault.line(), fault.column()), (1, 12));
        assert_eq!(fault.help.as_deref(), Some("did you mean `swap`?"));
    }

    #[test]
    fn a_pyproject_without_our_table_is_not_ours() {
        let text = "[tool.black]\nline-length = 100\n";
        let config = parse(Path::new("pyproject.toml"), text, Shape::PyProject).expect("sound");
        assert!(config.is_none());
    }

    #[test]
    fn tables_of_a_pyproject_keep_their_lines() {
        let text = "[project]\nname = \"x\"\n[tool.torchada]\nrename = \"never\"\n\
                    [tool.torchada.names]\ncudaX = \"musaX\"\n[tool.b]\nnames = 1\n";
        let config = parse(Path::new("pyproject.toml"), text, Shape::PyProject)
            .expect("sound")
            .expect("ours");
        let tables = config.tables.expect("has tables").text;
        let lines: Vec<&str> = tables.lines().map(str::trim_end).collect();
        assert_eq!(lines[4], "[              names]");
        assert_eq!(lines[5], "cudaX = \"musaX\"");
        assert_eq!(lines.concat(), "[              names]cudaX = \"musaX\"");
    }
}
