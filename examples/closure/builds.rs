//! Which sources the files of `CMake`'s in a tree hand to a compiler of GPUs, worked out without regard to order: a variable
//! holds every word that any command gives it, and a parameter every word of any call.
//!
//! Nothing here is the program's own: what the program says of a build is compared with this.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{Tree, as_musa};

/// How many words a variable holds, and how many words are made of one.
const MOST_WORDS: usize = 20_000;
const MOST_WAYS: usize = 64;

/// How often all commands are looked at.
const MOST_ROUNDS: usize = 30;

/// Commands that compile the sources that they get.
const MAKERS: [&str; 5] = [
    "add_library",
    "add_executable",
    "target_sources",
    "pybind11_add_module",
    "python_add_library",
];

/// A word, and the folder of the file that it stands in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Word {
    text: String,
    folder: String,
}

/// A command of a file.
struct Command {
    name: String,
    words: Vec<String>,
    folder: String,
}

type Words = BTreeSet<Word>;

/// What is known of a tree's build.
#[derive(Default)]
struct Build {
    commands: Vec<Command>,
    variables: BTreeMap<String, Words>,
    /// The parameters of each function.
    functions: BTreeMap<String, Vec<String>>,
}

/// The sources that nvcc gets in a tree: paths, and names of what the build makes.
pub(crate) fn for_nvcc(tree: &Tree) -> BTreeSet<String> {
    let build = Build::of(tree);
    let languages = ["project", "enable_language", "set", "list"];
    let has_language = build.commands.iter().any(|one| {
        languages.contains(&one.name.as_str()) && one.words.iter().any(|word| word == "CUDA")
    });
    let gets = |name: &str| has_language && MAKERS.contains(&name) || name.starts_with("cuda_add_");
    build.sources(tree, gets, ".cu")
}

/// The sources that a compiler gets as MUSA's in a port.
pub(crate) fn for_mcc(tree: &Tree) -> BTreeSet<String> {
    let build = Build::of(tree);
    let mut found = build.sources(tree, |name| name.starts_with("musa_add_"), ".mu");
    for command in &build.commands {
        let sets = ["set_source_files_properties", "set_property"].contains(&command.name.as_str());
        let is_musas = command.words.iter().any(|word| {
            word.contains("MUSA_SOURCE_OPTIONS") || word.replace(';', " ").contains("-x musa")
        });
        if sets && is_musas {
            for ending in [".mu", ".cu"] {
                found.extend(build.named(tree, command, ending));
            }
        }
    }
    found
}

impl Build {
    fn of(tree: &Tree) -> Self {
        let mut build = Self::default();
        for (path, text) in &tree.texts {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            if name == "CMakeLists.txt" || name.rsplit('.').next() == Some("cmake") {
                let all = commands(&String::from_utf8_lossy(text), folder);
                build.commands.extend(without_other_vendors(all));
            }
        }
        for command in &build.commands {
            if ["function", "macro"].contains(&command.name.as_str())
                && let Some((name, parameters)) = command.words.split_first()
            {
                let known = build.functions.entry(name.to_lowercase()).or_default();
                known.extend(parameters.iter().cloned());
            }
        }
        for _ in 0..MOST_ROUNDS {
            let before: usize = build.variables.values().map(BTreeSet::len).sum();
            build.round(tree);
            if build.variables.values().map(BTreeSet::len).sum::<usize>() == before {
                break;
            }
        }
        build
    }

    /// Give each variable the words of each command.
    fn round(&mut self, tree: &Tree) {
        for command in std::mem::take(&mut self.commands) {
            let word = |at: usize| command.words.get(at).map_or("", String::as_str);
            let rest = |at: usize| command.words.get(at..).unwrap_or_default();
            match (command.name.as_str(), word(0)) {
                ("set" | "foreach", _) => self.give(word(0), &command, rest(1)),
                ("list", "APPEND" | "PREPEND") | ("string", "CONCAT") => {
                    self.give(word(1), &command, rest(2));
                }
                ("list", "GET" | "SUBLIST" | "TRANSFORM") => {
                    let all = [format!("${{{}}}", word(1))];
                    let out = command.words.last().cloned().unwrap_or_default();
                    self.give(&out, &command, &all);
                }
                ("string", "REPLACE") => self.give(word(3), &command, rest(4)),
                ("string", "REGEX") => self.give(word(4), &command, rest(5)),
                ("file", "GLOB" | "GLOB_RECURSE") => {
                    let found = self.globbed(tree, &command, rest(2));
                    self.add(word(1), found);
                }
                ("cmake_parse_arguments", _) => {
                    // Any keyword may get any word.
                    let named = command.words.get(1..4).unwrap_or_default();
                    let keywords = self.expanded(&command.folder, named);
                    let words = self.expanded(&command.folder, rest(4));
                    for keyword in keywords {
                        self.add(&format!("{}_{}", word(0), keyword.text), words.clone());
                    }
                }
                (name, _) => {
                    if let Some(parameters) = self.functions.get(name).cloned() {
                        for (at, parameter) in parameters.iter().enumerate() {
                            self.give(
                                parameter,
                                &command,
                                command.words.get(at..=at).unwrap_or_default(),
                            );
                        }
                        self.give("ARGN", &command, rest(0));
                    }
                }
            }
            self.commands.push(command);
        }
    }

