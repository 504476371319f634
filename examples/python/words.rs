//! What looks like CUDA.

/// Words that make a name or a string one of CUDA's, in any case and as parts of longer ones.
const WORDS: [&str; 15] = [
    "cuda", "cudnn", "cublas", "cufft", "curand", "cusolver", "cusparse", "cutensor", "cupy",
    "nccl", "nvcc", "nvidia", "nvml", "nvrtc", "nvtx",
];

/// Where in a text the first CUDA-like word begins: one of the words, or an architecture such as
/// `sm_80`.
pub(crate) fn first(text: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    let words = WORDS.iter().filter_map(|word| lower.find(word));
    words.chain(architecture(&lower)).min()
}

fn architecture(lower: &str) -> Option<usize> {
    let bytes = lower.as_bytes();
    lower.match_indices("sm_").map(|(at, _)| at).find(|at| {
        let alone = at.checked_sub(1).and_then(|before| bytes.get(before));
        let digits = bytes.get(at + 3..at + 5);
        !alone.is_some_and(u8::is_ascii_alphanumeric)
            && digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
    })
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn words_and_architectures_are_found_in_any_case() {
        assert_eq!(first("torch.CUDA"), Some(6));
        assert_eq!(first("-arch=sm_80"), Some(6));
        assert_eq!(first("prism_80, sm_x"), None);
        assert_eq!(first("musa"), None);
    }
}
