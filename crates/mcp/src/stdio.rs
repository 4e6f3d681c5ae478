//! One client on stdin and stdout.
//!
//! Owns how a conversation begins and ends: nothing but messages is written to stdout, what is no message is passed
//! over, and the end of stdin ends the server once the calls that are under way have come to their end.

mod lines;

use crate::server::Mcp;
use lines::Lines;
use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage, serve_server};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio_pipes;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

/// The longest message: room for the largest file, escaped, many times over.
const LONGEST: usize = 8 << 20;
/// How long a change that was cut off may take to be taken back.
const FAREWELL: Duration = Duration::from_secs(10);

/// Serves stdin and stdout until stdin ends.
pub async fn serve(mcp: Mcp) {
    let (input, output) = stdio_pipes();
    converse(mcp, input, output).await;
}

/// The same over any two streams.
pub async fn converse<R, W>(mcp: Mcp, input: R, output: W)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let messages = AsyncRwTransport::new(Lines::new(input, LONGEST), output);
    let door = Door { messages, opened: false, closing: mcp.closing().clone() };
    match serve_server(mcp.clone(), door).await {
        // A client that is gone needs no reason why.
        Ok(running) => drop(running.waiting().await),
        Err(error) => tracing::debug!(kind = error_kind(&error), "no conversation came about"),
    }
    if tokio::time::timeout(FAREWELL, mcp.idle()).await.is_err() {
        tracing::error!("a change did not come to its end; the next start settles it");
    }
}

/// Which kind of failure it was; its own words may quote the message.
fn error_kind(error: &rmcp::service::ServerInitializeError) -> &'static str {
    use rmcp::service::ServerInitializeError as Error;
    match error {
        Error::ConnectionClosed(_) => "closed",
        Error::TransportError { .. } => "transport",
        _ => "greeting",
    }
}

/// The messages of a client. Before its first request nothing it says can end the conversation.
struct Door<T> {
    messages: T,
    opened: bool,
    closing: CancellationToken,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Door<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        self.messages.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.messages.receive().await;
            self.opened |= matches!(message, Some(JsonRpcMessage::Request(_)));
            if message.is_none() {
                // Who listens for changes would wait forever.
                self.closing.cancel();
            }
            if self.opened || message.is_none() {
                return message;
            }
        }
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.messages.close().await
    }
}
