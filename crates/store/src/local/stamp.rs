//! The mark of a file by which an outside edit is noticed.

use crate::backend::UNSETTLED;
use jiff::Timestamp;
use rustix::fs::Stat;

/// Size, times and inode: an edit that keeps all of them is not to be made by an editor.
///
/// A file that was changed in the very tick in which we look may change once more in that tick without a trace,
/// so its stamp gets a mark that no later look repeats: the next scan reads it again.
pub(super) fn of(stat: &Stat) -> String {
    const TICK_NS: i128 = 20_000_000;
    let changed = i128::from(stat.st_mtime) * 1_000_000_000 + stat.st_mtime_nsec as i128;
    let settled = Timestamp::now().as_nanosecond() - changed > TICK_NS;
    // A walk makes one for each file: room for all of it at once.
    let mut stamp = String::with_capacity(80);
    push(&mut stamp, stat.st_size as u64);
    for (seconds, nanos) in [(stat.st_mtime, stat.st_mtime_nsec), (stat.st_ctime, stat.st_ctime_nsec)] {
        stamp.push_str(if seconds < 0 { ":-" } else { ":" });
        push(&mut stamp, seconds.unsigned_abs());
        stamp.push('.');
        push(&mut stamp, nanos);
    }
    stamp.push(':');
    push(&mut stamp, stat.st_ino);
    if !settled {
        stamp.push(UNSETTLED);
    }
    stamp
}

/// Writes a number. The general way costs several times as much, and a walk writes six for each file.
fn push(text: &mut String, mut number: u64) {
    let (mut digits, mut first) = ([b'0'; 20], 19);
    while number > 9 {
        digits[first] += (number % 10) as u8;
        number /= 10;
        first -= 1;
    }
    digits[first] += number as u8;
    text.push_str(str::from_utf8(&digits[first..]).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::push;

    #[test]
    fn numbers_are_written_as_always() {
        for number in [0, 7, 9, 10, 99, 100, 714, 1_795_001_681, 999_999_999, u64::MAX] {
            let mut text = String::new();
            push(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }
}
