//! Pictures that somebody sent: decoded within bounds, scaled, and written again with nothing but their pixels. Knows nothing of
//! linkgraph.

mod decode;
mod encode;
mod exif;
mod pixels;

pub use decode::{MAX_SIDE, Refused, decode};
pub use encode::{Encoded, MediaType, rewritten};
pub use pixels::Picture;
