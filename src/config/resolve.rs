//! Derives the mode of a run from PATH, `-o` and their companions.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::layout::{self, Configured};
use super::output;
use super::{ConfigError, Mode, Sink, absolute};
use crate::cli::PortArgs;
use crate::mapping::Rename;

impl Mode {
    /// The mode that these arguments ask for. `configured` is the configuration's layout,
    /// which gives way to `-o` and `--in-place`.
    pub(super) fn resolve(
        args: &PortArgs,
        rename: Rename,
        configured: Option<&Configured<'_>>,
    ) -> Result<Self, ConfigError> {
        let root = args.shared.root.as_deref().map(folder).transpose()?;
        if is_stdin(&args.path) {
            return stdin(args, root);
        }
        if args.shared.stdin_path.is_some() {
            return Err(ConfigError::usage(
                "--stdin-path names standard input, but PATH is not `-`",
                "say `torchada port - --stdin-path NAME`",
            ));
        }
        let input = present(&args.path)?;
        if input.is_file() {
            return file(args, input, root, rename);
        }
        if !input.is_dir() {
            return Err(ConfigError::SpecialInput(args.path.clone()));
        }
        let subdir = match &root {
            None => None,
            Some(root) => Some(part_of(&input, root)?).filter(|part| !part.as_os_str().is_empty()),
        };
        if args.in_place {
            let root = root.unwrap_or(input);
            return Ok(Self::InPlace { root, subdir });
        }
        let pairs = layout::pairs(args, configured, &input)?;
        if !pairs.is_empty() {
            if subdir.is_some() {
                return Err(ConfigError::usage(
                    "a layout is of a whole tree",
                    "give the tree as PATH, without --root",
                ));
            }
            return Ok(Self::Layout { root: input, pairs });
        }
        let output = output_folder(args, &input)?;
        let whole = root.as_deref().unwrap_or(&input);
        if input.starts_with(&output) || whole.starts_with(&output) {
            return Err(ConfigError::OutputIsInput { output, input });
        }
        output::output_is_possible(&output)?;
        Ok(match (root, subdir) {
            (Some(root), Some(subdir)) => Self::Part {
                root,
                subdir,
                output,
            },
            _ => Self::Tree { input, output },
        })
    }
}

/// The folder that takes the port of a tree.
fn output_folder(args: &PortArgs, input: &Path) -> Result<PathBuf, ConfigError> {
    match &args.output {
        Some(output) if is_stdin(output) => Err(ConfigError::usage(
            "a tree can't go to standard output",
            "name a folder with -o, or print a diff with --diff",
        )),
        Some(output) => {
            output::refuse_links(output, input)?;
            output::resolve_output(output)
        }
        None => {
            let output = output::default_folder(&args.path, input)?;
            output::refuse_links(&output, input)?;
            Ok(output)
        }
    }
}

