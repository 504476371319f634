//! The text of a file: kept in memory, or read from the tree again when somebody asks.
//!
//! A large tree has more text than a run should hold, and most texts are looked at a few times. So those of a large tree
//! are forgotten between the stages of a run, and read again, from what the system still has in memory.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A file of a tree that can be read a second time.
pub trait ReadAgain: fmt::Debug + Send + Sync {
    /// The text. It is empty where the file is no longer what it was, which the reader keeps in mind: what comes of such a run
    /// is of no use.
    fn read(&self) -> Vec<u8>;

    /// The hash of the text.
    fn hash(&self) -> [u8; 32];
}

/// The text of a file.
#[derive(Clone, Debug)]
pub struct FileText {
    length: usize,
    /// `None` for a text that no file has, such as that of an editor: it is always kept.
    origin: Option<Arc<dyn ReadAgain>>,
    kept: OnceLock<Arc<Vec<u8>>>,
}

impl FileText {
    /// The text of a file that can be read again. It is forgotten at once unless it is to be `kept`.
    pub fn of_file(text: Vec<u8>, origin: Arc<dyn ReadAgain>, kept: bool) -> Self {
        let text = Self {
            origin: Some(origin),
            ..Self::from(text)
        };
        if kept { text } else { text.forgotten() }
    }

    /// How many bytes the text has.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The hash of the text, where it can be read again.
    pub fn hash(&self) -> Option<[u8; 32]> {
        self.origin.as_ref().map(|origin| origin.hash())
    }

    /// The text, where it is in memory.
    pub fn in_memory(&self) -> Option<&[u8]> {
        self.kept.get().map(|text| text.as_slice())
    }

    /// The text, for somebody who looks at it once: it is not kept for others.
    pub fn once(&self) -> Cow<'_, [u8]> {
        match self.in_memory() {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.read()),
        }
    }

    /// This text, which leaves memory if it can be read again.
    #[must_use]
    pub fn forgotten(mut self) -> Self {
        self.forget();
        self
    }

    /// Let go of the text if it can be read again.
    pub fn forget(&mut self) {
        if self.origin.is_some() {
            self.kept.take();
        }
    }

    fn read(&self) -> Vec<u8> {
        let origin = self.origin.as_ref();
        origin.map_or_else(Vec::new, |origin| origin.read())
    }
}

impl From<Vec<u8>> for FileText {
    fn from(text: Vec<u8>) -> Self {
        Self {
            length: text.len(),
            origin: None,
            kept: OnceLock::from(Arc::new(text)),
        }
    }
}

impl Deref for FileText {
    type Target = [u8];

    /// The text, which stays in memory until it is forgotten.
    fn deref(&self) -> &[u8] {
        self.kept.get_or_init(|| Arc::new(self.read()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Default, Debug)]
    struct Counting(AtomicUsize);

    impl ReadAgain for Counting {
        fn read(&self) -> Vec<u8> {
            self.0.fetch_add(1, Ordering::Relaxed);
            b"abc".to_vec()
        }

        fn hash(&self) -> [u8; 32] {
            [7; 32]
        }
    }

    #[test]
    fn a_text_is_read_again_once_it_was_forgotten() {
        let reader = Arc::new(Counting::default());
        let reads = || reader.0.load(Ordering::Relaxed);
        let text = FileText::of_file(b"abc".to_vec(), reader.clone(), true);
        assert_eq!((&*text, text.len(), reads()), (&b"abc"[..], 3, 0));
        assert_eq!(text.hash(), Some([7; 32]));
        let text = text.forgotten();
        assert_eq!((text.in_memory(), text.len(), reads()), (None, 3, 0));
        assert_eq!(
            (&*text.once(), text.in_memory(), reads()),
            (&b"abc"[..], None, 1)
        );
        assert_eq!((&*text, &*text, reads()), (&b"abc"[..], &b"abc"[..], 2));
        assert_eq!((&*text.once(), reads()), (&b"abc"[..], 2));
        let own = FileText::from(b"de".to_vec()).forgotten();
        assert_eq!((own.in_memory(), own.hash()), (Some(&b"de"[..]), None));
    }
}
