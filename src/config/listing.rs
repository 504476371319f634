//! The effective settings, each with its origin, for `torchada config`.

use std::path::{Path, PathBuf};

use toml::Value;

use super::confine::ConfinedFile;
use super::{ConfigError, Origin, Set, Settings, absolute, discover, display_path};
use crate::cli::{Choice, SharedArgs};
use crate::mapping::Version;

/// A setting, its value and where that came from.
#[derive(Clone, PartialEq, Debug)]
pub struct EffectiveSetting {
    /// The key in a configuration file, or the option where no key has it.
    pub name: String,
    /// The value; `None` where there is none.
    pub value: Option<Value>,
    /// Where it came from.
    pub origin: Origin,
    /// Whether a configuration file can set it.
    pub is_key: bool,
}

impl Settings {
    /// All settings, those with a key first, by name.
    pub fn effective(&self) -> Vec<EffectiveSetting> {
        let paths = |paths: &Vec<PathBuf>| texts(paths.iter().map(|path| display_path(path)));
        let list = |values: &Vec<String>| texts(values.iter().cloned());
        let layout = self.layout.value.iter();
        let layout: toml::Table = layout
            .map(|pair| (display_path(&pair.from), display_path(&pair.to).into()))
            .collect();
        let ignores = self.per_file_ignores.value.rows();
        let ignores: toml::Table = ignores
            .map(|(glob, codes)| (glob.to_owned(), texts(codes.iter().cloned())))
            .collect();
        let mapping = Set {
            value: [&*self.mapping.value, &self.mapping_arguments].concat(),
            origin: if self.mapping_arguments.is_empty() {
                self.mapping.origin.clone()
            } else {
                Origin::Argument
            },
        };
        let mut effective = vec![
            key("all-code", &self.all_code, |value| *value),
            key("cache", &self.cache, |value| *value),
            EffectiveSetting {
                value: self.cuda_version.value.written().map(Value::from),
                ..key("cuda-version", &self.cuda_version, |_| "")
            },
            key("dialect", &self.dialect, |value| value.word()),
            key("even-so", &self.even_so, |value| *value),
            key("exclude", &self.exclude, list),
            EffectiveSetting {
                value: self.facts.value.as_ref().map_or_else(
                    || (self.facts.origin != Origin::Default).then(|| Value::from(false)),
                    |facts| Some(display_path(&facts.path).into()),
                ),
                ..key("facts", &self.facts, |_| "")
            },
            key("ignore", &self.ignore, list),
            key("include-roots", &self.include_roots, paths),
            key("layout", &self.layout, |_| layout),
            key("mapping", &mapping, paths),
            key("min-evidence", &self.min_evidence, |value| value.as_str()),
            key("on-conflict", &self.on_conflict, |value| value.word()),
            key("own-names", &self.own_names, |names| {
                texts(names.iter().cloned())
            }),
            key("paths", &self.paths, list),
            key("per-file-ignores", &self.per_file_ignores, |_| ignores),
            key("ptx", &self.ptx, |value| value.word()),
            key("rename", &self.rename, |value| value.word()),
            version("sdk", &self.sdk),
            key("select", &self.select, list),
            key("stub", &self.stub, |value| *value),
            key("target", &self.targets, list),
            version("torch-musa", &self.torch_musa),
            key("vendored", &self.vendored, |value| value.word()),
        ];
        for (name, value) in [("no-ignore", self.no_ignore), ("unsafe", self.unsafe_edits)] {
            let set = Set::default_to(false).or_argument(value.then_some(true));
            effective.push(EffectiveSetting {
                is_key: false,
                ..key(name, &set, |value| *value)
            });
        }
        effective
    }
}

/// A setting with a key, whose value is written as `value` says.
fn key<T, V: Into<Value>>(
    name: &str,
    set: &Set<T>,
    value: impl FnOnce(&T) -> V,
) -> EffectiveSetting {
    EffectiveSetting {
        name: name.to_owned(),
        value: Some(value(&set.value).into()),
        origin: set.origin.clone(),
        is_key: true,
    }
}

fn version(name: &str, set: &Set<Option<Version>>) -> EffectiveSetting {
    EffectiveSetting {
        name: name.to_owned(),
        value: set.value.as_ref().map(|version| version.to_string().into()),
        origin: set.origin.clone(),
        is_key: true,
    }
}

fn texts(texts: impl Iterator<Item = String>) -> Value {
    Value::Array(texts.map(Value::String).collect())
}

/// What a check looks at where no PATH is given: the `paths` of the configuration that holds in the
/// current folder, else that folder.
///
/// # Errors
/// A fault in the configuration.
pub fn default_paths(args: &SharedArgs) -> Result<Vec<PathBuf>, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable {
        path: PathBuf::from("."),
        source,
    };
    let here = absolute(Path::new(".")).map_err(unreadable)?;
    let here_alone = vec![PathBuf::from(".")];
    let Some(file) = discover::holding(args, || Ok(here.clone()))? else {
        return Ok(here_alone);
    };
    let source = ConfinedFile {
        base: file.path.parent().unwrap_or(Path::new(".")),
        is_named: file.is_named,
    };
    let paths = source.paths("paths", &file.paths.unwrap_or_default())?;
    if let Some(missing) = paths.value.iter().find(|path| !path.exists()) {
        return Err(ConfigError::usage(
            format!(
                "{}: `paths`: {} does not exist",
                paths.origin,
                missing.display()
            ),
            "paths of a configuration file are seen from its folder",
        ));
    }
    let paths = paths.value.into_iter();
    let paths: Vec<PathBuf> = paths
        .map(|whole| match whole.strip_prefix(&here) {
            Ok(part) if part.as_os_str().is_empty() => PathBuf::from("."),
            Ok(part) => part.to_owned(),
            Err(_) => whole,
        })
        .collect();
    Ok(if paths.is_empty() { here_alone } else { paths })
}
