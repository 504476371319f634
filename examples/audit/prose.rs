//! Which strings are meant for people.

/// Whether a string literal reads as a sentence: three words or more, most of them plain ones.
/// What holds code of CUDA's is none.
pub(crate) fn is_sentence(text: &str) -> bool {
    const CODE: [&str; 5] = ["#include", "__global__", "__device__", "<<<", ");"];
    if CODE.iter().any(|sign| text.contains(sign)) {
        return false;
    }
    let inner = text.trim_start_matches(|sign: char| sign.is_alphabetic());
    let inner = inner.trim_matches(['"', '\'']);
    let words: Vec<&str> = inner.split_whitespace().collect();
    let plain = |word: &&&str| {
        let word = word.trim_end_matches(['.', ',', ':', ';', '!', '?']);
        !word.is_empty() && word.chars().all(char::is_alphabetic)
    };
    let plain = words.iter().filter(plain).count();
    words.len() >= 3 && plain >= 2 && 2 * plain >= words.len()
}

#[cfg(test)]
mod tests {
    use super::is_sentence;

    #[test]
    fn a_sentence_is_told_from_a_name_a_command_and_code() {
        assert!(is_sentence("\"needs a CUDA device\""));
        assert!(is_sentence("f\"no CUDA runtime was found.\""));
        assert!(!is_sentence("\"cuda:0\""));
        assert!(!is_sentence("\"nvidia-smi -L --format=csv\""));
        assert!(!is_sentence("\"\"\"__global__ void f() { return; }\"\"\""));
    }
}
