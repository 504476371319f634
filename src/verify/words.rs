//! Recognises edits that replace a word by a word, which can't change how the text around them is read.

use crate::edit::Edit;

/// Whether an edit leaves every token what it was: it changes letters in words, each of which stays a word, and
/// nothing between them. `is_fixed` tells the words that are more than names: keywords, and what stands before quotes.
pub(super) fn is_word_for_word(text: &[u8], edit: &Edit, is_fixed: fn(&[u8]) -> bool) -> bool {
    let (old, new) = (edit.range.of(text), edit.replacement.as_slice());
    let before = text.get(..edit.range.start).unwrap_or_default();
    let behind = text.get(edit.range.end..).unwrap_or_default();
    // What both have in front and behind stays where it is.
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (old.get(front..), new.get(front..));
    let (Some(old), Some(new)) = (old, new) else {
        return false;
    };
    let back = old.iter().rev().zip(new.iter().rev());
    let back = back.take_while(|(a, b)| a == b).count();
    let old = old.get(..old.len() - back).unwrap_or_default();
    let new = new.get(..new.len() - back).unwrap_or_default();
    // The words that the change lies in.
    let whole = edit.range.of(text);
    let left = [before, whole.get(..front).unwrap_or_default()];
    let right = [whole.get(whole.len() - back..).unwrap_or_default(), behind];
    let left = left.iter().rev().flat_map(|part| part.iter().rev());
    let left: Vec<u8> = left.copied().take_while(|&byte| is_part(byte)).collect();
    let right = right.iter().flat_map(|part| part.iter());
    let right: Vec<u8> = right.copied().take_while(|&byte| is_part(byte)).collect();
    let left: Vec<u8> = left.into_iter().rev().collect();
    let is_name = |middle: &[u8]| {
        let word = [&left, middle, &right].concat();
        let first = word.first();
        first.is_some_and(|first| !first.is_ascii_digit())
            && word.iter().all(|&byte| is_part(byte))
            && !is_fixed(&word)
    };
    is_name(old) && is_name(new)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::GroupId;
    use crate::text::TextRange;

    fn is_one(text: &str, old: &str, new: &str) -> bool {
        let start = text.find(old).expect("it stands there");
        let range = TextRange::new(start, start + old.len());
        let edit = Edit::rewrite(range, new, "test", None, GroupId(0));
        is_word_for_word(text.as_bytes(), &edit, |word| word == b"if")
    }

    #[test]
    fn words_of_the_same_kind_are_told_from_all_else() {
        assert!(is_one("x = torch.cuda.y", "torch.cuda", "torch.musa"));
        assert!(is_one(
            "#include <cuda_fp16.h>",
            "cuda_fp16.h",
            "musa_fp16.h"
        ));
        assert!(is_one("a(\"cuda:0\")", "\"cuda:0\"", "\"musa:0\""));
        assert!(!is_one("x = torch.cuda.y", "torch.cuda", "torch_musa"));
        assert!(!is_one("a(cuda)", "cuda", "musa, b"));
        assert!(!is_one("a(cuda)", "cuda", "if"));
        assert!(!is_one("a(cuda)", "cuda", ""));
        assert!(!is_one("0cuda", "cuda", "musa"));
        assert!(!is_one("a(cuda)", "cuda", "\"musa\""));
    }
}
