//! Memory for request bodies. It is limited for the bodies of a node, of a client and of a network, so that neither many connections nor
//! one client can take all of it.

use std::{cell::RefCell, net::IpAddr, sync::Arc};

use crate::{
    base::{
        concurrency::{ConcurrencyLimit, Permit},
        error::ApiError,
    },
    platform::auth::client::ClientNet,
};

/// Bytes of each body that are not counted, so that small requests are read even when the memory is used up. The number of connections
/// limits them: 62.5 MiB at most.
const UNCOUNTED: usize = 4 * 1024;
/// The bodies of one client (IPv6: /64) get at most one part in so many of the memory.
const PART_OF_CLIENT: usize = 8;
/// The same for one IPv6 network (/48).
const PART_OF_NETWORK: usize = 4;

tokio::task_local! {
    static MEMORY: BodyMemory;
}

/// The memory for all request bodies of a node. A permit is a byte.
#[derive(Debug)]
pub(crate) struct Bodies {
    of_node: Arc<ConcurrencyLimit<()>>,
    of_client: Arc<ConcurrencyLimit<ClientNet>>,
    of_network: Arc<ConcurrencyLimit<ClientNet>>,
}

impl Bodies {
    /// `max`: bytes for all bodies together.
    pub(crate) fn new(max: usize) -> Arc<Self> {
        const WHAT: &str = "bytes of request bodies";
        Arc::new(Bodies {
            of_node: ConcurrencyLimit::new(max, WHAT),
            of_client: ConcurrencyLimit::new(max / PART_OF_CLIENT, WHAT),
            of_network: ConcurrencyLimit::new(max / PART_OF_NETWORK, WHAT),
        })
    }

    /// Runs a client's request. The memory of its body is given back when the request ends, and not before, since the values that the
    /// body is parsed into take more.
    pub(crate) fn sharing<W: Future>(
        self: &Arc<Self>,
        client: IpAddr,
        work: W,
    ) -> impl Future<Output = W::Output> + use<W> {
        let memory = BodyMemory { bodies: Arc::clone(self), client: client.into(), taken: RefCell::default() };
        MEMORY.scope(memory, work)
    }

    fn take(&self, client: ClientNet, bytes: usize) -> Result<Bytes, ApiError> {
        // The node's bytes last: a client that has all of its part takes none of them, not even for a moment.
        let of_client = self.of_client.take_many(client, bytes)?;
        let of_network = client.site().map(|network| self.of_network.take_many(network, bytes)).transpose()?;
        let of_node = self.of_node.take_many((), bytes)?;
        Ok(Bytes { number: bytes, _of_client: of_client, _of_network: of_network, _of_node: of_node })
    }
}

/// Bytes of a body, given back when dropped.
struct Bytes {
    number: usize,
    _of_node: Permit<()>,
    _of_client: Permit<ClientNet>,
    _of_network: Option<Permit<ClientNet>>,
}

/// The memory of the body of one request.
struct BodyMemory {
    bodies: Arc<Bodies>,
    client: ClientNet,
    /// One entry for each call of [`grow`] that needed more.
    taken: RefCell<Vec<Bytes>>,
}

impl BodyMemory {
    fn grow(&self, size: usize) -> Result<(), ApiError> {
        let mut taken = self.taken.borrow_mut();
        let before: usize = taken.iter().map(|bytes| bytes.number).sum();
        let more = size.saturating_sub(UNCOUNTED).saturating_sub(before);
        if more > 0 {
            let message = "The service has too many large request bodies at once.";
            let refused = |_| ApiError { message: message.into(), ..ApiError::unavailable() };
            taken.push(self.bodies.take(self.client, more).map_err(refused)?);
        }
        Ok(())
    }
}

/// Takes memory so that the body of the running request may have `size` bytes in all. Fails with `UNAVAILABLE` if there is not enough.
pub(crate) fn grow(size: usize) -> Result<(), ApiError> {
    MEMORY.try_with(|memory| memory.grow(size)).map_err(ApiError::internal)?
}

/// Gives back the memory of the running request's body, which is not read further.
pub(crate) fn give_back() {
    // Fails outside of a request, where no memory was taken.
    let _ = MEMORY.try_with(|memory| memory.taken.borrow_mut().clear());
}

#[cfg(test)]
mod tests {
    use std::{future::pending, pin::Pin};

    use super::*;
    use crate::base::error::Code;

    const MAX: usize = 8 << 20;
    const EACH: usize = MAX / PART_OF_CLIENT;

    fn client(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_unused(bodies: &Bodies) -> bool {
        bodies.of_node.is_empty() && bodies.of_client.is_empty() && bodies.of_network.is_empty()
    }

    async fn takes(bodies: &Arc<Bodies>, address: &str, size: usize) -> bool {
        bodies.sharing(client(address), async { grow(size).is_ok() }).await
    }

    #[tokio::test]
    async fn a_client_has_its_part_of_the_memory_and_gives_it_back() {
        let bodies = Bodies::new(MAX);
        bodies
            .sharing(client("192.0.2.1"), async {
                grow(EACH).unwrap();
                // Memory that the body has already is not taken again.
                grow(1).unwrap();
                grow(EACH + UNCOUNTED).unwrap();
                let refused = grow(EACH + UNCOUNTED + 1).unwrap_err();
                assert_eq!((refused.code, refused.retry_after), (Code::Unavailable, Some(1)));
                assert!(!takes(&bodies, "192.0.2.1", UNCOUNTED + 1).await);
                assert!(takes(&bodies, "192.0.2.1", UNCOUNTED).await, "a small body is always read");
                assert!(takes(&bodies, "192.0.2.2", EACH).await);
                give_back();
                assert!(takes(&bodies, "192.0.2.1", EACH).await);
                grow(EACH).unwrap();
            })
            .await;
        assert!(is_unused(&bodies));
        assert_eq!(grow(1).unwrap_err().code, Code::InternalError, "there is no request");
    }

    /// A request that does not end, whose body has all the memory of its client.
    async fn hold(bodies: &Arc<Bodies>, address: String) -> Pin<Box<dyn Future<Output = ()>>> {
        let bodies = Arc::clone(bodies);
        let mut request: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            let body = async {
                grow(EACH + UNCOUNTED).unwrap();
                pending::<()>().await;
            };
            bodies.sharing(client(&address), body).await;
        });
        assert!(futures_util::poll!(request.as_mut()).is_pending());
        request
    }

    #[tokio::test]
    async fn networks_and_the_node_have_limits_of_their_own() {
        let bodies = Bodies::new(MAX);
        let mut requests = Vec::new();
        for number in 0..PART_OF_CLIENT / PART_OF_NETWORK {
            requests.push(hold(&bodies, format!("2001:db8:1:{number}::1")).await);
        }
        assert!(!takes(&bodies, "2001:db8:1:99::1", UNCOUNTED + 1).await);
        assert!(takes(&bodies, "2001:db8:2:99::1", EACH).await);
        for number in requests.len()..PART_OF_CLIENT {
            requests.push(hold(&bodies, format!("192.0.2.{number}")).await);
        }
        assert!(!takes(&bodies, "198.51.100.1", UNCOUNTED + 1).await);
        assert!(takes(&bodies, "198.51.100.1", UNCOUNTED).await, "a small body is always read");
        // A request that is cancelled gives its memory back, too.
        drop(requests.pop());
        assert!(takes(&bodies, "198.51.100.1", EACH).await);
        drop(requests);
        assert!(is_unused(&bodies));
    }
}
