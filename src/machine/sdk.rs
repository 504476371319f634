//! Finds the MUSA SDK, its folders and its version.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::environment::is_program;
use super::{Environment, listing};
use crate::files;
use crate::mapping::Version;
use crate::mapping::machine::{MachineTable, SdkTable, VersionSourceForm};

/// Why a folder was looked at for an SDK.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user named it.
    Argument,
    /// This variable names it.
    Variable(String),
    /// The compiler on the PATH lies in it.
    Compiler(PathBuf),
    /// It is a usual place.
    Place,
}

/// The MUSA SDK of a machine. Folders that it lacks are not in its lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sdk {
    /// Its folder, as it was named.
    pub root: PathBuf,
    /// Why it is this one.
    pub origin: Origin,
    /// Folders with headers.
    pub include: Vec<PathBuf>,
    /// Folders with libraries.
    pub libraries: Vec<PathBuf>,
    /// Folders with programs.
    pub programs: Vec<PathBuf>,
    /// Folders with modules of `CMake`'s.
    pub cmake: Vec<PathBuf>,
    /// What says its version, surest first.
    pub versions: Vec<SdkVersion>,
}

/// What one place says of the SDK's version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SdkVersion {
    /// The version.
    pub version: Version,
    /// How sure it is.
    pub certainty: Certainty,
    /// The place: `include/musa.h: MUSA_VERSION 50200`.
    pub place: String,
}

/// How sure a version is, surest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// A file says so.
    Stated,
    /// Computed from a macro, or the end of a library's name.
    Computed,
    /// Computed from what old releases had wrong, with a value that they may have had.
    Doubtful,
}

/// A place where an SDK was looked for.
pub type Looked = (Origin, PathBuf);

/// The SDK: the folder that the user named, else the first variable that is set, else where the compiler on the PATH
/// lies, else the usual places. A folder that somebody named and that is none is not replaced by another.
///
/// # Errors
/// The folders that are no SDK.
pub fn find(argument: Option<&Path>, environment: &Environment) -> Result<Sdk, Vec<Looked>> {
    let table = &MachineTable::builtin().sdk;
    let looked = candidates(argument, environment, table);
    let is_sdk = |root: &Path| table.marks.iter().any(|mark| root.join(mark).exists());
    match looked.iter().find(|(_, root)| is_sdk(root)) {
        Some((origin, root)) => Ok(Sdk::at(root, origin.clone())),
        None => Err(looked),
    }
}

fn candidates(argument: Option<&Path>, environment: &Environment, table: &SdkTable) -> Vec<Looked> {
    if let Some(argument) = argument {
        return vec![(Origin::Argument, argument.to_owned())];
    }
    let mut variables = table.variables.iter();
    let named = variables.find_map(|name| Some((name, environment.variable(name)?)));
    if let Some((name, value)) = named {
        return vec![(Origin::Variable(name.clone()), PathBuf::from(value))];
    }
    let compiler = environment.program(&table.compiler);
    let of_compiler = compiler.and_then(|compiler| {
        let folder = compiler.canonicalize().ok()?;
        let root = folder.parent()?.parent()?.to_owned();
        Some((Origin::Compiler(compiler), root))
    });
    let places = table.places.iter();
    let places = places.map(|place| (Origin::Place, environment.place(place)));
    of_compiler.into_iter().chain(places).collect()
}

impl Sdk {
    /// The SDK in a folder.
    pub fn at(root: &Path, origin: Origin) -> Self {
        let table = &MachineTable::builtin().sdk;
        let folders = |names: &[String]| {
            let paths = names.iter().map(|name| root.join(name));
            paths.filter(|path| path.is_dir()).collect()
        };
        Self {
            root: root.to_owned(),
            origin,
            include: folders(&table.include),
            libraries: folders(&table.libraries),
            programs: folders(&table.programs),
            cmake: folders(&table.cmake),
            versions: versions(root, table),
        }
    }

