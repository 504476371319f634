//! Digests of what files say, to tell two versions of it apart.

use std::hash::{Hash, Hasher};

/// A digest: two things that have the same are the same.
pub type Digest = [u8; 16];

/// Makes a digest of what is hashed into it.
#[derive(Clone, Default, Debug)]
pub struct Digester(blake3::Hasher);

impl Hasher for Digester {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The front of the digest.
    fn finish(&self) -> u64 {
        let mut front = [0; 8];
        self.0.finalize_xof().fill(&mut front);
        u64::from_le_bytes(front)
    }
}

impl Digester {
    /// The digest of one thing.
    pub fn of(thing: &(impl Hash + ?Sized)) -> Digest {
        let mut digester = Self::default();
        thing.hash(&mut digester);
        digester.digest()
    }

    /// The digest of all that was hashed.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        self.0.finalize_xof().fill(&mut digest);
        digest
    }
}
