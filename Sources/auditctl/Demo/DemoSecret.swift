// Looks for secrets in every byte of a store: in its files as they lie there, and in what they decompress to.

import EventStore
import Foundation

/// A value that must not be in a log.
struct DemoSecret: Sendable, Hashable {
  var kind: String
  var value: String
}

/// The result of a search for secrets.
struct SecretSearch: Sendable, Equatable {
  var secrets = 0
  var files = 0
  /// Bytes looked at, decompressed ones included.
  var bytes = 0
  /// Which kinds were found, and where. Never the value.
  var found: [String] = []

  /// Looks for secrets in all files of some stores and in all their records.
  init(for secrets: Set<DemoSecret>, in stores: [String]) throws {
    let needles = secrets.sorted { $0.value < $1.value }.map(Needle.init)
    self.secrets = needles.count
    for store in stores { try look(for: needles, inStore: store) }
  }

  private mutating func look(for needles: [Needle], inStore store: String) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: store).sorted() {
      guard let contents = FileManager.default.contents(atPath: store + "/" + path) else { continue }
      files += 1
      look(for: needles, in: Array(contents), at: path)
    }
    var cursor = try LogReader(directory: store).cursor()
    var text: [UInt8] = []
    while let record = try cursor.next() { text += record.line + [UInt8(ascii: "\n")] }
    look(for: needles, in: text, at: "the decompressed records")
  }

  private mutating func look(for needles: [Needle], in bytes: [UInt8], at place: String) {
    self.bytes += bytes.count
    let haystack = Data(bytes)
    for needle in needles where needle.isIn(haystack) { found.append("\(needle.kind) in \(place)") }
  }

  /// A secret in all forms in which it could have been written.
  private struct Needle {
    let kind: String
    private let forms: [Data]
    /// Short values occur by chance inside of others: only a whole word counts.
    private let isWord: Bool

    init(_ secret: DemoSecret) {
      kind = secret.kind
      let plain = Data(secret.value.utf8)
      isWord = plain.count < 8
      let percent = secret.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret.value
      forms = isWord ? [plain] : Array(Set([plain, plain.base64EncodedData(), Data(percent.utf8)]))
    }

    func isIn(_ haystack: Data) -> Bool { forms.contains { isIn(haystack, $0) } }

    private func isIn(_ haystack: Data, _ form: Data) -> Bool {
      var start = haystack.startIndex
      while let range = haystack.range(of: form, in: start..<haystack.endIndex) {
        let before = range.lowerBound > haystack.startIndex ? haystack[range.lowerBound - 1] : 0
        let after = range.upperBound < haystack.endIndex ? haystack[range.upperBound] : 0
        if !isWord || !Self.isWordByte(before) && !Self.isWordByte(after) { return true }
        start = range.upperBound
      }
      return false
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
  }
}
