//! Content codings of bodies, and bodies that are compressed for one answer.

use std::io::{Error, Write};

use axum::{
    body::{Body, Bytes, HttpBody, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use flate2::{Compression, write::GzEncoder};
use futures_util::stream::{self, BoxStream, Stream, StreamExt, TryStreamExt};
use tokio::task::yield_now;

use crate::platform::http::negotiation::accepted;

/// Bytes of an answer that is sent as it is: it takes one packet either way.
const SMALL: u64 = 1_024;
/// Bytes that are compressed before other requests get their turn: two thirds of a millisecond.
const PIECE: usize = 256 * 1_024;
/// The fastest. The usual level takes 3 to 13 times as long and saves a fifth.
const LEVEL: Compression = Compression::fast();

/// The content coding of a body (RFC 9110 §8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Brotli,
    Gzip,
    Identity,
}

impl Coding {
    /// The best first.
    pub(crate) const ALL: [Coding; 3] = [Coding::Brotli, Coding::Gzip, Coding::Identity];

    /// Its name in fields.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Coding::Brotli => "br",
            Coding::Gzip => "gzip",
            Coding::Identity => "identity",
        }
    }

    /// The one of these codings, with the smallest first, that the client prefers (RFC 9110 §12.5.3). Identity without the field, and also
    /// when none is acceptable, instead of an error.
    pub(crate) fn accepted(headers: &HeaderMap, choices: &[Coding]) -> Coding {
        let mut named = [None; Coding::ALL.len()];
        let mut others = None;
        for (name, weight) in accepted(headers, &header::ACCEPT_ENCODING) {
            if name == "*" {
                others = Some(weight);
            } else if let Some(index) = Coding::ALL.iter().position(|coding| {
                name.eq_ignore_ascii_case(coding.as_str())
                    || (*coding == Coding::Gzip && name.eq_ignore_ascii_case("x-gzip"))
            }) {
                named[index] = Some(weight);
            }
        }
        let mut best = (Coding::Identity, 0.0);
        for (coding, weight) in Coding::ALL.into_iter().zip(named) {
            // A client that does not mention `identity` accepts it as a fallback.
            let weight = weight.or(others).unwrap_or(0.0);
            if weight > best.1 && choices.contains(&coding) {
                best = (coding, weight);
            }
        }
        best.0
    }

    /// The coding for an answer that is made for this request.
    pub(crate) fn of_answer(headers: &HeaderMap) -> Coding {
        Coding::accepted(headers, &[Coding::Gzip, Coding::Identity])
    }
}

/// Compresses the answers of a router whose length is known, for those who accept it, on the thread that made the answer. What has a coding
/// is sent as it is, and so is what has an entity tag: that belongs to one coding.
pub(crate) async fn compress(request: Request, next: Next) -> Response {
    let coding = Coding::of_answer(request.headers());
    let mut response = next.run(request).await;
    let is_settled = [header::CONTENT_ENCODING, header::ETAG].iter().any(|name| response.headers().contains_key(name));
    if is_settled || response.body().size_hint().exact().is_none_or(|length| length < SMALL) {
        return response;
    }
    describe(&mut response, coding);
    if coding == Coding::Gzip {
        let whole = to_bytes(std::mem::take(response.body_mut()), usize::MAX).await;
        let compressed = match whole {
            Ok(whole) => gzip(&whole).await.map_err(axum::Error::new),
            Err(error) => Err(error),
        };
        *response.body_mut() = match compressed {
            Ok(bytes) => bytes.into(),
            // The connection is closed: the client sees that the answer does not end.
            Err(error) => Body::from_stream(stream::once(async { Err::<Bytes, _>(error) })),
        };
    }
    response
}

/// Says in the headers of an answer which coding its body has, and that it would be another one for others.
pub(crate) fn describe(response: &mut Response, coding: Coding) {
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    if coding != Coding::Identity {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.as_str()));
        headers.remove(header::CONTENT_LENGTH);
    }
}

async fn gzip(content: &[u8]) -> Result<Bytes, Error> {
    let mut encoder = GzEncoder::new(Vec::new(), LEVEL);
    for piece in content.chunks(PIECE) {
        encoder.write_all(piece)?;
        yield_now().await;
    }
    Ok(encoder.finish()?.into())
}

