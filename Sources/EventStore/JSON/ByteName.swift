import Glibc

/// The name of a stream, of a log or of a key, or an id, compared by its bytes, as in the log. Swift treats two strings
/// with different bytes as equal if they are canonically equivalent in Unicode (`é` as one scalar or as two); to the
/// log they are two names.
package struct ByteName: Hashable, Sendable {
  /// The name.
  package let text: String

  /// A name.
  package init(_ text: String) { self.text = text }

  /// True if the bytes are the same.
  package static func == (one: ByteName, other: ByteName) -> Bool { isSame(one.text, other.text) }

  /// True if two names have the same bytes.
  package static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (one.utf8.span, other.utf8.span)
    guard one.count == other.count else { return false }
    return unsafe one.withUnsafeBytes { one in
      unsafe other.withUnsafeBytes { other in
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        // SAFETY: both are that long, for the time of the call.
        return unsafe memcmp(first, second, one.count) == 0
      }
    }
  }

  /// Puts the bytes of a name into a hash.
  static func combine(_ name: String, into hasher: inout Hasher) {
    let isDone: Void? = unsafe name.utf8.withContiguousStorageIfAvailable { bytes in
      hasher.combine(bytes.count)
      // SAFETY: the bytes outlive the call, which only reads them.
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
    if isDone == nil { hasher.combine(Array(name.utf8)) }
  }

  /// Hashes the bytes, so that canonically equivalent names get different hashes: one text can be written in thousands
  /// of ways.
  package func hash(into hasher: inout Hasher) { Self.combine(text, into: &hasher) }
}
