//! Spreads a property through groups that share members.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

/// Let a property spread: a group with a member that has it gives it to its other members. `visit` gets a group and its
/// members, and returns the members that have the property from then on by this group; `None` where none of the group
/// has it. The groups are visited in their order, over and over again as long as there is something new, but only those
/// in which there may be: each group twice at the most.
pub(super) fn spread(
    groups: &[&[usize]],
    mut visit: impl FnMut(usize, &[usize]) -> Option<Vec<usize>>,
) {
    let mut by_member: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (group, members) in groups.iter().enumerate() {
        for &member in *members {
            by_member.entry(member).or_default().push(group);
        }
    }
    let mut waiting: BTreeSet<(usize, usize)> = (0..groups.len()).map(|group| (0, group)).collect();
    let mut is_done = vec![false; groups.len()];
    while let Some((round, group)) = waiting.pop_first() {
        let (Some(members), Some(is_done)) = (groups.get(group), is_done.get_mut(group)) else {
            continue;
        };
        if *is_done {
            continue;
        }
        let Some(new) = visit(group, members) else {
            continue;
        };
        *is_done = true;
        for member in new {
            for other in by_member.remove(&member).into_iter().flatten() {
                waiting.insert((round + usize::from(other < group), other));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_spreads_through_all_groups_in_their_order() {
        let groups: [&[usize]; 4] = [&[3, 4], &[2, 3], &[1, 2], &[8, 9]];
        let mut has = vec![1];
        let mut order = Vec::new();
        spread(&groups, |group, members| {
            members.iter().find(|one| has.contains(one))?;
            order.push(group);
            let new = members.iter().filter(|one| !has.contains(one));
            let new: Vec<usize> = new.copied().collect();
            has.extend(&new);
            Some(new)
        });
        assert_eq!(has, [1, 2, 3, 4]);
        assert_eq!(order, [2, 1, 0]);
    }
}
