//! Reads a program's bytes. Nothing is read beyond their end: bytes that were not compiled are an error.

use std::fmt;

/// A program has bytes that [`crate::compile`] does not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl fmt::Display for Damaged {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the program of a link's rules is damaged")
    }
}

impl std::error::Error for Damaged {}

/// The bytes that are still to be read. Numbers are little-endian.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        let (array, rest) = self.0.split_first_chunk().ok_or(Damaged)?;
        self.0 = rest;
        Ok(*array)
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, Damaged> {
        self.array().map(|[byte]| byte)
    }

    #[inline]
    pub(crate) fn short(&mut self) -> Result<u16, Damaged> {
        self.array().map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn long(&mut self) -> Result<i64, Damaged> {
        self.array().map(i64::from_le_bytes)
    }

    #[inline]
    pub(crate) fn take(&mut self, length: usize) -> Result<Reader<'a>, Damaged> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(Reader(taken))
    }

    /// A part whose length (`u16`) stands before it.
    #[inline]
    pub(crate) fn part(&mut self) -> Result<Reader<'a>, Damaged> {
        let length = self.short()?;
        self.take(length.into())
    }

    /// A text whose length (`u8`) stands before it.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<&'a [u8], Damaged> {
        let length = self.byte()?;
        Ok(self.take(length.into())?.0)
    }

    /// Whether `is` says so of one of what `read` reads until the end.
    #[inline]
    pub(crate) fn any<T>(
        mut self,
        read: impl Fn(&mut Self) -> Result<T, Damaged>,
        is: impl Fn(T) -> bool,
    ) -> Result<bool, Damaged> {
        while !self.is_empty() {
            if is(read(&mut self)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
