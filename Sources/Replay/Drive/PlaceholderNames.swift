// The placeholders in a recorded flow.

import EventStore
import FlowRecording

/// The text between `$secret.` and the next `$` of each placeholder of a flow: `password.1`, `password.1.case`.
struct PlaceholderNames {
  static let prefix = Array("$secret.".utf8)
  /// Kinds that mean only that a value was too large, or nested too deeply, and kinds of secrets that a replay does not
  /// learn: of cookies that were not recorded, and of those in a header that a listener added.
  private static let unfit: Set<Substring> = ["excess", "deep", "droppedCookie", "sentCookie"]

  /// The names in each record, in order of occurrence, in strings and in member names.
  let byRecord: [[Substring]]
  /// The pass codes that occur next to a letter or digit, without their forms.
  let inWords: Set<Substring>

  init(of records: [FlowRecord]) {
    byRecord = records.map { record in
      var names: [Substring] = []
      Self.visit(record.event.data, &names)
      return names
    }
    inWords = Set(
      byRecord.joined().filter { ($0.hasPrefix("passCode.") || $0.hasPrefix("passcode.")) && Self.isInWord($0) }.map {
        $0.split(separator: ".", omittingEmptySubsequences: false).prefix(2).joined(separator: ".")[...]
      })
  }

  /// True if a letter or digit is directly before or after the placeholder of a name in its text.
  private static func isInWord(_ name: Substring) -> Bool {
    let text = name.base.utf8
    func isWord(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80
    }
    if let start = text.index(name.startIndex, offsetBy: -prefix.count - 1, limitedBy: text.startIndex),
      isWord(text[start])
    {
      return true
    }
    guard let next = text.index(name.endIndex, offsetBy: 1, limitedBy: text.endIndex), next < text.endIndex else {
      return false
    }
    return isWord(text[next])
  }

  /// True if surrogates can stand for all of them: if the secrets occurred unencoded, not in Base64 or across two
  /// fields, for instance.
  var haveSurrogates: Bool {
    byRecord.joined().allSatisfy { name in
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard !Self.unfit.contains(parts[0]) else { return false }
      return parts.count == 2 || parts.count == 3 && SurrogateForm(parts[2]) != nil
    }
  }

  /// Returns whether undeclared secrets are numbered in order of first appearance. A usual text that is such a secret
  /// only further down was counted there; made-up texts would be counted differently.
  var countUp: Bool {
    var highest = 0
    for name in byRecord.joined() {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count > 1, parts[0] == "undeclared", let number = Int(parts[1]), number > highest else { continue }
      if number > highest + 1 { return false }
      highest = number
    }
    return true
  }

  private static func visit(_ json: JSON, _ found: inout [Substring]) {
    switch json {
    case .null, .bool, .number: break
    case .string(let text): found += names(in: text)
    case .array(let elements): for element in elements { visit(element, &found) }
    case .object(let object):
      for member in object.members {
        found += names(in: member.key)
        visit(member.value, &found)
      }
    }
  }

  /// The names of the placeholders in a text.
  static func names(in text: String) -> [Substring] {
    let bytes = text.utf8
    guard text.holds(UInt8(ascii: "$")), var start = bytes.firstIndex(of: UInt8(ascii: "$")) else { return [] }
    var names: [Substring] = []
    while true {
      let rest = bytes[start...]
      var next = bytes.index(after: start)
      if rest.starts(with: prefix) {
        let begin = bytes.index(start, offsetBy: prefix.count)
        next = bytes[begin...].firstIndex(of: UInt8(ascii: "$")) ?? bytes.endIndex
        names.append(text[begin..<next])
      }
      guard let found = bytes[next...].firstIndex(of: UInt8(ascii: "$")) else { return names }
      start = found
    }
  }
}
