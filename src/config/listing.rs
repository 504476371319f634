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
        let paths = |paths: &[PathBuf]| texts(paths.iter().map(|path| display_path(path)));
        let layout: toml::Table = self
            .layout
            .value
            .iter()
            .map(|pair| (display_path(&pair.from), display_path(&pair.to).into()))
            .collect();
        let ignores: toml::Table = self
            .per_file_ignores
            .value
            .rows()
            .map(|(glob, codes)| (glob.to_owned(), texts(codes.iter().cloned())))
            .collect();
        let mut mapping = self.mapping.value.clone();
        mapping.extend(self.mapping_arguments.iter().cloned());
        let mapping_origin = match (&self.mapping.origin, self.mapping_arguments.is_empty()) {
            (origin, true) => origin,
            (_, false) => &Origin::Argument,
        };
        let mut effective = vec![
            key("all-code", self.all_code.value, &self.all_code.origin),
            key("cache", self.cache.value, &self.cache.origin),
            EffectiveSetting {
                value: self.cuda_version.value.written().map(Value::from),
                ..key("cuda-version", "", &self.cuda_version.origin)
            },
            key("dialect", self.dialect.value.word(), &self.dialect.origin),
            key("even-so", self.even_so.value, &self.even_so.origin),
            strings("exclude", &self.exclude),
            EffectiveSetting {
                value: self.facts.value.as_ref().map_or_else(
                    || (self.facts.origin != Origin::Default).then(|| Value::from(false)),
                    |facts| Some(display_path(&facts.path).into()),
                ),
                ..key("facts", "", &self.facts.origin)
            },
            strings("ignore", &self.ignore),
            key(
                "include-roots",
                paths(&self.include_roots.value),
                &self.include_roots.origin,
            ),
            key("layout", layout, &self.layout.origin),
            key("mapping", paths(&mapping), mapping_origin),
            key(
                "min-evidence",
                self.min_evidence.value.as_str(),
                &self.min_evidence.origin,
            ),
            key(
                "on-conflict",
                self.on_conflict.value.word(),
                &self.on_conflict.origin,
            ),
            key(
                "own-names",
                texts(self.own_names.value.iter().cloned()),
                &self.own_names.origin,
            ),
            strings("paths", &self.paths),
            key("per-file-ignores", ignores, &self.per_file_ignores.origin),
            key("ptx", self.ptx.value.word(), &self.ptx.origin),
            key("rename", self.rename.value.word(), &self.rename.origin),
            version("sdk", &self.sdk),
            strings("select", &self.select),
            key("stub", self.stub.value, &self.stub.origin),
            strings("target", &self.targets),
            version("torch-musa", &self.torch_musa),
            key(
                "vendored",
                self.vendored.value.word(),
                &self.vendored.origin,
            ),
        ];
        for (name, value) in [("no-ignore", self.no_ignore), ("unsafe", self.unsafe_edits)] {
            let origin = if value {
                Origin::Argument
            } else {
                Origin::Default
            };
            effective.push(EffectiveSetting {
                is_key: false,
                ..key(name, value, &origin)
            });
        }
        effective
    }
}

fn key(name: &str, value: impl Into<Value>, origin: &Origin) -> EffectiveSetting {
    EffectiveSetting {
        name: name.to_owned(),
        value: Some(value.into()),
        origin: origin.clone(),
        is_key: true,
    }
}

fn strings(name: &str, set: &Set<Vec<String>>) -> EffectiveSetting {
    key(name, texts(set.value.iter().cloned()), &set.origin)
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
