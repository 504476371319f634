//! The CUDA release that a tree is written for, as far as its files name one.

use std::sync::Arc;

use super::cmake::version_conditions::{VersionCondition, version_conditions};
use super::compared_releases::{Release, compared_releases};
use super::context::Context;
use super::left_whole::vendored;
use super::tree::file_text::FileText;
use super::tree::source::Input;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::project::PROPOSED;
use torchada_mapping::cuda_version::CudaReleases;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::knowledge::Knowledge;
use torchada_mapping::{VersionForm, WordList};
use torchada_parallel as parallel;
use torchada_syntax::{LexOptions, lex};
use torchada_text::{LineIndex, TextRange, contains};

/// A place that names a release.
#[derive(Clone, Copy)]
struct ReleaseMention<'i> {
    release: Release,
    input: &'i Input,
    range: TextRange,
}

/// The context with the release that the files name, and the finding that says where they name it. The context stays as it
/// is, without a finding, where the user wants that, or where no condition in C++ or in `CMake` compares a version of CUDA's. The
/// files whose tokens are looked at keep them if `keeps_tokens` says so: those of a large tree take as much memory as its texts.
pub fn with_cuda_version<'c>(
    context: Context<'c>,
    inputs: &mut [&mut Input],
    keeps_tokens: bool,
) -> (Context<'c>, Option<Finding>) {
    let named = context
        .takes_project_version
        .then(|| propose(inputs, keeps_tokens, context));
    let Some((release, finding)) = named.flatten() else {
        return (context, None);
    };
    let context = Context {
        cuda_version: Some(release),
        ..context
    };
    (context, Some(finding))
}

/// The release that the files name, and the finding that says where; `None` where no condition in C++ or in
/// `CMake` compares a version of CUDA's.
fn propose(
    inputs: &mut [&mut Input],
    keeps_tokens: bool,
    context: Context<'_>,
) -> Option<(Release, Finding)> {
    let knowledge = context.knowledge;
    let table = &knowledge.cuda_releases;
    let found = parallel::map(inputs.iter_mut(), |input| {
        let conditions = in_cmake(input, knowledge);
        (compared(input, keeps_tokens, knowledge), conditions)
    });
    let inputs = inputs.iter().map(|input| &**input);
    let carried = vendored::carried(&inputs, knowledge);
    let (mut own, mut in_code, mut required, mut asked) = (vec![], vec![], vec![], vec![]);
    for (input, (compared, conditions)) in inputs.zip(found) {
        if carried.iter().any(|library| library.holds(&input.path)) {
            continue;
        }
        own.push(input);
        let mention = |release, range| ReleaseMention {
            release,
            input,
            range,
        };
        let compared = compared.into_iter();
        in_code.extend(compared.map(|(release, range)| mention(release, range)));
        for one in conditions {
            let list = if one.is_required {
                &mut required
            } else {
                &mut asked
            };
            list.push(mention(one.release, one.range));
        }
    }
    let required = newest(required, table);
    let asked = asked.into_iter().filter(|_| required.is_none()).collect();
    let compared = newest(in_code, table).or_else(|| newest(asked, table));
    if compared.is_none() && required.is_none() {
        return None;
    }
    let marks = Marks::of(table);
    let found = own.iter().filter(|input| input.class.kind.names_sources());
    let found = parallel::flat_map(found, |input| named(input, &marks, table));
    let named = table.sources.iter().enumerate().find_map(|(at, source)| {
        let of_source = found.iter().filter(|(of, _)| *of == at);
        let newest = of_source.clone().map(|(_, one)| one.release).max()?;
        let (_, oldest) = of_source.min_by_key(|(_, one)| one.release)?;
        Some((*oldest, source.what.as_str(), newest))
    });
    let compared = compared.map(|one| (one, table.condition.as_str(), one.release));
    let required = required.map(|one| (one, table.required.as_str(), one.release));
    let decides = named.or(compared).filter(|(one, ..)| {
        let least = required.as_ref().map(|(least, ..)| least.release);
        least.is_none_or(|least| one.release >= least)
    });
    Some(proposed(decides.or(required)?, table))
}