/// The folder in which the search for a configuration file starts.
pub(super) fn start_folder(args: &PortArgs) -> Result<PathBuf, ConfigError> {
    let named = if is_stdin(&args.path) {
        let beside = args.shared.stdin_path.as_deref().and_then(Path::parent);
        match (&args.shared.root, beside) {
            (Some(root), _) => root.as_path(),
            (None, Some(folder)) if folder.is_dir() => folder,
            _ => Path::new("."),
        }
    } else {
        &args.path
    };
    let full = present(named)?;
    Ok(match full.parent() {
        Some(parent) if !full.is_dir() => parent.to_owned(),
        _ => full,
    })
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The absolute path of something that must be there.
fn present(path: &Path) -> Result<PathBuf, ConfigError> {
    path.canonicalize().map_err(|source| match source.kind() {
        // A pipe that the shell hands over (`<(command)`) is there, and has no path of its own.
        ErrorKind::NotFound if path.exists() => ConfigError::SpecialInput(path.to_owned()),
        ErrorKind::NotFound => ConfigError::MissingInput(path.to_owned()),
        _ => ConfigError::Unreadable {
            path: path.to_owned(),
            source,
        },
    })
}

fn folder(path: &Path) -> Result<PathBuf, ConfigError> {
    let full = present(path)?;
    if full.is_dir() {
        Ok(full)
    } else {
        Err(ConfigError::usage(
            format!("--root {} is not a folder", path.display()),
            "name the folder of the whole tree",
        ))
    }
}

fn part_of(input: &Path, root: &Path) -> Result<PathBuf, ConfigError> {
    match input.strip_prefix(root) {
        Ok(part) => Ok(part.to_owned()),
        Err(_) => Err(ConfigError::usage(
            format!(
                "{} does not lie in --root {}",
                input.display(),
                root.display()
            ),
            "name the folder of the whole tree with --root",
        )),
    }
}

fn stdin(args: &PortArgs, root: Option<PathBuf>) -> Result<Mode, ConfigError> {
    if args.in_place || !args.layout.is_empty() {
        return Err(ConfigError::usage(
            "standard input has no place in a tree",
            "give the tree as PATH",
        ));
    }
    let path = match (&args.shared.stdin_path, &root) {
        (Some(path), Some(root)) if path.is_absolute() => Some(absolute(path).map_or_else(
            |_| path.clone(),
            |full| {
                full.strip_prefix(root)
                    .map_or_else(|_| path.clone(), Path::to_owned)
            },
        )),
        (path, _) => path.clone(),
    };
    let output = match &args.output {
        Some(typed) if !is_stdin(typed) => {
            let output = output::resolve_output(typed)?;
            if output.is_dir() {
                return Err(ConfigError::usage(
                    format!("{} is a folder", output.display()),
                    "name a file in it with -o",
                ));
            }
            output::file_place(typed)?;
            Sink::File(output)
        }
        _ => Sink::Stdout,
    };
    Ok(Mode::Stdin { path, root, output })
}

fn file(
    args: &PortArgs,
    input: PathBuf,
    root: Option<PathBuf>,
    rename: Rename,
) -> Result<Mode, ConfigError> {
    if !args.layout.is_empty() {
        return Err(ConfigError::usage(
            "a layout is of a whole tree, and PATH is a file",
            "give the tree as PATH",
        ));
    }
    if let Some(root) = &root {
        part_of(&input, root)?;
    }
    if args.in_place {
        let root = match (root, input.parent()) {
            (Some(root), _) => root,
            (None, Some(parent)) => parent.to_owned(),
            (None, None) => return Err(ConfigError::SpecialInput(input)),
        };
        let subdir = Some(part_of(&input, &root)?);
        return Ok(Mode::InPlace { root, subdir });
    }
    let name = output::ported_name(&input, rename);
    let output = match &args.output {
        Some(output) if is_stdin(output) => Sink::Stdout,
        Some(typed) => {
            let output = output::resolve_output(typed)?;
            Sink::File(if output.is_dir() {
                output.join(name)
            } else {
                output::file_place(typed)?;
                output
            })
        }
        None => Sink::File(output::beside(&args.path, &input)?.join(name)),
    };
    if let Sink::File(output) = &output {
        if *output == input {
            return Err(ConfigError::OutputIsInput {
                output: output.clone(),
                input,
            });
        }
        output::output_is_possible(output)?;
    }
    Ok(Mode::File {
        input,
        root,
        output,
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tempfile::TempDir;

    use super::*;
    use crate::cli::{Cli, Command};
    use crate::config::Settings;
    use crate::machine::Environment;

    /// A tree `p` with a folder and a file in it.
    fn tree() -> TempDir {
        let folder = TempDir::new().expect("a temporary folder");
        std::fs::create_dir_all(folder.path().join("p/csrc/cuda")).expect("made");
        std::fs::write(folder.path().join("p/k.cu"), "").expect("written");
        folder
    }

    /// The mode for a command line in which `@` is the temporary folder.
    fn mode(tree: &TempDir, line: &str) -> Result<Mode, ConfigError> {
        let here = tree.path().canonicalize().expect("there");
        let line = line.replace('@', here.to_str().expect("UTF-8"));
        let words = ["torchada", "port", "--no-config"];
        let words = words.into_iter().chain(line.split_whitespace());
        let Command::Port(args) = Cli::try_parse_from(words).expect("sound").command else {
            unreachable!("the line says port");
        };
        Settings::port(&args, &Environment::none()).map(|settings| settings.mode)
    }

    fn output(tree: &TempDir, line: &str) -> String {
        let mode = mode(tree, line).expect("possible");
        let path = match &mode {
            Mode::File {
                output: Sink::File(path),
                ..
            } => path,
            other => other.output_folder().expect("has an output"),
        };
        let here = tree.path().canonicalize().expect("there");
        let inside = path.strip_prefix(here).expect("below");
        inside.to_str().expect("UTF-8").to_owned()
    }

    #[test]
    fn the_default_output_is_beside_the_input() {
        let tree = tree();
        assert_eq!(output(&tree, "@/p"), "p_musa");
        assert_eq!(output(&tree, "@/p/"), "p_musa");
        assert_eq!(output(&tree, "@/p/."), "p_musa");
        assert_eq!(output(&tree, "@/p/csrc/.."), "p_musa");
        assert_eq!(output(&tree, "@/p/csrc --root @/p"), "p/csrc_musa");
    }

    #[test]
    fn a_file_goes_beside_itself_under_a_musa_name() {
        let tree = tree();
        std::fs::write(tree.path().join("p/a.cpp"), "").expect("written");
        assert_eq!(output(&tree, "@/p/k.cu"), "p/k.mu");
        assert_eq!(output(&tree, "@/p/k.cu --rename never"), "p/k_musa.cu");
        assert_eq!(output(&tree, "@/p/a.cpp"), "p/a_musa.cpp");
        assert_eq!(output(&tree, "@/p/k.cu -o @/p/csrc"), "p/csrc/k.mu");
    }

    #[test]
    fn an_output_inside_the_input_is_allowed() {
        assert_eq!(output(&tree(), "@/p -o @/p/build/musa"), "p/build/musa");
    }

    #[test]
    fn an_output_that_covers_the_input_is_refused() {
        let tree = tree();
        for line in [
            "@/p -o @/p",
            "@/p -o @",
            "@/p -o @/p/csrc/..",
            "@/p/csrc --root @/p -o @",
        ] {
            let error = mode(&tree, line).expect_err(line);
            assert!(matches!(error, ConfigError::OutputIsInput { .. }), "{line}");
            assert!(error.help().is_some_and(|help| help.contains("--in-place")));
        }
    }

    #[test]
    fn a_missing_input_is_an_error() {
        let error = mode(&tree(), "@/nope").expect_err("missing");
        assert!(matches!(error, ConfigError::MissingInput(_)));
    }

    #[test]
    fn an_output_below_a_file_is_an_error_that_names_the_option() {
        let error = mode(&tree(), "@/p/csrc -o @/p/k.cu/out").expect_err("impossible");
        assert!(error.help().is_some_and(|help| help.contains("-o")));
    }

    #[test]
    fn a_part_must_lie_in_its_root() {
        let tree = tree();
        assert!(mode(&tree, "@/p --root @/p/csrc").is_err());
        let whole = mode(&tree, "@/p --root @/p").expect("possible");
        assert!(matches!(whole, Mode::Tree { .. }));
    }

    #[test]
    fn a_layout_names_folders_of_the_tree_that_do_not_overlap() {
        let tree = tree();
        let layout = mode(&tree, "@/p --layout csrc/cuda=csrc/musa").expect("possible");
        let Mode::Layout { pairs, .. } = layout else {
            panic!("expected a layout, not {layout:?}");
        };
        assert_eq!(pairs[0].from, Path::new("csrc/cuda"));
        assert_eq!(pairs[0].to, Path::new("csrc/musa"));
        for wrong in [
            "nope=x",
            "csrc/cuda=../x",
            "csrc/cuda=csrc/cuda/musa",
            "csrc=csrc",
        ] {
            assert!(
                mode(&tree, &format!("@/p --layout {wrong}")).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn in_place_has_no_other_output() {
        let mode = mode(&tree(), "@/p --in-place").expect("possible");
        assert!(matches!(mode, Mode::InPlace { subdir: None, .. }));
    }
}
