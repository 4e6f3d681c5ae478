//! How often a client may ask: so many requests a second, with one second's worth at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How many clients are counted at the same time; the longest silent ones are forgotten first, and they are full again anyway.
const CLIENTS: usize = 10_000;

/// Who is counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Who {
    /// A registered client.
    Client(String),
    /// Anybody else, by address.
    Peer(IpAddr),
}

struct Bucket {
    left: f64,
    at: Instant,
}

/// The counts of all clients.
pub struct Rate {
    per_second: f64,
    buckets: Mutex<HashMap<Who, Bucket>>,
}

impl Rate {
    /// So many requests a second for each client.
    pub fn new(per_second: u64) -> Rate {
        Rate { per_second: per_second.max(1) as f64, buckets: Mutex::default() }
    }

    /// Counts a request; `Err` = how long to wait.
    pub fn admit(&self, who: Who, now: Instant) -> Result<(), Duration> {
        let Ok(mut buckets) = self.buckets.lock() else { return Ok(()) };
        if buckets.len() >= CLIENTS && !buckets.contains_key(&who) {
            buckets.retain(|_, bucket| now.duration_since(bucket.at) < Duration::from_secs(1));
            if buckets.len() >= CLIENTS {
                return Err(Duration::from_secs(1));
            }
        }
        let bucket = buckets.entry(who).or_insert(Bucket { left: self.per_second, at: now });
        let earned = now.duration_since(bucket.at).as_secs_f64() * self.per_second;
        bucket.left = (bucket.left + earned).min(self.per_second);
        bucket.at = now;
        if bucket.left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.left) / self.per_second));
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_second_of_requests_at_once_then_one_at_a_time() {
        let rate = Rate::new(5);
        let start = Instant::now();
        let me = || Who::Client("me".to_owned());
        assert!((0..5).all(|_| rate.admit(me(), start).is_ok()));
        assert_eq!(rate.admit(me(), start), Err(Duration::from_millis(200)));
        assert!(rate.admit(Who::Peer([127, 0, 0, 1].into()), start).is_ok(), "another one is not held up");
        assert!(rate.admit(me(), start + Duration::from_millis(200)).is_ok());
        assert!(rate.admit(me(), start + Duration::from_millis(201)).is_err());
        assert!((0..5).all(|_| rate.admit(me(), start + Duration::from_secs(9)).is_ok()));
        assert!(rate.admit(me(), start + Duration::from_secs(9)).is_err());
    }

    #[test]
    fn what_is_counted_is_bounded() {
        let rate = Rate::new(5);
        let start = Instant::now();
        for n in 0..CLIENTS + 10 {
            let _ = rate.admit(Who::Client(n.to_string()), start);
        }
        assert_eq!(rate.buckets.lock().unwrap().len(), CLIENTS);
        assert!(rate.admit(Who::Client("late".to_owned()), start + Duration::from_secs(2)).is_ok());
        assert_eq!(rate.buckets.lock().unwrap().len(), 1);
    }
}