/// The release that the files are taken to be written for, and the finding about it: the mention that decides, the words for
/// its place, and the newest release that is mentioned so.
fn proposed(
    (named, what, newest): (ReleaseMention<'_>, &str, Release),
    table: &CudaReleases,
) -> (Release, Finding) {
    let release = named
        .release
        .clamp(table.oldest.numbers(), table.newest.numbers());
    let text = named.input.text.as_deref().unwrap_or_default();
    let written = |(major, minor): Release| format!("{major}.{minor}");
    let mut why = what.replace("{release}", &written(named.release));
    if newest > named.release {
        let newest = table.others.replace("{release}", &written(newest));
        why = format!("{why}, {newest}");
    }
    let limit = if release == named.release {
        String::new()
    } else {
        let (oldest, newest) = (String::from(table.oldest), String::from(table.newest));
        format!(", and MUSA's API is like that of CUDA {oldest} to {newest}")
    };
    let finding = Finding::at(
        PROPOSED,
        &named.input.path,
        text,
        &LineIndex::new(text),
        named.range,
        format!(
            "conditions on CUDA's version are decided as for CUDA {}: {why}{limit}",
            written(release)
        ),
    );
    let help = "`--cuda-version` names another release, and `--cuda-version off` leaves such conditions as they are";
    (release, finding.help(help))
}

/// The newest of some mentions, of those first that are not too new.
fn newest<'i>(found: Vec<ReleaseMention<'i>>, table: &CudaReleases) -> Option<ReleaseMention<'i>> {
    let rank = |one: &ReleaseMention<'_>| (one.release <= table.newest.numbers(), one.release);
    let found = found.into_iter();
    found.reduce(|best, one| if rank(&one) > rank(&best) { one } else { best })
}

/// The conditions on releases in a file of `CMake`'s. One on a release that is too new for MUSA's API is none of them.
fn in_cmake(input: &Input, knowledge: &Knowledge) -> Vec<VersionCondition> {
    let is_cmake = input.class.language == Some(BuildLanguage::CMake);
    let text = input.text.as_ref().filter(|_| is_cmake);
    let text: &[u8] = &text.map(FileText::once).unwrap_or_default();
    let read = || Arc::clone(input.cmake(text));
    let newest = knowledge.cuda_releases.newest.numbers();
    let mut found = version_conditions(text, &knowledge.builds.cmake, &read);
    found.retain(|one| one.release <= newest);
    found
}

/// The releases that conditions of a file of C++ ask for.
fn compared(
    input: &mut Input,
    keeps_tokens: bool,
    knowledge: &Knowledge,
) -> Vec<(Release, TextRange)> {
    let text = input.text.as_ref().filter(|_| input.class.kind.is_cpp());
    let Some(text) = text else {
        return Vec::new();
    };
    let source: &[u8] = &text.once();
    // Only these say a release; the text of every C++ file is searched for them.
    let guards = &knowledge.shapes.guards;
    let mut names = guards.versions.iter();
    let says_release =
        |(name, form): (&String, &VersionForm)| form.release(0).is_some() && contains(source, name);
    if !names.any(says_release) {
        return Vec::new();
    }
    let template = input.class.template;
    let tokens = lex(source, LexOptions { template });
    let found = compared_releases(&tokens, source, guards);
    input.tokens = keeps_tokens.then_some(tokens);
    found
}

/// What stands before the numbers of releases, as one search.
struct Marks {
    words: WordList,
    /// For each of the words the index of its source in the table.
    sources: Vec<usize>,
}

impl Marks {
    fn of(table: &CudaReleases) -> Self {
        let sources = table.sources.iter().enumerate();
        let marks = sources.flat_map(|(at, source)| {
            let before = source.before.iter().cloned();
            before.map(move |mark| (at, mark))
        });
        let (sources, texts): (Vec<usize>, Vec<String>) = marks.unzip();
        Self {
            words: WordList::new(texts),
            sources,
        }
    }
}

/// The releases that a file names behind such texts, each with the index of its source in the table.
fn named<'i>(
    input: &'i Input,
    marks: &Marks,
    table: &CudaReleases,
) -> Vec<(usize, ReleaseMention<'i>)> {
    let text = input.text.as_ref().map(FileText::once);
    let text: &[u8] = &text.unwrap_or_default();
    if !marks.words.is_in(text) {
        return Vec::new();
    }
    let starts = marks.words.overlapping(text);
    let named = starts.filter_map(|(mark, _, start)| {
        let source = *marks.sources.get(mark)?;
        let rest = text.get(start..)?;
        let length = rest
            .iter()
            .position(|byte| !byte.is_ascii_digit() && *byte != b'.')
            .unwrap_or(rest.len());
        let written = std::str::from_utf8(rest.get(..length)?).ok()?;
        let mut parts = written.split('.').map(str::parse);
        let major = parts.next()?.ok()?;
        let minor = parts.next().and_then(Result::ok).unwrap_or(0);
        // `-DCUDA_VERSION=11020` has the number of a macro, `cuda-version: 128` that of a package's tag.
        let of_macro =
            (major >= table.least_of_macro).then(|| VersionForm::Thousands.release(major));
        let release = match of_macro.flatten() {
            Some(release) => release,
            None if major >= table.least_of_tag => (major / 10, major % 10),
            None => (major, minor),
        };
        // `CUDA_VERSION=0` stands for none.
        if release.0 == 0 {
            return None;
        }
        let mention = ReleaseMention {
            release,
            input,
            range: TextRange::new(start, start + length),
        };
        Some((source, mention))
    });
    named.collect()
}
