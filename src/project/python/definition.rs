//! Finds the definition of a dotted name across the files of a tree.

use super::Modules;
use super::names::folder_of_start;
use torchada_syntax::python::{FunctionHead, Parameter};

/// The definition of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Definition {
    /// A module of the tree's: its file.
    Module(usize),
    /// A function: its file, and its place in the outline.
    Function(usize, usize),
    /// A class: its file, and its place in the outline.
    Class(usize, usize),
    /// Another name at the top of a module.
    Variable(usize, String),
    /// Something from outside the tree, by its dotted name.
    Outside(String),
}

/// The function that a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Callee {
    /// The file of the function.
    pub file: usize,
    /// Its place in the file's outline; a class's for one whose fields are the parameters.
    pub at: usize,
    /// How many parameters the call binds without an argument: `self`.
    pub bound_parameters: usize,
    /// Whether the parameters are the fields of a class.
    pub fields: bool,
}

/// The place of an argument in a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentPlace<'a> {
    /// At a position, counted from 0.
    Position(usize),
    /// Behind a keyword.
    Keyword(&'a str),
}

/// How many names are followed one behind the other.
const STEPS: usize = 12;

/// How many classes a class is followed to.
const MOST_BASES: usize = 128;

impl<'p> Modules<'p> {
    /// The definition of a dotted name, as a file knows it.
    pub fn lookup(&self, from: usize, name: &str) -> Option<Definition> {
        self.look_up(from, name, STEPS)
    }

    /// The definition of a name at the top of a file.
    pub fn lookup_here(&self, file: usize, name: &str) -> Option<Definition> {
        self.define(file, &[name], STEPS)
    }

    fn look_up(&self, from: usize, name: &str, steps: usize) -> Option<Definition> {
        let steps = steps.checked_sub(1)?;
        let dots = name.bytes().take_while(|&byte| byte == b'.').count();
        let parts: Vec<&str> = name.split('.').filter(|part| !part.is_empty()).collect();
        let Some(walked) = self.resolve(from, name) else {
            return (dots == 0).then(|| Definition::Outside(name.to_owned()));
        };
        let (&last, above) = walked.modules.split_last()?;
        // `from .norm import norm` in a package's start hides the module of that name.
        if walked.parts == parts.len()
            && let (Some(&package), Some(part)) = (above.last(), parts.last())
            && let Some(found) = self.define(package, &[part], steps)
            && !matches!(found, Definition::Module(_) | Definition::Variable(..))
        {
            return Some(found);
        }
        self.define(last, parts.get(walked.parts..)?, steps)
    }

    /// The definition of a name, in parts, in a file.
    fn define(&self, file: usize, parts: &[&str], steps: usize) -> Option<Definition> {
        let steps = steps.checked_sub(1)?;
        let Some((&name, rest)) = parts.split_first() else {
            return Some(Definition::Module(file));
        };
        let outline = self.outline(file)?;
        let with_rest = |front: &str| {
            let mut whole = front.to_owned();
            for part in rest {
                if !whole.ends_with('.') {
                    whole.push('.');
                }
                whole.push_str(part);
            }
            whole
        };
        let top = self.top(file)?;
        if let Some(at) = top.function(outline, name) {
            return rest.is_empty().then_some(Definition::Function(file, at));
        }
        if let Some(at) = top.class(outline, name) {
            return match rest {
                [] => Some(Definition::Class(file, at)),
                [method] => self
                    .method(file, at, method)
                    .map(|(file, at)| Definition::Function(file, at)),
                _ => None,
            };
        }
        let import = top.import(outline, name);
        if let Some(one) = import.and_then(|at| outline.imports.get(at)) {
            return self.look_up(file, &with_rest(&one.dotted()), steps);
        }
        let alias = top.alias(outline, name);
        if let Some((_, value)) = alias.and_then(|at| outline.aliases.get(at))
            && value.split('.').next() != Some(name)
        {
            let whole = with_rest(value);
            let parts: Vec<&str> = whole.split('.').collect();
            return self.define(file, &parts, steps);
        }
        for star in &outline.stars {
            let walked = self.resolve(file, star.module);
            let target = walked.and_then(|walked| walked.modules.last().copied());
            if let Some(target) = target.filter(|&target| target != file)
                && let Some(found) = self.define(target, parts, steps)
                && !matches!(found, Definition::Variable(..))
            {
                return Some(found);
            }
        }
        if folder_of_start(self.path(file)).is_some_and(|folder| !folder.is_empty()) {
            let walked = self.walk(file, parts);
            if let Some(&last) = walked.modules.last() {
                return self.define(last, parts.get(walked.parts..)?, steps);
            }
        }
        rest.is_empty()
            .then(|| Definition::Variable(file, name.to_owned()))
    }

