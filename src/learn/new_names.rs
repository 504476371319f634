//! Names that an SDK declares and whose CUDA form no table has.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::facts::{Fact, Rows};
use super::headers::Headers;
use crate::mapping::names::stems::by_rule;
use crate::mapping::{Section, Stem, Tables};
use crate::syntax::DeclarationKind;

/// Add the facts on such names. `differs` says how a name of CUDA's and one of MUSA's are declared otherwise.
pub(super) fn new_names(
    tables: &Tables,
    headers: &Headers,
    differs: &dyn Fn(&str, &str) -> Option<String>,
    rows: &mut Rows,
) {
    let back = ways_back(tables.stems());
    let known: FxHashSet<&str> = tables
        .rows(Section::Names)
        .filter_map(|row| row.to.as_deref())
        .collect();
    for name in headers.names() {
        if name.starts_with('_') || known.contains(name) {
            continue;
        }
        let Some(declared) = headers.plain(name).filter(|one| one.path.is_empty()) else {
            continue;
        };
        let is_api = match &declared.what {
            DeclarationKind::Function(_)
            | DeclarationKind::Type { .. }
            | DeclarationKind::Alias(_)
            | DeclarationKind::Enumerator(_) => true,
            DeclarationKind::Macro(body) => body.value.is_some(),
            DeclarationKind::Other | DeclarationKind::Member => false,
        };
        let begins = back.iter().any(|stem| name.starts_with(&*stem.cuda));
        let cuda = by_rule(&back, name);
        if is_api
            && begins
            && cuda != name
            && by_rule(tables.stems(), &cuda) == name
            && tables.get(Section::Names, cuda.as_bytes()).is_none()
            && headers.plain(&cuda).is_none()
        {
            let source = format!("declared: {}", headers.show(declared.place));
            let mut fact = Fact::present(&cuda, name, source);
            fact.differs = differs(&cuda, name);
            rows.entry((Section::Names, cuda)).or_insert(fact);
        }
    }
}

/// The pieces of MUSA's names with what they were in CUDA's, the longest first. A piece that two of CUDA's become has no way
/// back.
fn ways_back(stems: &[Stem]) -> Vec<Stem> {
    let mut back: Vec<Stem> = stems
        .iter()
        .map(|stem| Stem {
            cuda: stem.musa.clone(),
            musa: stem.cuda.clone(),
        })
        .collect();
    back.sort_by(|a, b| {
        b.cuda
            .len()
            .cmp(&a.cuda.len())
            .then_with(|| a.musa.cmp(&b.musa))
    });
    let mut pieces: BTreeMap<String, usize> = BTreeMap::new();
    for stem in &back {
        *pieces.entry(stem.cuda.to_string()).or_default() += 1;
    }
    back.retain(|stem| pieces.get(&*stem.cuda) == Some(&1));
    back
}
