// The storage seam: what a flow leaves for later flows, in this process or another.

/// Stores small values by name, beyond the lifetime of a flow.
///
/// A flow uses it through the draws `storage.read`, `storage.write`, and `storage.remove`, so a replay reads what the
/// recorded flow read, and writes nothing.
public protocol FlowStorage: Sendable {
  /// Returns the value with a name, or `nil` if there is none.
  func read(_ name: StorageName) throws(FlowStorageError) -> [UInt8]?
  /// Stores a value, replacing an older one. The write is atomic: a crash before it returns leaves the old value or the
  /// new one, whole; a crash afterward leaves the new one.
  func write(_ bytes: [UInt8], as name: StorageName) throws(FlowStorageError)
  /// Removes a value.
  ///
  /// - Returns: whether the value existed.
  @discardableResult func remove(_ name: StorageName) throws(FlowStorageError) -> Bool
  /// Returns all names, sorted.
  func names() throws(FlowStorageError) -> [StorageName]
}

/// The name of a stored value: 1 to 100 letters, digits, `-`, `_`, and `.`, not beginning with a dot. `FileStorage`
/// uses names as file names, so no other characters are allowed.
public struct StorageName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The text of the name.
  public let text: String

  /// Creates a name; `nil` if the text is not a valid name.
  public init?(_ text: String) {
    let isFit =
      (1...100).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
    guard isFit else { return nil }
    self.text = text
  }

  /// The text of the name.
  public var description: String { text }

  /// Orders names by their bytes.
  public static func < (one: StorageName, other: StorageName) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }
}

/// Why a value could not be read or stored.
public enum FlowStorageError: Error, Sendable, Hashable {
  /// The folder or file is unsafe: it is a link, has the wrong type, or is accessible to others.
  case unsafe(path: String, reason: String)
  /// A system call failed.
  case failed(path: String, reason: String)
}

/// The storage that flows use. Until an application sets one, values are kept only in memory: nothing is written to
/// disk unless the application asks for it.
public enum FlowStorageSeam: FlowSeam {
  private static let process = MemoryStorage()
  /// The storage shared by this process.
  public static var live: any FlowStorage { process }
}

/// Keeps values in memory until the process ends. Also used as a test double.
public final class MemoryStorage: FlowStorage {
  private let values = Locked<[StorageName: [UInt8]]>([:])

  /// Creates an empty storage.
  public init() {}

  /// Returns the value with a name, or `nil` if there is none.
  public func read(_ name: StorageName) -> [UInt8]? { values.withLock { $0[name] } }
  /// Stores a value.
  public func write(_ bytes: [UInt8], as name: StorageName) { values.withLock { $0[name] = bytes } }
  /// Removes a value.
  @discardableResult public func remove(_ name: StorageName) -> Bool {
    values.withLock { $0.removeValue(forKey: name) != nil }
  }
  /// Returns all names, sorted.
  public func names() -> [StorageName] { values.withLock { $0.keys.sorted() } }
}
