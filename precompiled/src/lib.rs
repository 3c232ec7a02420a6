//! Functions of libraries whose code is generic, and so would be compiled in the crate that calls them, at each of its builds. The
//! crate is independent of linkgraph.

use brotli::enc::BrotliEncoderParams;

/// Compresses content by Brotli (RFC 7932). `quality`: 0 (fastest) to 11 (smallest). `None`: the encoder failed.
pub fn brotli(content: &[u8], quality: i32) -> Option<Vec<u8>> {
    let parameters = BrotliEncoderParams { quality, size_hint: content.len(), ..BrotliEncoderParams::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters).ok()?;
    Some(compressed)
}

/// Whether a domain name, in lower case, is a public suffix (<https://publicsuffix.org/list/>), such as `co.uk`, and not a
/// name below one.
pub fn is_public_suffix(name: &str) -> bool {
    psl::domain_str(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_below_a_public_suffix_is_none() {
        assert!(["com", "co.uk", "github.io"].into_iter().all(is_public_suffix));
        assert!(!["example.com", "example.co.uk", "me.github.io", "a.b.example.com"].into_iter().any(is_public_suffix));
    }

    #[test]
    fn brotli_gives_back_the_content() {
        let content = b"the same again, the same again, the same again".repeat(20);
        let compressed = brotli(&content, 9).unwrap();
        assert!(compressed.len() < content.len() / 4, "{}", compressed.len());
        let mut back = Vec::new();
        brotli::BrotliDecompress(&mut &*compressed, &mut back).unwrap();
        assert_eq!(back, content);
    }
}
