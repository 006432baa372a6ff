/// The header of a recording.
public struct SliceHeader: Sendable, Hashable {
  /// The version of the format.
  public var format: Int
  /// The id of the store that it was cut from.
  public var store: String
  /// The origin of that store.
  public var origin: String
  /// How many records the file has.
  public var records: Int
}

/// A recording: records cut out of a log, unchanged, in the log's own format under a header that says `slice`.
public enum SliceFile {
  /// Writes a recording.
  public static func write(
    records: [StoredRecord], source: StoreIdentity, to path: String
  ) throws(StoreError) { throw StoreError(.closed, "not built yet") }

  /// Reads a recording.
  public static func read(
    path: String, limitBytes: Int = 256 << 20
  ) throws(StoreError) -> (header: SliceHeader, records: [StoredRecord]) { throw StoreError(.closed, "not built yet") }

  /// Reads a recording from its bytes.
  public static func read(
    bytes: [UInt8], limitBytes: Int = 256 << 20
  ) throws(StoreError) -> (header: SliceHeader, records: [StoredRecord]) { throw StoreError(.closed, "not built yet") }
}