    fn give(&mut self, variable: &str, command: &Command, words: &[String]) {
        let lists = words.iter().skip_while(|word| *word != "LISTS").skip(1);
        let mut found = self.expanded(&command.folder, words);
        for list in lists.take_while(|word| *word != "ITEMS") {
            found.extend(self.variables.get(list).cloned().unwrap_or_default());
        }
        self.add(variable, found);
    }

    fn add(&mut self, variable: &str, words: Words) {
        let known = self.variables.entry(variable.to_owned()).or_default();
        for word in words {
            if known.len() < MOST_WORDS {
                known.insert(word);
            }
        }
    }

    /// Words with their variables put in.
    fn expanded(&self, folder: &str, words: &[String]) -> Words {
        let mut found = Words::new();
        for word in words {
            let mut ways = vec![Word {
                text: String::new(),
                folder: folder.to_owned(),
            }];
            let mut rest = word.as_str();
            while let Some((front, back)) = rest.split_once("${") {
                let Some((name, behind)) = back.split_once('}') else {
                    break;
                };
                let values = self.variables.get(name);
                let is_whole = front.is_empty() && behind.is_empty() && rest == word;
                let mut next = Vec::new();
                for way in &ways {
                    match values {
                        Some(values) => next.extend(values.iter().map(|value| Word {
                            text: format!("{}{front}{}", way.text, value.text),
                            folder: if is_whole {
                                value.folder.clone()
                            } else {
                                way.folder.clone()
                            },
                        })),
                        None => next.push(Word {
                            text: format!("{}{front}${{{name}}}", way.text),
                            folder: way.folder.clone(),
                        }),
                    }
                    if !is_whole && next.len() > MOST_WAYS {
                        break;
                    }
                }
                ways = next;
                rest = behind;
            }
            for mut way in ways {
                way.text.push_str(rest);
                for part in way.text.split(';').filter(|part| !part.is_empty()) {
                    found.insert(Word {
                        text: part.to_owned(),
                        folder: way.folder.clone(),
                    });
                }
            }
        }
        found
    }

    fn globbed(&self, tree: &Tree, command: &Command, words: &[String]) -> Words {
        let mut found = Words::new();
        for pattern in self.expanded(&command.folder, words) {
            let from = format!("{}/any", pattern.folder);
            for path in tree.means(from.trim_start_matches('/'), &pattern.text, false) {
                found.insert(Word {
                    text: path.to_owned(),
                    folder: String::new(),
                });
            }
        }
        found
    }

    /// The sources of all commands of some names.
    fn sources(&self, tree: &Tree, gets: impl Fn(&str) -> bool, ending: &str) -> BTreeSet<String> {
        let commands = self.commands.iter().filter(|one| gets(&one.name));
        commands
            .flat_map(|one| self.named(tree, one, ending))
            .collect()
    }

    /// The sources that a command names: paths of the tree, and other names without their folders.
    fn named(&self, tree: &Tree, command: &Command, ending: &str) -> BTreeSet<String> {
        let words = self.expanded(&command.folder, &command.words);
        let sources = words.into_iter().filter(|word| word.text.ends_with(ending));
        let mut found = BTreeSet::new();
        for word in sources {
            let from = format!("{}/any", word.folder);
            let meant = tree.means(from.trim_start_matches('/'), &word.text, false);
            if meant.is_empty() {
                let name = word.text.rsplit('/').next().unwrap_or(&word.text);
                found.insert(as_musa(name));
            }
            found.extend(meant.into_iter().map(str::to_owned));
        }
        found
    }
}

/// The commands outside of branches that ask for `ROCm` alone.
fn without_other_vendors(all: Vec<Command>) -> Vec<Command> {
    let is_others = |one: &Command| {
        let has = |part: &str| one.words.iter().any(|word| word.contains(part));
        let is = |text: &str| one.words.iter().any(|word| word == text);
        (has("HIP") || has("ROCM")) && !is("NOT") && !is("OR") && !has("CUDA")
    };
    let mut open: Vec<bool> = Vec::new();
    let mut found = Vec::new();
    for one in all {
        match one.name.as_str() {
            "if" => open.push(is_others(&one)),
            "elseif" | "else" => {
                open.pop();
                open.push(one.name == "elseif" && is_others(&one));
            }
            "endif" => {
                open.pop();
            }
            _ if open.contains(&true) => {}
            _ => found.push(one),
        }
    }
    found
}

/// The commands of a text, in order.
fn commands(text: &str, folder: &str) -> Vec<Command> {
    let mut found = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut name = String::new();
    let mut depth = 0_usize;
    let mut letters = text.chars().peekable();
    let mut open = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '#' => {
                while letters.peek().is_some_and(|next| *next != '\n') {
                    letters.next();
                }
            }
            '"' if depth > 0 => {
                while let Some(next) = letters.next() {
                    match next {
                        '"' => break,
                        '\\' => open.extend(letters.next()),
                        other => open.push(other),
                    }
                }
                words.push(std::mem::take(&mut open));
            }
            '(' if depth == 0 => {
                name = std::mem::take(&mut open).to_lowercase();
                depth = 1;
            }
            '(' => depth += 1,
            ')' => {
                if !open.is_empty() {
                    words.push(std::mem::take(&mut open));
                }
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(Command {
                        name: std::mem::take(&mut name),
                        words: std::mem::take(&mut words),
                        folder: folder.to_owned(),
                    });
                }
            }
            blank if blank.is_whitespace() => {
                if !open.is_empty() && depth > 0 {
                    words.push(std::mem::take(&mut open));
                }
            }
            other => open.push(other),
        }
    }
    found
}
