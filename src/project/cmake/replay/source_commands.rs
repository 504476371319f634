//! Commands that give sources to something: targets, properties of sources, commands of a build.

use std::sync::Arc;

use super::arguments::PassedArgument;
use super::generator_expressions::Unwrapping;
use super::run::Runner;
use super::sources::{CommandPlace, NamedSource, SourceKey, SourceProperty, TargetSources};
use super::tree::in_tree;
use super::value::Item;
use crate::tree::paths;
use torchada_text::contains;

/// What ends a list of sources or folders whose properties a command sets, and begins another one.
const PROPERTY_KEYWORDS: [&str; 6] = [
    "PROPERTIES",
    "PROPERTY",
    "APPEND",
    "APPEND_STRING",
    "DIRECTORY",
    "TARGET_DIRECTORY",
];

impl Runner<'_> {
    /// Run a command that may name sources.
    pub(super) fn source_command(
        &mut self,
        at: CommandPlace,
        name: &str,
        arguments: &[PassedArgument],
    ) {
        let is_maker = self.makers.contains(name);
        let before = self.out.targets.len();
        let is_called = match name {
            _ if is_maker => {
                self.target(at, name, arguments);
                false
            }
            "set_source_files_properties" => {
                self.properties(at, arguments, 0);
                false
            }
            "set_property" if arguments.first().is_some_and(|one| one.is("SOURCE")) => {
                self.properties(at, arguments, 1);
                false
            }
            "add_custom_command" | "add_custom_target" | "execute_process" => {
                self.scripts(at, arguments);
                let place = arguments.iter().position(|one| one.is("OUTPUT_VARIABLE"));
                if let Some(out) = place.and_then(|place| arguments.get(place + 1)) {
                    let out = out.text();
                    self.unknown(&out);
                }
                return;
            }
            _ => self.call(at, name, arguments),
        };
        // A target of objects alone compiles nothing that the function was given.
        let made = self.out.targets.get(before..).unwrap_or_default();
        let compiles = |one: &TargetSources| !one.sources.is_empty() || !one.unknown.is_empty();
        let makes = is_maker || is_called && made.iter().any(compiles);
        self.note(at, arguments, makes);
    }

    /// Note which sources a command names.
    pub(super) fn note(&mut self, at: CommandPlace, arguments: &[PassedArgument], makes: bool) {
        let mut noted: Vec<(usize, Option<NamedSource>)> = Vec::new();
        let mut headers: Vec<usize> = Vec::new();
        let mut wrapped: Vec<usize> = Vec::new();
        // A list in an expression comes as several arguments.
        let mut unwrapping = Unwrapping::default();
        for argument in arguments {
            for item in argument.value.items() {
                let (text, is_inside) = unwrapping.next(&item.text);
                let is_gpus = self.is_gpu_source(text);
                if !is_gpus && !self.is_host_source(text) {
                    headers.extend(self.is_header(text).then_some(argument.place));
                    continue;
                }
                let mut passed = self.passed.iter();
                if !passed.any(|passed| passed.contains(&item.origin)) {
                    let named = || self.named(&item.with(text, item.origin));
                    noted.push((argument.place, is_gpus.then(named)));
                    let is_wrapped = is_gpus && is_inside;
                    wrapped.extend(is_wrapped.then_some(argument.place));
                }
            }
        }
        let has_any = noted.iter().any(|(_, source)| source.is_some());
        if !has_any && !self.out.sites.contains_key(&at)
            || self.out.sites.len() > self.limits().notes
        {
            return;
        }
        let site = self.out.sites.entry(at).or_default();
        site.makes_target |= makes;
        for (place, source) in noted {
            let argument = site.arguments.entry(place).or_default();
            match source {
                None => argument.others = true,
                Some(source) => {
                    let text = Arc::clone(&source.text);
                    argument.sources.entry(text).or_insert(source);
                }
            }
        }
        for place in headers {
            site.arguments.entry(place).or_default().headers = true;
        }
        for place in wrapped {
            site.arguments.entry(place).or_default().wrapped = true;
        }
    }

    /// A target with its sources.
    fn target(&mut self, at: CommandPlace, name: &str, arguments: &[PassedArgument]) {
        let Some((target, rest)) = arguments.split_first() else {
            return;
        };
        let is_none = |one: &PassedArgument| one.is("ALIAS") || one.is("IMPORTED");
        if rest.iter().any(is_none) || self.out.targets.len() > self.limits().notes {
            return;
        }
        let target: Arc<str> = target.text().into();
        let mut sources = Vec::new();
        let mut unknown: Vec<Arc<str>> = Vec::new();
        let mut unwrapping = Unwrapping::default();
        for item in rest.iter().flat_map(|one| one.value.items()) {
            let (text, _) = unwrapping.next(&item.text);
            if self.is_gpu_source(text) || self.is_host_source(text) {
                let item = item.with(text, item.origin);
                sources.push(self.named(&item));
            } else if let Some(name) = text
                .strip_prefix("${")
                .and_then(|rest| rest.strip_suffix('}'))
            {
                unknown.push(name.into());
            }
        }
        let here: Arc<str> = self.folder().into();
        let folder = if name == "target_sources" {
            self.made.get(&target).cloned().unwrap_or(here)
        } else {
            self.made.insert(Arc::clone(&target), Arc::clone(&here));
            here
        };
        self.out.targets.push(TargetSources {
            target,
            maker: name.into(),
            at,
            from: self.calls.first().copied().unwrap_or(at),
            folder,
            is_object: rest.iter().any(|one| one.is("OBJECT")),
            sources,
            unknown,
        });
    }

    /// Properties of sources.
    fn properties(&mut self, at: CommandPlace, arguments: &[PassedArgument], first: usize) {
        let is_keyword = |one: &PassedArgument| PROPERTY_KEYWORDS.iter().any(|word| one.is(word));
        let mut sources = Vec::new();
        let mut folders: Vec<Arc<str>> = Vec::new();
        let mut appends = false;
        let mut place = first;
        let mut list = "";
        while let Some(argument) = arguments.get(place) {
            place += 1;
            if is_keyword(argument) {
                if argument.is("PROPERTIES") || argument.is("PROPERTY") {
                    break;
                }
                appends |= argument.is("APPEND") || argument.is("APPEND_STRING");
                list = match argument.text().as_str() {
                    "DIRECTORY" => "DIRECTORY",
                    "TARGET_DIRECTORY" => "TARGET_DIRECTORY",
                    _ => "APPEND",
                };
                continue;
            }
            for item in argument.value.items() {
                match list {
                    "" => sources.push(self.named(item)),
                    "DIRECTORY" => {
                        folders.extend(in_tree(self.folder(), &item.text).map(Into::into));
                    }
                    "TARGET_DIRECTORY" => {
                        folders.extend(self.made.get(&item.text).cloned());
                    }
                    _ => {}
                }
            }
        }
        if folders.is_empty() && !list.ends_with("DIRECTORY") {
            folders.push(self.folder().into());
        }
        let keyword = arguments.get(first..place).unwrap_or_default().last();
        let is_single = keyword.is_some_and(|one| one.is("PROPERTY"));
        let rest = arguments.get(place..).unwrap_or_default();
        for (name, value) in names_and_values(rest, is_single) {
            if self.out.properties.len() > self.limits().notes {
                return;
            }
            self.out.properties.push(SourceProperty {
                at,
                folders: folders.clone(),
                sources: sources.clone(),
                name: name.into(),
                value: value.into(),
                appends,
            });
        }
    }

    /// A command of the build that lets `CMake` itself run a script of the tree, with what the script reads.
    fn scripts(&mut self, at: CommandPlace, arguments: &[PassedArgument]) {
        let place = arguments.iter().position(|one| one.is("-P"));
        let Some(script) = place.and_then(|place| arguments.get(place + 1)) else {
            return;
        };
        let here = self.tree.path(self.current_list());
        let script = self.tree.list_at(here, self.folder(), &script.text());
        let Some(script) = script.and_then(|at| self.tree.file(at)) else {
            return;
        };
        let table = &self.knowledge.builds.cmake;
        let compiles = |text: &[u8]| {
            let text = text.to_ascii_lowercase();
            let mut compilers = table.compilers.iter();
            compilers.any(|one| contains(&text, one))
        };
        let items = || arguments.iter().flat_map(|one| one.value.items());
        if compiles(script.text) || items().any(|one| compiles(one.text.as_bytes())) {
            return;
        }
        let mut read = Vec::new();
        for item in items() {
            if self.is_gpu_source(&item.text)
                && let SourceKey::File(file) = self.named(item).key
            {
                read.push(file);
            }
        }
        for file in read {
            self.out.read.entry(file).or_insert(at);
        }
    }

    /// The source that a text means here.
    fn named(&self, item: &Item) -> NamedSource {
        let folder = self.folder();
        let path = in_tree(folder, &item.text);
        let key = match path.as_deref().and_then(|path| self.tree.at(path)) {
            Some(file) => SourceKey::File(file),
            None => SourceKey::Text(path.map_or_else(|| Arc::clone(&item.text), Into::into)),
        };
        NamedSource {
            key,
            text: Arc::clone(&item.text),
            origin: item.origin,
        }
    }

    /// Whether a name ends as sources of CUDA's or MUSA's do.
    pub(super) fn is_gpu_source(&self, text: &str) -> bool {
        let files = &self.knowledge.files;
        text.contains('.') && (files.is_cuda(text) || files.is_musa(text))
    }

    /// Whether a name ends as headers do.
    fn is_header(&self, text: &str) -> bool {
        let files = &self.knowledge.files;
        let of = |kind| files.kinds.get(kind).into_iter().flatten();
        let hosts = of("cpp").filter(|ending| ending.starts_with(".h"));
        let musas = of("cuda-header").filter_map(|ending| files.rename.get(ending));
        let mut endings = hosts.chain(of("cuda-header")).chain(musas);
        endings.any(|ending| text.ends_with(ending.as_str()))
    }

    /// Whether a name ends as sources of C++ do; headers do not count.
    pub(super) fn is_host_source(&self, text: &str) -> bool {
        let endings = self.knowledge.files.kinds.get("cpp");
        let name = paths::file_name(text);
        let mut endings = endings.into_iter().flatten();
        name.contains('.')
            && !name.contains(".h")
            && endings.any(|ending| text.ends_with(ending.as_str()))
    }
}

/// The properties that arguments give, each with its value. A single one may have several values.
fn names_and_values(arguments: &[PassedArgument], is_single: bool) -> Vec<(String, String)> {
    if !is_single {
        let pairs = arguments.chunks_exact(2);
        let pairs = pairs.filter_map(|two| Some((two.first()?.text(), two.get(1)?.text())));
        return pairs.collect();
    }
    let Some((name, values)) = arguments.split_first() else {
        return Vec::new();
    };
    let values: Vec<String> = values.iter().map(PassedArgument::text).collect();
    vec![(name.text(), values.join(";"))]
}
