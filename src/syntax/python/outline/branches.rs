//! Which branches of a module its outline keeps.

use super::{Branch, ModuleOutline};

/// Note that a branch is kept.
fn keep(is_kept: &mut [bool], place: Option<usize>) {
    if let Some(one) = place.and_then(|place| is_kept.get_mut(place)) {
        *one = true;
    }
}

impl Branch<'_> {
    /// Whether it is the first arm of a chain that stands in no other block.
    fn is_first_at_top(&self) -> bool {
        self.is_top && self.before.is_none()
    }
}

impl ModuleOutline<'_> {
    /// Drop the branches that decide about no import, but for the first arms at the top: most branches of a module stand in
    /// functions, and nobody asks for them.
    pub(super) fn drop_other_branches(&mut self) {
        let firsts = self.branches.iter().map(Branch::is_first_at_top);
        let mut is_kept: Vec<bool> = firsts.collect();
        for import in self.imports.iter().chain(&self.stars) {
            keep(&mut is_kept, import.branch);
        }
        // A branch leads to earlier ones alone.
        for (at, branch) in self.branches.iter().enumerate().rev() {
            if is_kept.get(at) == Some(&true) {
                keep(&mut is_kept, branch.before);
                keep(&mut is_kept, branch.enclosing);
            }
        }
        let mut kept = 0;
        let places = is_kept.iter().map(|&is_kept| {
            let place = is_kept.then_some(kept);
            kept += usize::from(is_kept);
            place
        });
        let places: Vec<Option<usize>> = places.collect();
        let moved = |place: Option<usize>| places.get(place?).copied().flatten();
        let mut all = places.iter();
        self.branches
            .retain(|_| all.next().is_some_and(Option::is_some));
        for branch in &mut self.branches {
            branch.before = moved(branch.before);
            branch.enclosing = moved(branch.enclosing);
        }
        for import in self.imports.iter_mut().chain(&mut self.stars) {
            import.branch = moved(import.branch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ModuleOutline;

    #[test]
    fn branches_that_say_nothing_of_an_import_are_dropped() {
        let text = b"if a:\n    pass\nelif b:\n    pass\ndef f():\n    if c:\n        pass\n    if d:\n        pass\n    elif e:\n        if g:\n            pass\n        if h:\n            import i\n";
        let outline = ModuleOutline::new(text);
        let branches = outline.branches.iter();
        let kept: Vec<_> = branches
            .map(|one| (one.condition, one.before, one.enclosing))
            .collect();
        let expected = [
            (Some("a"), None, None),
            (Some("d"), None, None),
            (Some("e"), Some(1), None),
            (Some("h"), None, Some(2)),
        ];
        assert_eq!(kept, expected);
        assert_eq!(outline.imports.first().and_then(|one| one.branch), Some(3));
    }
}
