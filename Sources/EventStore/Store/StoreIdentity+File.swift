// `store.json`: small, readable, replaced whole.
import Foundation

extension StoreIdentity {
  /// A new identity with a random id of 128 bits.
  ///
  /// - Throws: `invalid` if the origin cannot name a key.
  init(newWithOrigin origin: String?) throws(StoreError) {
    var random = SystemRandomNumberGenerator()
    let digits = (0..<32).map { _ in String(UInt8.random(in: 0..<16, using: &random), radix: 16) }.joined()
    let name = origin ?? "flowrecorder-" + digits
    guard VerifierKey.isName(name), Envelope.isName(name) else {
      throw StoreError(
        .invalid, "an origin must not be empty or hold spaces, quotes, backslashes or a plus sign",
        advice: "give another origin")
    }
    self.init(id: digits, origin: name)
  }

  /// Reads the identity of a store, before anything else of it is read.
  ///
  /// - Throws: `notFound` if the directory is not there, `notAStore` if it holds no store, `malformed`, also if one of
  ///   its folders is a link, `unsupported`.
  init(of layout: StoreLayout, on disk: any Disk) throws(StoreError) {
    try layout.refuseLinks(on: disk)
    let bytes: [UInt8]
    do {
      bytes = try disk.contents(of: layout.identity, limit: 1 << 20)
    } catch {
      guard error.code == .notFound else { throw error }
      guard (try? disk.names(in: layout.root)) != nil else {
        if let there = try? disk.entry(layout.root, followingLinks: true), there.kind != .directory {
          throw StoreError(
            .notAStore, "this is a file, and no store's directory", file: layout.root,
            advice: "give the directory that has store.json")
        }
        throw StoreError(.notFound, "there is no such directory", file: layout.root, advice: "check the path")
      }
      throw StoreError(
        .notAStore, "this directory holds no store", file: layout.root, advice: "give the directory that has store.json"
      )
    }
    guard let wire = Self.wire(bytes) else {
      throw StoreError(
        .malformed, "store.json is not what a store writes there", file: layout.identity,
        advice: "put it back from a copy")
    }
    guard Self.knownFormats.contains(wire.format) else {
      throw StoreError(
        .unsupported, "the store has format \(wire.format), this program knows those up to \(Self.currentFormat)",
        file: layout.identity, advice: "use a later version of it")
    }
    self.init(wire)
  }

  /// The identity in the bytes of a `store.json`; nil if they are not one of a known format.
  package init?(bytes: [UInt8]) {
    guard let wire = Self.wire(bytes), Self.knownFormats.contains(wire.format) else { return nil }
    self.init(wire)
  }

  private init(_ wire: Wire) {
    self.init(
      id: wire.id, origin: wire.origin, format: wire.format, publicKey: wire.publicKey,
      retiredKeys: wire.retiredKeys ?? [], restoredFrom: wire.restoredFrom ?? [], backup: wire.backup)
  }

  private static func wire(_ bytes: [UInt8]) -> Wire? {
    // The decoder accepts more than JSON in UTF-8: a byte order mark, and other encodings.
    guard (try? JSON(parsing: bytes)) != nil else { return nil }
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(bytes)), wire.isBounded else { return nil }
    return wire
  }

  /// Writes the identity, durable when it returns.
  func save(to layout: StoreLayout, on disk: any Disk) throws(StoreError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let wire = Wire(
      id: id, origin: origin, format: format, publicKey: publicKey, retiredKeys: retiredKeys,
      restoredFrom: restoredFrom.isEmpty ? nil : restoredFrom, backup: backup)
    guard let data = try? encoder.encode(wire) else {
      throw StoreError(.invalid, "the identity cannot be written as JSON", file: layout.identity)
    }
    try disk.replace(layout.identity, with: Array(data) + [0x0A], in: layout.root)
  }

  private struct Wire: Codable {
    var id: String
    var origin: String
    var format: Int
    var publicKey: String?
    var retiredKeys: [RetiredKey]?
    var restoredFrom: [StoreOrigin]?
    var backup: BackupMark?

    /// True if no size is larger than a log can be.
    var isBounded: Bool {
      let sizes =
        (retiredKeys ?? []).map(\.until) + (restoredFrom ?? []).map(\.size) + [backup?.size].compactMap { $0 }
      return sizes.allSatisfy { $0 <= FrameFormat.largestNumber }
    }
  }
}
