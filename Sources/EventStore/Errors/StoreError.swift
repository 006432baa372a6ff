// What goes wrong in a store, reported so that a person can act on it (CLI.md: what, where, what to do next).

/// An error of the store: one sentence that says what happened, where, and what to do next.
///
/// Two errors are equal when their codes are, so that a test or a `switch` needs the code alone.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of thing went wrong; a closed list that a program can switch over.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The store or file is not there.
    case notFound
    /// The directory is there but holds no store.
    case notAStore
    /// Another writer has the store open; the message names its process.
    case locked
    /// The operating system refuses access, or the file system is read-only.
    case permission
    /// A file or directory could not be made.
    case cannotCreate
    /// A read, write or sync failed.
    case io
    /// The disk, or the quota on it, is full.
    case noSpace
    /// Bytes that do not follow the format.
    case malformed
    /// The tail of the log is incomplete; nothing that the log says was synced is lost.
    case torn
    /// Bytes known to be synced have changed.
    case altered
    /// The log is smaller than a checkpoint that was signed for it.
    case truncated
    /// The log has another root than a checkpoint that was signed for that size.
    case forked
    /// A segment of the log is not there.
    case missingSegment
    /// The stream is not where the caller expected it.
    case conflict
    /// A record or a batch is over its size limit.
    case tooLarge
    /// The caller's argument breaks the rules of a record.
    case invalid
    /// The log has been closed, or refuses to go on after an earlier failure.
    case closed
    /// The store names a signing key that is not there.
    case keyMissing
    /// The mode of the signing key's file lets users other than its owner use it.
    case keyExposed
    /// The signing key is not the one that the store names.
    case keyMismatch
    /// The log has no record at that position.
    case noSuchPosition
    /// Records that were there have been pruned.
    case pruned
    /// The store was written by a later version of the format.
    case unsupported
  }

  /// What kind of thing went wrong.
  public var code: Code
  /// What happened: a clause without a full stop.
  public var message: String
  /// The file it concerns, as a path.
  public var file: String?
  /// The position in the log it concerns.
  public var position: UInt64?
  /// The byte in the file, or in the line, where it was found; from 0.
  public var offset: UInt64?
  /// What to do next: a clause without a full stop.
  public var advice: String?

  /// Makes an error from its parts.
  public init(
    _ code: Code, _ message: String, file: String? = nil, position: UInt64? = nil, offset: UInt64? = nil,
    advice: String? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.position = position
    self.offset = offset
    self.advice = advice
  }

  /// What, where, what to do next; one sentence.
  public var description: String {
    var text = message
    var places: [String] = []
    if let file { places.append(file) }
    if let position { places.append("position \(position)") }
    if let offset { places.append("byte \(offset)") }
    if !places.isEmpty { text += " (" + places.joined(separator: ", ") + ")" }
    if let advice { text += "; " + advice }
    return text + "."
  }

  /// True when the codes are the same.
  public static func == (one: StoreError, other: StoreError) -> Bool { one.code == other.code }

  /// Feeds the code alone, in step with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// True if bytes of a file are not what they were written as; false if the disk, or the caller, is what failed.
  var isDamage: Bool { [.altered, .malformed, .torn, .unsupported].contains(code) }

  /// True if the content of a file or a message is what failed: it is damaged, or larger than it may be.
  package var isOfContent: Bool { isDamage || code == .tooLarge }

  /// The same error, with the file named if it was not.
  func inFile(_ path: String) -> StoreError {
    var copy = self
    if copy.file == nil { copy.file = path }
    return copy
  }

  /// The same error, its offset moved by `base` bytes: an offset counted from a part becomes one counted from the
  /// whole.
  func shifted(by base: UInt64) -> StoreError {
    var copy = self
    copy.offset = (copy.offset ?? 0) + base
    return copy
  }
}
