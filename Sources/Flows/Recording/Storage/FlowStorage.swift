// The storage seam: what a flow leaves for flows after it, in this process or a later one.

/// Keeps small values by name, longer than a flow lives.
///
/// A flow reaches it through the draws `storage.read`, `storage.write` and `storage.remove`, so a replay reads what the
/// recorded flow read, and writes nothing.
public protocol FlowStorage: Sendable {
  /// The value of a name, or nil if there is none.
  func read(_ name: StorageName) throws(FlowStorageError) -> [UInt8]?
  /// Stores a value in the place of an older one: once it returns, the new value stands, whatever stops the process;
  /// until then the old one does.
  func write(_ bytes: [UInt8], as name: StorageName) throws(FlowStorageError)
  /// Removes a value.
  ///
  /// - Returns: whether there was one.
  @discardableResult func remove(_ name: StorageName) throws(FlowStorageError) -> Bool
  /// All names, sorted.
  func names() throws(FlowStorageError) -> [StorageName]
}

/// What a stored value is called: 1 to 100 letters, digits, `-`, `_` and `.`, of which the first is no dot. The names
/// are files in `FileStorage`, so nothing else may stand in one.
public struct StorageName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The name.
  public let text: String

  /// A name; nil for text that cannot be one.
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

  /// The name.
  public var description: String { text }

  /// Byte by byte.
  public static func < (one: StorageName, other: StorageName) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }
}

/// Why a value could not be read or stored.
public enum FlowStorageError: Error, Sendable, Hashable {
  /// The folder or file is not what it must be: a link, a folder, or open to others.
  case unsafe(path: String, reason: String)
  /// The system refused.
  case failed(path: String, reason: String)
}

/// Where flows find their storage. Until an application sets one, values live as long as the process: nothing is
/// written to a disk without being asked for.
public enum FlowStorageSeam: FlowSeam {
  private static let process = MemoryStorage()
  /// The values of this process.
  public static var live: any FlowStorage { process }
}

/// Values in memory, gone with the process. The double of tests.
public final class MemoryStorage: FlowStorage {
  private let values = Locked<[StorageName: [UInt8]]>([:])

  /// A storage without values.
  public init() {}

  /// The value of a name.
  public func read(_ name: StorageName) -> [UInt8]? { values.withLock { $0[name] } }
  /// Stores a value.
  public func write(_ bytes: [UInt8], as name: StorageName) { values.withLock { $0[name] = bytes } }
  /// Removes a value.
  @discardableResult public func remove(_ name: StorageName) -> Bool {
    values.withLock { $0.removeValue(forKey: name) != nil }
  }
  /// All names.
  public func names() -> [StorageName] { values.withLock { $0.keys.sorted() } }
}
