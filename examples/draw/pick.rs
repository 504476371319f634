//! The draw itself.

/// The next number of the generator `SplitMix64`: written out here, so that a draw in the
/// document stays the same whatever library is there.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// `count` different numbers below `all`, sorted; all of them where there are fewer.
pub fn pick(all: usize, count: usize, seed: u64) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..all).collect();
    let mut state = seed;
    let mut chosen = Vec::new();
    while chosen.len() < count && !rest.is_empty() {
        // `all` is far below 2^32, so that the remainder favours no number by more than 2^-32.
        let at = next(&mut state) % rest.len() as u64;
        chosen.push(rest.swap_remove(usize::try_from(at).unwrap_or_default()));
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::pick;

    #[test]
    fn a_draw_has_different_places_and_repeats_itself() {
        let drawn = pick(1000, 50, 7);
        assert_eq!(drawn, pick(1000, 50, 7));
        assert_ne!(drawn, pick(1000, 50, 8));
        assert_eq!(drawn.len(), 50);
        assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(drawn.last().is_some_and(|last| *last < 1000));
    }

    #[test]
    fn all_are_drawn_where_there_are_fewer() {
        assert_eq!(pick(3, 50, 7), [0, 1, 2]);
        assert!(pick(0, 50, 7).is_empty());
    }
}
