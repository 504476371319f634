//! What a build may come to or pass by.

use super::cause::Absence;
use super::run::Runner;
use super::scopes::{Changes, Scopes, Variables};
use super::sources::CommandPlace;
use super::tree::BuildFile;
use crate::platforms::cmake_condition::{ConditionPlatform, platform_of_block};
use torchada_syntax::cmake::Command;

impl Runner<'_> {
    /// Run what a build may pass by. A build for MUSA does so where there is a reason.
    pub(super) fn run_optional(&mut self, absence: Absence, run: impl FnOnce(&mut Self)) {
        let path = self.path.clone();
        self.path = path.clone().or(absence);
        self.scopes.begin();
        run(self);
        let done = self.scopes.end();
        self.path = path;
        self.join(&[done], true);
    }

    /// Run the branches of an `if`. Returns the place behind it.
    pub(super) fn branches(&mut self, file: usize, head: usize, ends: &[usize]) -> usize {
        let Some(source) = self.tree.file(file) else {
            return head + 1;
        };
        let name_at = |at: usize| source.commands.commands.get(at).map(Command::lower_name);
        let mut taken: Vec<Changes> = Vec::new();
        let mut at = head;
        let (mut has_else, mut is_musas) = (false, false);
        let path = self.path.clone();
        let mut reaches = path.clone();
        loop {
            let next = ends.get(at).copied().unwrap_or(at);
            let is_else = name_at(at) == Some("else");
            has_else |= is_else;
            let judged = self.judged(file, at);
            let platform = if self.judging.is_some() {
                None
            } else if is_else {
                is_musas.then_some(ConditionPlatform::Musa)
            } else {
                self.condition_platform(source, (file, at))
            };
            is_musas |= platform == Some(ConditionPlatform::Musa);
            let skips = match platform {
                Some(ConditionPlatform::Other) => true,
                Some(ConditionPlatform::Musa) => is_else || !self.is_port,
                None => false,
            };
            if !skips {
                self.path = reaches.clone().or(judged.holds);
                self.scopes.begin();
                self.matched(file, at);
                self.run(file, at + 1, next);
                taken.push(self.scopes.end());
            }
            reaches = reaches.or(judged.fails);
            if !matches!(name_at(next), Some("elseif" | "else")) || next <= at {
                self.path = path;
                self.join(&taken, !has_else || taken.is_empty());
                return next.max(at) + 1;
            }
            at = next;
        }
    }

    /// Go on behind several branches of which one was taken, or none where `may_skip`.
    pub(super) fn join(&mut self, branches: &[Changes], may_skip: bool) {
        let none = Scopes::new(Variables::default(), self.limits());
        let mut scopes = std::mem::replace(&mut self.scopes, none);
        scopes.join(branches, may_skip, &|name| self.before(name));
        self.scopes = scopes;
    }

    /// The platform that a condition asks for.
    fn condition_platform(
        &mut self,
        source: BuildFile<'_>,
        at: CommandPlace,
    ) -> Option<ConditionPlatform> {
        if let Some(&known) = self.platforms.get(&at) {
            return known;
        }
        let platform = platform_of_block(source.commands, source.text, at.1, self.knowledge);
        self.platforms.insert(at, platform);
        platform
    }
}
