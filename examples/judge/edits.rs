//! The edits of a port, a token for each, and what became of a token.

use std::ops::Range;

use crate::python::changes::Changes;
use crate::python::token::Token;

impl Changes {
    /// One token for each edit: the first CUDA-like one that it touches, else the first at its
    /// place.
    pub(crate) fn edited(&self) -> impl Iterator<Item = Token> {
        let mut found: Vec<usize> = Vec::new();
        for (old, new) in &self.hunks {
            let own = old.clone().find(|at| {
                let token = self.before.get(*at);
                token.is_some_and(|token| token.word.is_some())
            });
            let beside = || {
                let mut all = self.before.iter();
                all.position(|token| {
                    let is_near = self.is_beside(token, old, new) || self.is_part(token, old);
                    token.is_cuda() && is_near
                })
            };
            let one = own.or_else(beside).unwrap_or(old.start);
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
            .into_iter()
            .filter_map(|at| self.before.get(at).cloned())
    }

    /// Whether all that a hunk replaces belongs to what a token is part of.
    fn is_part(&self, token: &Token, old: &Range<usize>) -> bool {
        let replaced = self.before.get(old.clone()).unwrap_or_default();
        let (Some(first), Some(last)) = (replaced.first(), replaced.last()) else {
            return false;
        };
        token.around.start <= first.at.start && last.at.end <= token.around.end
    }

    /// The CUDA-like tokens that no edit touches.
    pub(crate) fn untouched(&self) -> impl Iterator<Item = Token> {
        let all = self.before.iter().enumerate();
        all.filter(|(at, token)| token.is_cuda() && !self.is_touched(*at))
            .map(|(_, token)| token.clone())
    }

    /// What stands in the output for a token: what it became, and what all that it is part of
    /// became.
    pub(crate) fn became(&self, at: usize) -> (String, String) {
        let own = self.now.get(at).copied().flatten();
        let own = own.and_then(|new| self.after.get(new).map(|token| token.text.clone()));
        let hunk = || {
            let (old, new) = self.hunks.iter().find(|(old, _)| old.contains(&at))?;
            let range = if old.len() == new.len() {
                let new = new.start + (at - old.start);
                new..new + 1
            } else {
                new.clone()
            };
            Some(self.text(range))
        };
        let Some(token) = self.before.get(at) else {
            return Default::default();
        };
        let inside =
            |one: &Token| token.around.start <= one.at.start && one.at.end <= token.around.end;
        let first = self
            .before
            .partition_point(|one| one.at.end <= token.around.start);
        let count = self.before.get(first..).unwrap_or_default();
        let end = first + count.iter().take_while(|one| inside(one)).count();
        let from = self.after_of(first);
        let to = self.before_of(end);
        let whole = self.text(from..to.max(from));
        (own.or_else(hunk).unwrap_or_default(), whole)
    }

    /// Where the output goes on behind what stood before a token of the input.
    fn after_of(&self, at: usize) -> usize {
        let last = (0..at)
            .rev()
            .find_map(|at| self.now.get(at).copied().flatten());
        last.map_or(0, |new| new + 1)
    }

    /// Where the output comes to what stood from a token of the input on.
    fn before_of(&self, at: usize) -> usize {
        let next = (at..self.now.len()).find_map(|at| self.now.get(at).copied().flatten());
        next.unwrap_or(self.after.len())
    }

    fn text(&self, range: Range<usize>) -> String {
        let mut text = String::new();
        let mut end = None;
        for token in self.after.get(range).unwrap_or_default() {
            if end.is_some_and(|end| end < token.at.start) {
                text.push(' ');
            }
            text.push_str(&token.text);
            end = Some(token.at.end);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::python::changes::Changes;

    #[test]
    fn a_comparison_that_is_rewritten_is_one_edit_of_its_string() {
        let before = "if a.type == \"cuda\" and b:\n    x.cuda()\n";
        let after = "if a.type in (\"cuda\", \"musa\") and b:\n    x.musa()\n";
        let changes = Changes::new("a.py", before.into(), after.into()).unwrap();
        let edited: Vec<String> = changes.edited().map(|token| token.text).collect();
        assert_eq!(edited, ["\"cuda\"", "cuda"]);
        assert_eq!(changes.untouched().count(), 0);
    }

    #[test]
    fn items_are_paired_by_their_names_where_others_are_gone() {
        let before = "f = [\"-O3\", \"-gencode\", \"sm_80\", \"-D__CUDA_A\", \"-D__CUDA_B\", \"-lineinfo\"]\n";
        let after = "f = [\"-O3\", \"-D__MUSA_A\", \"-D__MUSA_B\"]\n";
        let changes = Changes::new("a.py", before.into(), after.into()).unwrap();
        let at = |text: &str| changes.before.iter().position(|token| token.text == text);
        let became = |text: &str| changes.became(at(text).unwrap()).0;
        assert_eq!(became("\"-D__CUDA_A\""), "\"-D__MUSA_A\"");
        assert_eq!(became("\"-D__CUDA_B\""), "\"-D__MUSA_B\"");
    }
}
