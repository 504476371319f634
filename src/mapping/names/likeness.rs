//! Names that look like one that somebody typed.

/// How many names are suggested at most.
const SUGGESTIONS: usize = 5;

/// Below this likeness, in hundredths, a name is no near miss.
const LIKENESS: u32 = 75;

/// The names among `known` that look most like `name`, best first.
pub fn near_misses<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let mut near: Vec<(f64, &str)> = known
        .filter_map(|other| {
            // The likeness can't exceed the ratio of lengths: most names are out by that alone.
            let (short, long) = (name.len().min(other.len()), name.len().max(other.len()));
            if short * 100 < long * LIKENESS as usize {
                return None;
            }
            let likeness = strsim::normalized_damerau_levenshtein(&lower, &other.to_lowercase());
            (likeness * 100.0 >= f64::from(LIKENESS)).then_some((likeness, other))
        })
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup_by_key(|(_, other)| *other);
    near.truncate(SUGGESTIONS);
    near.into_iter().map(|(_, other)| other).collect()
}
