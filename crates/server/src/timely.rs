//! A body that must come to its end: one that trickles is broken off.
//!
//! Owns nothing but the deadline. A head has its own (`listen.rs`).

use http_body::{Body, Frame, SizeHint};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

type Error = Box<dyn std::error::Error + Send + Sync>;

/// A body with a deadline for all of it.
pub struct Timely<B> {
    body: B,
    deadline: Pin<Box<Sleep>>,
}

impl<B> Timely<B> {
    /// Gives a body so long from now.
    pub fn new(body: B, time: Duration) -> Timely<B> {
        Timely { body, deadline: Box::pin(sleep(time)) }
    }
}

impl<B: Body + Unpin> Body for Timely<B>
where
    B::Error: Into<Error>,
{
    type Data = B::Data;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let late = || Error::from(std::io::Error::from(std::io::ErrorKind::TimedOut));
        self.deadline.as_mut().poll(cx).map(|()| Some(Err(late())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body as Whole, Bytes, to_bytes};
    use futures_util::{StreamExt, stream};

    #[tokio::test]
    async fn a_body_that_never_ends_is_broken_off() {
        let time = Duration::from_millis(20);
        let quick = Timely::new(Whole::from("all of it"), time);
        assert_eq!(to_bytes(Whole::new(quick), 100).await.unwrap(), "all of it");
        let first = stream::once(async { Ok::<_, Error>(Bytes::from("{")) });
        let slow = Timely::new(Whole::from_stream(first.chain(stream::pending())), time);
        assert!(to_bytes(Whole::new(slow), 100).await.is_err());
    }
}
