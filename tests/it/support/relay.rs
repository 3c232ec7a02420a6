//! The network between a service and its database, which can fail without closing connections.

use std::sync::{Arc, Mutex};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Forwards connections to a port of this machine.
pub(crate) struct Relay {
    port: u16,
    /// Cancelled: those that are open carry nothing any more, and stay open.
    is_cut: Arc<Mutex<CancellationToken>>,
    end: CancellationToken,
    task: JoinHandle<()>,
}

impl Relay {
    pub(crate) async fn start(to: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (port, is_cut) = (listener.local_addr().unwrap().port(), Arc::<Mutex<CancellationToken>>::default());
        let (cut, end) = (Arc::clone(&is_cut), CancellationToken::new());
        let ended = end.clone();
        let task = tokio::spawn(async move {
            let connections = TaskTracker::new();
            loop {
                let (mut from, _) = listener.accept().await.unwrap();
                let (is_cut, ended) = (cut.lock().unwrap().clone(), ended.clone());
                connections.spawn(ended.run_until_cancelled_owned(async move {
                    let forward = async {
                        let mut to = TcpStream::connect(("127.0.0.1", to)).await.ok()?;
                        // A relay that is cut keeps both ends open.
                        let carried = copy_bidirectional(&mut from, &mut to);
                        if is_cut.run_until_cancelled(carried).await.is_none() {
                            std::future::pending::<()>().await;
                        }
                        Some(())
                    };
                    forward.await
                }));
            }
        });
        Relay { port, is_cut, end, task }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// From now on nothing arrives: neither what is sent on connections that there are, nor on new ones.
    pub(crate) fn cut(&self) {
        self.is_cut.lock().unwrap().cancel();
    }

    /// New connections are carried again; what was cut off stays so.
    pub(crate) fn mend(&self) {
        *self.is_cut.lock().unwrap() = CancellationToken::new();
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.task.abort();
        self.end.cancel();
    }
}
