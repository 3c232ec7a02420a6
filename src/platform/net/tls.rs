//! TLS of the connections that we open.

use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;

/// Speaks TLS where the URL says so. Certificates are checked against the system's authorities, or Mozilla's where the
/// system has none, as in a bare container: whoever runs an authority of their own has to install its certificate.
pub(crate) fn https<R>(mut connector: HttpConnector<R>) -> anyhow::Result<HttpsConnector<HttpConnector<R>>> {
    // The scheme is judged by what is around it.
    connector.enforce_http(false);
    connector.set_nodelay(true);
    let provider = || rustls::crypto::ring::default_provider();
    let tls = match HttpsConnectorBuilder::new().with_provider_and_native_roots(provider()) {
        Ok(tls) => tls,
        Err(_) => {
            tracing::info!("The system trusts no certificate authorities: Mozilla's are trusted");
            HttpsConnectorBuilder::new().with_provider_and_webpki_roots(provider())?
        }
    };
    Ok(tls.https_or_http().enable_http1().wrap_connector(connector))
}