/// The stream in this coding, for answers gzip or identity: each piece can be read as soon as it is there.
pub(crate) fn streamed(
    coding: Coding,
    pieces: impl Stream<Item = Result<Bytes, Error>> + Send + 'static,
) -> BoxStream<'static, Result<Bytes, Error>> {
    if coding != Coding::Gzip {
        return pieces.boxed();
    }
    let encoder = GzEncoder::new(Vec::new(), LEVEL);
    stream::try_unfold((pieces.boxed(), Some(encoder)), async |(mut pieces, encoder)| {
        let Some(mut encoder) = encoder else { return Ok(None) };
        let Some(piece) = pieces.try_next().await? else { return Ok(Some((encoder.finish()?.into(), (pieces, None)))) };
        encoder.write_all(&piece)?;
        encoder.flush()?;
        let compressed = std::mem::take(encoder.get_mut());
        Ok(Some((compressed.into(), (pieces, Some(encoder)))))
    })
    .boxed()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::MultiGzDecoder;

    use super::*;

    #[test]
    fn the_coding_that_a_client_likes_best_is_chosen() {
        for (accepted, chosen) in [
            (&[][..], Coding::Identity),
            (&[""], Coding::Identity),
            (&["gzip"], Coding::Gzip),
            (&["GZIP"], Coding::Gzip),
            (&["x-gzip"], Coding::Gzip),
            (&["gzip, deflate, br, zstd"], Coding::Brotli),
            (&["gzip", "br"], Coding::Brotli),
            (&["br;q=0.5, gzip;q=0.8"], Coding::Gzip),
            (&["br; q=0.5 , gzip ;Q=0.5"], Coding::Brotli),
            (&["br;q=0, gzip;q=0"], Coding::Identity),
            (&["br;q=0.000, *"], Coding::Gzip),
            (&["*"], Coding::Brotli),
            (&["*;q=0"], Coding::Identity),
            (&["identity;q=0"], Coding::Identity),
            (&["identity, gzip;q=0.5"], Coding::Identity),
            (&["identity;q=0.5, gzip"], Coding::Gzip),
            (&["gzip;q=2"], Coding::Identity),
            (&["gzip;q=x"], Coding::Identity),
            (&["gzip;q=NaN"], Coding::Identity),
            (&["deflate, zstd"], Coding::Identity),
            (&["gzipped"], Coding::Identity),
        ] {
            let mut headers = HeaderMap::new();
            for value in accepted {
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            }
            assert_eq!(Coding::accepted(&headers, &Coding::ALL), chosen, "{accepted:?}");
        }
    }
    #[test]
    fn answers_have_no_coding_but_gzip() {
        for (accepted, chosen) in [
            ("br, gzip;q=0.1", Coding::Gzip),
            ("br", Coding::Identity),
            ("*", Coding::Gzip),
            ("identity, gzip;q=0.5", Coding::Identity),
            ("", Coding::Identity),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(Coding::of_answer(&headers), chosen, "{accepted}");
        }
    }

    /// What was sent so far can be read, and what is broken off does not look whole.
    #[tokio::test]
    async fn each_piece_of_a_stream_can_be_read_when_it_is_there() {
        for is_whole in [true, false] {
            let pieces =
                ["head\n".to_owned(), "row\n".repeat(10_000), "last\n".to_owned()].map(|piece| Ok(piece.into()));
            let end = (!is_whole).then(|| Err(Error::other("ended early")));
            let mut compressed = streamed(Coding::Gzip, stream::iter(pieces.into_iter().chain(end)));
            let (mut sent, mut read) = (Vec::new(), Vec::new());
            for expected in ["head\n".len(), 40_005, 40_010] {
                sent.extend(compressed.next().await.unwrap().unwrap());
                read.clear();
                // It ends in the middle.
                assert!(MultiGzDecoder::new(&*sent).read_to_end(&mut read).is_err());
                assert_eq!(read.len(), expected);
            }
            assert!(sent.len() < 1_000, "{}", sent.len());
            let end = compressed.next().await.unwrap();
            assert_eq!(end.is_ok(), is_whole);
            sent.extend(end.unwrap_or_default());
            assert_eq!(MultiGzDecoder::new(&*sent).read_to_end(&mut Vec::new()).is_ok(), is_whole);
            assert!(compressed.next().await.is_none());
        }
    }
}
