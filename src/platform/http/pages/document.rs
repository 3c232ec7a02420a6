//! Documents that never change while the service runs. Each is held in memory once for each content coding that was requested,
//! for all clients.

use std::{
    io::Write,
    sync::{Arc, LazyLock, OnceLock},
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
    routing::{MethodRouter, get},
};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use tokio::{sync::OnceCell, task::spawn_blocking};

use crate::platform::http::coding::Coding;

/// Brotli quality, of at most 11. The maximum takes ten times as long and saves a tenth.
const BROTLI_QUALITY: i32 = 9;

/// The content in this coding; none if it could not be made.
fn encode(coding: Coding, content: &[u8]) -> Option<Bytes> {
    let mut encoded = match coding {
        Coding::Brotli => precompiled::brotli(content, BROTLI_QUALITY)?,
        Coding::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(content).ok()?;
            encoder.finish().ok()?
        }
        Coding::Identity => return None,
    };
    encoded.shrink_to_fit();
    Some(encoded.into())
}

/// A document that never changes while the service runs.
#[derive(Debug)]
pub(crate) struct Document {
    content_type: HeaderValue,
    cache_control: HeaderValue,
    headers: &'static [(HeaderName, &'static str)],
    plain: LazyLock<Bytes, Box<dyn FnOnce() -> Bytes + Send>>,
    /// The entity tag (RFC 9110 §8.8.3): weak, since it is the same in all codings.
    tag: OnceLock<HeaderValue>,
    brotli: OnceCell<Option<Bytes>>,
    gzip: OnceCell<Option<Bytes>>,
}

impl Document {
    /// A document of this media type.
    pub(crate) fn new(content_type: &'static str, content: Bytes) -> Self {
        Self::made(content_type, || content)
    }

    /// A document of this media type that is made when it is first asked for.
    pub(crate) fn made(content_type: &'static str, make: impl FnOnce() -> Bytes + Send + 'static) -> Self {
        Document {
            content_type: HeaderValue::from_static(content_type),
            // It may be kept, and is asked for again by its tag.
            cache_control: HeaderValue::from_static("no-cache"),
            headers: &[],
            plain: LazyLock::new(Box::new(make)),
            tag: OnceLock::new(),
            brotli: OnceCell::new(),
            gzip: OnceCell::new(),
        }
    }

    /// The same, with a `Cache-Control` of its own.
    pub(crate) fn with_cache_control(self, value: &'static str) -> Self {
        Document { cache_control: HeaderValue::from_static(value), ..self }
    }

    /// The same, with these headers.
    pub(crate) fn with_headers(self, headers: &'static [(HeaderName, &'static str)]) -> Self {
        Document { headers, ..self }
    }

    /// A route that answers with it.
    pub(crate) fn route<S: Clone + Send + Sync + 'static>(self) -> MethodRouter<S> {
        let document = Arc::new(self);
        get(async move |headers: HeaderMap| document.answer(&headers).await)
    }

    async fn answer(self: Arc<Self>, request: &HeaderMap) -> Response {
        let mut response = Response::new(Body::empty());
        let headers = response.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::ETAG, self.tag().clone());
        headers.insert(header::CACHE_CONTROL, self.cache_control.clone());
        if is_known(request, self.tag()) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        headers.extend(self.headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))));
        let coding = Coding::accepted(request, &Coding::ALL);
        let encoded = self.encoded(coding).await;
        let headers = response.headers_mut();
        if encoded.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.as_str()));
        }
        *response.body_mut() = Body::from(encoded.unwrap_or_else(|| self.plain.clone()));
        response
    }

    fn tag(&self) -> &HeaderValue {
        self.tag.get_or_init(|| {
            let hash = hex::encode(&Sha256::digest(&*self.plain)[..16]);
            HeaderValue::try_from(format!("W/\"{hash}\"")).unwrap_or(HeaderValue::from_static("W/\"\""))
        })
    }

    fn cell(&self, coding: Coding) -> Option<&OnceCell<Option<Bytes>>> {
        match coding {
            Coding::Brotli => Some(&self.brotli),
            Coding::Gzip => Some(&self.gzip),
            Coding::Identity => None,
        }
    }

    /// The document in a coding, encoded when it is first requested. `None`: it is sent without a coding.
    async fn encoded(self: &Arc<Self>, coding: Coding) -> Option<Bytes> {
        if let Some(made) = self.cell(coding)?.get() {
            return made.clone();
        }
        let document = Arc::clone(self);
        // In a task, which goes on when the client disconnects: each coding is made only once.
        let making = tokio::spawn(async move {
            let plain = document.plain.clone();
            let make = async || spawn_blocking(move || encode(coding, &plain)).await.ok().flatten();
            document.cell(coding)?.get_or_init(make).await.clone()
        });
        making.await.ok().flatten()
    }
}

/// Whether the client has the document with this tag already (RFC 9110 §13.1.2: the comparison is the weak one).
pub(crate) fn is_known(request: &HeaderMap, tag: &HeaderValue) -> bool {
    let strong = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let tag = tag.to_str().map(strong).unwrap_or_default();
    let fields = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|field| field.to_str().ok());
    fields.flat_map(|field| field.split(',')).map(str::trim).any(|known| known == "*" || strong(known) == tag)
}
