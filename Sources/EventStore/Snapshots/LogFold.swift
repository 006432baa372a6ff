/// A fold over a whole log whose state can be kept: what it is called, how it begins, takes a record, and is written
/// down.
public struct LogFold<State>: Sendable {
  /// Its name: 1...64 letters, digits, `.`, `-` and `_`, the first a letter or digit.
  public let name: String
  /// The version of its rules and of its bytes. A change of either needs a new number: states of other versions are not
  /// used.
  public let version: Int
  /// The state before the first record.
  public let initial: @Sendable () -> State
  /// Takes the next record.
  public let apply: @Sendable (inout State, StoredRecord) throws(StoreError) -> Void
  /// The state as bytes.
  public let encode: @Sendable (State) -> [UInt8]
  /// The state that bytes encode, or nil if they encode none.
  public let decode: @Sendable ([UInt8]) -> State?

  /// A fold from its parts.
  ///
  /// - Throws: `invalid` if the name is not valid, or the version is negative.
  public init(
    name: String, version: Int, initial: @escaping @Sendable () -> State,
    apply: @escaping @Sendable (inout State, StoredRecord) throws(StoreError) -> Void,
    encode: @escaping @Sendable (State) -> [UInt8], decode: @escaping @Sendable ([UInt8]) -> State?
  ) throws(StoreError) {
    guard StoreFolder.isFoldName(name), version >= 0 else {
      throw StoreError(
        .invalid, "a fold cannot be called \(name), version \(version)",
        advice: "give 1 to 64 letters, digits, dots, hyphens and underscores, and a version of 0 or more")
    }
    self.name = name
    self.version = version
    self.initial = initial
    self.apply = apply
    self.encode = encode
    self.decode = decode
  }
}

/// The state of a fold over the first records of a log.
public struct Folded<State> {
  /// The state.
  public var state: State
  /// How many records are in it.
  public var size: UInt64
  /// How many of them came from a snapshot; 0 if all were read.
  public var fromSnapshot: UInt64
}

extension Folded: Sendable where State: Sendable {}
