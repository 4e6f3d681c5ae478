//! Names of tasks.

use ulid::Ulid;

/// A UUID of version 7: time and chance, as a ULID has them.
pub fn uuid() -> String {
    let bits = u128::from(Ulid::generate());
    let bits = (bits & !(0xf << 76) & !(0x3 << 62)) | (0x7 << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_uuids_of_version_7_and_differ() {
        let (a, b) = (uuid(), uuid());
        assert_ne!(a, b);
        let parts: Vec<usize> = a.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert_eq!(a.as_bytes()[14], b'7');
        assert!(b"89ab".contains(&a.as_bytes()[19]), "{a}");
    }
}
