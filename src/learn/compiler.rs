//! What the compiler says of itself.

use std::collections::BTreeSet;
use std::path::Path;

use crate::machine::Environment;
use crate::machine::program::Call;
use crate::mapping::learn::LearnTable;

/// What the compiler says.
#[derive(Default, Debug)]
pub(super) struct Compiler {
    /// The first line about its version.
    pub(super) version: Option<String>,
    /// GPU generations that it names.
    pub(super) architectures: Vec<String>,
    /// Options that it names.
    pub(super) options: Vec<String>,
}

impl Compiler {
    /// Ask it for its version and its help.
    pub(super) fn ask(program: &Path, environment: &Environment, unread: &mut Vec<String>) -> Self {
        let questions = &LearnTable::builtin().mcc;
        let mut ask = |arguments: &[String]| {
            let answer = Call::new(program, environment).arguments(arguments).run();
            if !answer.is_success() {
                let line = arguments.join(" ");
                unread.push(format!("{} {line}: {}", program.display(), answer.end));
            }
            answer
        };
        let version = ask(&questions.version);
        let help = ask(&questions.help);
        let text = [version.out.as_slice(), &help.out].concat();
        let text = String::from_utf8_lossy(&text);
        let help = String::from_utf8_lossy(&help.out);
        let options: BTreeSet<String> = help.lines().filter_map(option).collect();
        Self {
            version: version.first_line(),
            architectures: architectures(&text, &questions.architecture),
            options: options.into_iter().collect(),
        }
    }
}

/// The option that a line of a help text begins with, without its value.
fn option(line: &str) -> Option<String> {
    let word = line.trim_start();
    let ends = |character: char| character.is_whitespace() || "=<[,".contains(character);
    let word = word.split(ends).next()?;
    (word.len() > 1 && word.starts_with('-')).then(|| word.to_owned())
}

/// The words that begin as names of GPU generations do, and go on with a number.
fn architectures(text: &str, front: &str) -> Vec<String> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words = text.split(|character: char| !is_part(character));
    let named: BTreeSet<&str> = words
        .filter(|word| {
            word.strip_prefix(front).is_some_and(|number| {
                !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            })
        })
        .collect();
    named.into_iter().map(str::to_owned).collect()
}
