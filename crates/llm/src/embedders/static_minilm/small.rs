//! Vectors in a byte a number: a quarter of the size, and compared several times as fast.
//!
//! Owns the rounding and the cosine over it. Never keeps the length: a cosine does not ask for it.

use super::DIMENSIONS;

/// A vector in bytes: the number furthest from zero becomes 127, the others keep their share of it.
///
/// Zeros, and what is not finite, become zeros.
pub fn quantise(vector: &[f32; DIMENSIONS]) -> [i8; DIMENSIONS] {
    let furthest = vector.iter().fold(0.0_f32, |furthest, x| furthest.max(x.abs()));
    let by = 127.0 / furthest;
    // A cast from a float saturates, and takes what is no number for zero.
    vector.map(|x| if by.is_finite() { (x * by).round() as i8 } else { 0 })
}

/// The cosine of two vectors, from -1 to 1; 0 when one of them is zero.
///
/// It is off by less than 0.02 from the cosine of what was quantised, most often by less than 0.002.
pub fn similarity(a: &[i8; DIMENSIONS], b: &[i8; DIMENSIONS]) -> f32 {
    let lengths = (dot(a, a) as f32 * dot(b, b) as f32).sqrt();
    if lengths > 0.0 { (dot(a, b) as f32 / lengths).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The sum of the products, for who keeps the lengths: `similarity` spends two thirds of its time on them.
///
/// Sixteen sums side by side are what the compiler makes vectors of without being asked for a newer processor
/// (25 ns, against 90 ns for one sum).
pub fn dot(a: &[i8; DIMENSIONS], b: &[i8; DIMENSIONS]) -> i32 {
    let mut sums = [0_i32; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += i32::from(*a) * i32::from(*b);
        }
    }
    sums.iter().sum()
}

/// [`dot`] with a vector that was kept as bytes.
pub fn dot_packed(a: &[i8; DIMENSIONS], b: &[u8; DIMENSIONS]) -> i32 {
    let mut sums = [0_i32; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += i32::from(*a) * i32::from(b.cast_signed());
        }
    }
    sums.iter().sum()
}