    /// Its version, by the surest place that says one.
    pub fn version(&self) -> Option<&SdkVersion> {
        // The table has the surest place first, but a macro may be doubtful.
        self.versions.iter().min_by_key(|version| version.certainty)
    }

    /// Its version, where that is more than a guess.
    pub fn sure_version(&self) -> Option<&Version> {
        let found = self.version()?;
        (found.certainty != Certainty::Doubtful).then_some(&found.version)
    }

    /// Its compiler.
    pub fn compiler(&self) -> Option<PathBuf> {
        let name = &MachineTable::builtin().sdk.compiler;
        let mut paths = self.programs.iter().map(|folder| folder.join(name));
        paths.find(|path| is_program(path))
    }
}

/// The digest of what the SDK's folders with headers and libraries list: paths, sizes, times. Where it is the same,
/// facts that were read there still hold.
///
/// # Errors
/// What the system says, or that there are too many files.
pub fn listing_digest(sdk: &Sdk) -> io::Result<String> {
    let folders = [sdk.include.as_slice(), sdk.libraries.as_slice()].concat();
    let limit = MachineTable::builtin().limits.listed;
    let digest = listing::digest(&sdk.root, &folders, limit)?;
    Ok(digest.to_hex().to_string())
}

fn versions(root: &Path, table: &SdkTable) -> Vec<SdkVersion> {
    let sources = table.version.iter();
    sources
        .filter_map(|source| match &source.form {
            VersionSourceForm::Json { file, keys } => version_in_json(root, file, keys),
            VersionSourceForm::Library { folder, library } => named(root, folder, library, table),
            VersionSourceForm::Macro { file, r#macro } => computed(root, file, r#macro, table),
        })
        .collect()
}

fn text(path: &Path) -> Option<String> {
    let limit = MachineTable::builtin().limits.version_file;
    let bytes = files::read_named(path, limit).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A value in a file of JSON.
fn version_in_json(root: &Path, file: &str, keys: &[String]) -> Option<SdkVersion> {
    let json: serde_json::Value = serde_json::from_str(&text(&root.join(file))?).ok()?;
    let value = keys.iter().try_fold(&json, |value, key| value.get(key))?;
    Some(SdkVersion {
        version: value.as_str()?.trim().parse().ok()?,
        certainty: Certainty::Stated,
        place: format!("{file}: {}", keys.join(".")),
    })
}

/// The end of a library's name. The longest one counts, as `libmusart.so.5` leads to `libmusart.so.5.1.0`.
fn named(root: &Path, folder: &str, library: &str, table: &SdkTable) -> Option<SdkVersion> {
    let entries = std::fs::read_dir(root.join(folder)).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let ends = names.filter_map(|name| {
        let end = name.strip_prefix(library)?;
        let parts = end.split('.').count();
        let version: Version = end.parse().ok()?;
        (parts >= 3).then_some((parts, version, name))
    });
    let (_, version, name) = ends.max_by(|(a, one, _), (b, other, _)| (a, one).cmp(&(b, other)))?;
    Some(SdkVersion {
        certainty: certainty(&version, table),
        version,
        place: format!("{folder}/{name}"),
    })
}

/// A number that a macro of a header has.
fn computed(root: &Path, file: &str, name: &str, table: &SdkTable) -> Option<SdkVersion> {
    let text = text(&root.join(file))?;
    let number = text.lines().find_map(|line| {
        let definition = line.trim().strip_prefix('#')?.trim_start();
        let mut words = definition.strip_prefix("define")?.split_whitespace();
        (words.next()? == name).then(|| words.next()?.parse::<u64>().ok())?
    })?;
    let version: Version = table.version_of(number)?.parse().ok()?;
    Some(SdkVersion {
        certainty: certainty(&version, table),
        version,
        place: format!("{file}: {name} {number}"),
    })
}

/// How sure a version is that was computed.
fn certainty(version: &Version, table: &SdkTable) -> Certainty {
    let right_since: Option<Version> = table.right_since.parse().ok();
    if right_since.is_some_and(|since| *version >= since) {
        Certainty::Computed
    } else {
        Certainty::Doubtful
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument => f.write_str("named on the command line"),
            Self::Variable(name) => write!(f, "named by {name}"),
            Self::Compiler(path) => write!(f, "the SDK of {}", path.display()),
            Self::Place => f.write_str("a usual place"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A root with files in it.
    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::TempDir::new().expect("a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        root
    }

    #[test]
    fn the_named_folder_counts_and_no_other_takes_its_place() {
        let machine = root(&[
            ("usr/local/musa/include/musa.h", ""),
            ("old/version.json", ""),
        ]);
        let old = machine.path().join("old");
        let old_name = old.to_str().expect("text");
        let find_with = |variables: &[(&str, &str)], argument: Option<&Path>| {
            let environment = Environment::made(variables, machine.path());
            let found = find(argument, &environment).map(|sdk| (sdk.origin, sdk.root));
            found.map_err(|looked| looked.len())
        };
        let usual = machine.path().join("usr/local/musa");
        assert_eq!(find_with(&[], None), Ok((Origin::Place, usual.clone())));
        let by_path = Origin::Variable("MUSA_PATH".to_owned());
        let path_alone = [("MUSA_HOME", ""), ("MUSA_PATH", old_name)];
        assert_eq!(find_with(&path_alone, None), Ok((by_path, old.clone())));
        assert_eq!(find_with(&[("MUSA_HOME", "/nowhere")], None), Err(1));
        assert_eq!(
            find_with(&[("MUSA_HOME", "/nowhere")], Some(&usual)),
            Ok((Origin::Argument, usual))
        );
    }

    #[test]
    fn a_version_says_how_sure_it_is() {
        let version = |files: &[(&str, &str)]| {
            let root = root(files);
            let sdk = Sdk::at(root.path(), Origin::Argument);
            let found = sdk.version().cloned();
            found.map(|found| (found.version.to_string(), found.certainty, found.place))
        };
        let stated = "{\"musa_toolkits\": {\"version\": \"5.2.0\"}}";
        let header = "#pragma once\n# define MUSA_VERSION 11080\n";
        let found = version(&[("version.json", stated), ("include/musa.h", header)]);
        let (number, certainty, _) = found.expect("a version");
        assert_eq!((number.as_str(), certainty), ("5.2.0", Certainty::Stated));
        let found = version(&[("include/musa.h", header)]).expect("a version");
        assert_eq!(found.1, Certainty::Doubtful, "{found:?}");
        let found = version(&[
            ("lib/libmusart.so.5", ""),
            ("lib/libmusart.so.5.1.0", ""),
            ("include/musart_version.h", "#define MUSART_VERSION 4030"),
        ]);
        assert_eq!(found.expect("a version").2, "lib/libmusart.so.5.1.0");
        let found = version(&[("include/musart_version.h", "#define MUSART_VERSION 4030")]);
        let (number, certainty, _) = found.expect("a version");
        assert_eq!((number.as_str(), certainty), ("4.3.0", Certainty::Computed));
        assert_eq!(version(&[("version.json", "[")]), None);
    }

    #[test]
    fn the_digest_of_a_listing_follows_paths_sizes_and_times() {
        let sdk_root = root(&[
            ("include/a/b.h", "x"),
            ("lib/libmusart.so", "y"),
            ("doc", "z"),
        ]);
        let digest = || {
            let sdk = Sdk::at(sdk_root.path(), Origin::Argument);
            listing_digest(&sdk).expect("listed")
        };
        let first = digest();
        fs::write(sdk_root.path().join("doc"), "not in the folders").expect("written");
        assert_eq!(digest(), first);
        fs::write(sdk_root.path().join("include/a/b.h"), "longer").expect("written");
        let second = digest();
        assert_ne!(second, first);
        fs::write(sdk_root.path().join("include/c.h"), "").expect("written");
        assert_ne!(digest(), second);
    }
}
