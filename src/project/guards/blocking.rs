//! Constructs in a branch that MUSA does not support.

use crate::platforms::regions::Region;
use torchada_hazards::Hit;
use torchada_mapping::{Relation, Section};
use torchada_syntax::{Conditional, DirectiveKind, ScopeKind, TokenKind};
use torchada_text::TextRange;

use super::decider::{Decider, blocks};
use super::fallback::defines_no;

impl<'a> Decider<'a> {
    /// The constructs that MUSA can't do: those in the branches themselves, and those behind names that the branches
    /// use.
    pub(super) fn blocking(
        &self,
        conditional: &Conditional,
        branches: &[usize],
    ) -> (Vec<&'a Hit>, Vec<String>) {
        let bodies: Vec<TextRange> = branches
            .iter()
            .filter_map(|&at| conditional.branches.get(at))
            .map(|branch| branch.body)
            .collect();
        self.blocking_in(&bodies)
    }

    pub(super) fn blocking_in(&self, bodies: &[TextRange]) -> (Vec<&'a Hit>, Vec<String>) {
        let counts = |offset: usize| {
            bodies.iter().any(|body| body.contains(offset))
                && !self.guards.is_disabled(offset)
                && self.parsed.regions.at(offset) == Region::Plain
        };
        let from = bodies.iter().map(|body| body.start).min().unwrap_or(0);
        let to = bodies.iter().map(|body| body.end).max().unwrap_or(0);
        // They come by place.
        let before = self.hits.partition_point(|hit| hit.range.start < from);
        let direct: Vec<&'a Hit> = self
            .hits
            .iter()
            .skip(before)
            .take_while(|hit| hit.range.start < to)
            .filter(|hit| blocks(self.context, hit) && counts(hit.range.start))
            .collect();
        let mut behind: Vec<String> = Vec::new();
        let tokens = &self.parsed.tokens.tokens;
        let place = |offset: usize| tokens.partition_point(|one| one.range().start < offset);
        let inside = bodies
            .iter()
            .flat_map(|body| place(body.start)..place(body.end));
        for index in inside {
            let Some(token) = tokens
                .get(index)
                .filter(|one| one.kind == TokenKind::Identifier && counts(one.range().start))
            else {
                continue;
            };
            let name = token.text(self.source);
            let shown = || String::from_utf8_lossy(name).into_owned();
            let cause = if let Some(what) = self.construct_behind(index) {
                // It is defined here.
                if direct.iter().any(|hit| hit.what == what) {
                    continue;
                }
                // What a macro opens speaks for itself.
                let opens = self.parsed.tokens.directive_of(index).is_some()
                    || self.is_constant_switch(index);
                Some(if opens {
                    what.to_owned()
                } else {
                    format!("`{}` (which holds `{what}`)", shown())
                })
            } else {
                let row = self.context.row(Section::Names, name);
                // What a condition inside asks of CUDA's version is no part of the work.
                let version = self.context.knowledge.shapes.guards.version(name);
                let stands_in = |name| self.context.ptx.and_then(|one| one.intrinsic(name));
                row.filter(|row| row.stem && row.relation == Relation::Absent)
                    .filter(|row| row.why_missing().is_none() || stands_in(name).is_none())
                    .filter(|_| version.is_none())
                    .map(|_| shown())
            };
            if let Some(cause) = cause.filter(|cause| !behind.contains(cause)) {
                behind.push(cause);
            }
        }
        (direct, behind)
    }

    /// The construct that the first obstacle in `bodies` leads to in the end: one of `direct`, or one behind a name.
    pub(super) fn leads_to(&self, direct: &[&Hit], bodies: &[TextRange]) -> String {
        let tokens = &self.parsed.tokens.tokens;
        let place = |offset: usize| tokens.partition_point(|one| one.range().start < offset);
        let mut inside = bodies
            .iter()
            .flat_map(|body| place(body.start)..place(body.end));
        let first = direct.first().map(|hit| hit.what.as_str());
        first
            .or_else(|| inside.find_map(|at| self.construct_behind(at)))
            .unwrap_or_default()
            .to_owned()
    }

    /// The construct behind the name at `index`, as it is used there.
    pub(super) fn construct_behind(&self, index: usize) -> Option<&str> {
        let tokens = &self.parsed.tokens;
        let name = tokens.get(index)?.text(self.source);
        if let Some(what) = self.unsupported.construct_behind(name)
            && self.uses(index)
        {
            return Some(what);
        }
        if tokens.directive_of(index).is_some() {
            return None;
        }
        // A method of the class around it.
        if tokens.is(index + 1, self.source, "(") || tokens.is(index + 1, self.source, "<") {
            let outline = &self.parsed.outline;
            let class = outline
                .enclosing(index)
                .filter_map(|at| outline.scopes.get(at))
                .find(|scope| scope.kind == ScopeKind::Class)
                .and_then(|scope| scope.names.last());
            if let Some(what) = class.and_then(|class| self.unsupported.behind_method(class, name))
            {
                return Some(what);
            }
        }
        // An object of a class with such methods.
        let declares = tokens
            .get(index + 1)
            .is_some_and(|next| next.kind == TokenKind::Identifier)
            || ["<", "(", "{", "::", "&", "*"]
                .iter()
                .any(|mark| tokens.is(index + 1, self.source, mark));
        self.unsupported.behind_class(name).filter(|_| declares)
    }

    /// CUDA's names in the branches without a known counterpart.
    pub(super) fn unknown_names(
        &self,
        conditional: &Conditional,
        branches: &[usize],
    ) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for branch in branches
            .iter()
            .filter_map(|&at| conditional.branches.get(at))
        {
            for token in branch
                .tokens
                .clone()
                .filter_map(|at| self.parsed.tokens.get(at))
            {
                let name = token.text(self.source);
                let row = self.context.row(Section::Names, name);
                let unknown = row.is_some_and(|row| {
                    row.relation == Relation::Unknown && (row.stem || name.starts_with(b"__"))
                });
                let translator = self.context.ptx;
                if translator.and_then(|one| one.intrinsic(name)).is_some() {
                    continue;
                }
                let shown = format!("`{}` (not seen on MUSA)", String::from_utf8_lossy(name));
                if unknown && !found.contains(&shown) {
                    found.push(shown);
                }
            }
        }
        found
    }

    /// Whether the tainted name at `index` is called, or defined as a macro.
    pub(super) fn uses(&self, index: usize) -> bool {
        let tokens = &self.parsed.tokens;
        let member = [".", "->"]
            .iter()
            .any(|mark| index > 0 && tokens.is(index - 1, self.source, mark));
        match tokens.directive_of(index) {
            Some(one) if one.kind == DirectiveKind::Define => {
                one.tokens.start == index && !defines_no(self.source, tokens, one)
            }
            Some(_) => false,
            None => {
                !member
                    && (tokens.is(index + 1, self.source, "(")
                        || tokens.is(index + 1, self.source, "<")
                        || self.is_constant_switch(index))
            }
        }
    }
}