    /// The method of a class, its own or one of its bases'.
    pub fn method(&self, file: usize, class: usize, name: &str) -> Option<(usize, usize)> {
        let mut found = None;
        self.each_class(file, class, &mut |file, class| {
            let outline = self.outline(file);
            let at = outline.and_then(|outline| self.top(file)?.method(outline, class, name));
            found = at.map(|at| (file, at));
            found.is_some()
        });
        found
    }

    /// Go through a class and its bases until `stop` says so; gives the names of bases from outside.
    pub fn each_class(
        &self,
        file: usize,
        class: usize,
        stop: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Vec<String> {
        let mut outside = Vec::new();
        let mut seen = vec![(file, class)];
        let mut next = 0;
        while let Some(&(file, class)) = seen.get(next) {
            next += 1;
            if stop(file, class) {
                break;
            }
            let head = self.outline(file).and_then(|one| one.classes.get(class));
            for base in head.into_iter().flat_map(|head| &head.bases) {
                let parts: Vec<&str> = base.split('.').collect();
                match self.define(file, &parts, STEPS) {
                    Some(Definition::Class(file, class)) => {
                        if seen.len() < MOST_BASES && !seen.contains(&(file, class)) {
                            seen.push((file, class));
                        }
                    }
                    Some(Definition::Outside(name)) => outside.push(name),
                    _ => outside.push((*base).to_owned()),
                }
            }
        }
        outside
    }

    /// The constructor of a class.
    pub fn constructor(&self, file: usize, class: usize) -> Option<Callee> {
        let made = ["__init__", "__new__"]
            .iter()
            .find_map(|name| self.method(file, class, name));
        if let Some((file, at)) = made {
            return Some(Callee {
                file,
                at,
                bound_parameters: 1,
                fields: false,
            });
        }
        let head = self.outline(file)?.classes.get(class)?;
        // `@config`, `@attr.s`: what a decorator makes a constructor for, where nothing else gives the class one.
        let is_decorated =
            || !head.decorators.is_empty() && head.bases.is_empty() && !head.fields.is_empty();
        let by_fields = is_decorated()
            || head.decorators.iter().any(|one| one.contains("dataclass"))
            || head
                .bases
                .iter()
                .any(|base| base.ends_with("NamedTuple") || base.ends_with("BaseModel"));
        by_fields.then_some(Callee {
            file,
            at: class,
            bound_parameters: 0,
            fields: true,
        })
    }

    /// The function that a call of a definition calls; `bound` if an object comes before the arguments.
    pub fn callee(&self, definition: &Definition, bound: bool) -> Option<Callee> {
        match *definition {
            Definition::Class(file, class) => self.constructor(file, class),
            Definition::Function(file, at) => {
                let head = self.outline(file)?.functions.get(at)?;
                let is = |name: &str| head.decorators.contains(&name);
                let bound_parameters = usize::from(
                    head.class.is_some() && !is("staticmethod") && (bound || is("classmethod")),
                );
                Some(Callee {
                    file,
                    at,
                    bound_parameters,
                    fields: false,
                })
            }
            _ => None,
        }
    }

    /// The head of a function.
    pub fn function(&self, callee: Callee) -> Option<&FunctionHead<'p>> {
        let outline = self.outline(callee.file).filter(|_| !callee.fields)?;
        outline.functions.get(callee.at)
    }

    /// The parameter that takes the argument at a place, or by a keyword.
    pub fn parameter(&self, callee: Callee, place: ArgumentPlace<'_>) -> Option<Parameter<'p>> {
        let outline = self.outline(callee.file)?;
        if callee.fields {
            let fields = &outline.classes.get(callee.at)?.fields;
            let name = match place {
                ArgumentPlace::Position(at) => fields.get(at)?,
                ArgumentPlace::Keyword(name) => fields.iter().find(|&&one| one == name)?,
            };
            return Some(Parameter { written: name });
        }
        let parameters = &outline.functions.get(callee.at)?.parameters;
        match place {
            ArgumentPlace::Keyword(name) => {
                parameters.iter().find(|one| one.written == name).copied()
            }
            ArgumentPlace::Position(at) => {
                let mut left = at + callee.bound_parameters;
                for one in parameters {
                    match (one.stars(), one.name()) {
                        // `/` takes no place; behind `*` there are only keywords.
                        (0, "") => {}
                        (1, "") | (2, _) => return None,
                        (1, _) => return Some(*one),
                        _ if left == 0 => return Some(*one),
                        _ => left -= 1,
                    }
                }
                None
            }
        }
    }
}
