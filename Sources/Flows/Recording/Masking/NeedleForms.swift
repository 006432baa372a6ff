// Further forms of a secret to look for: without surrounding white space, normalized, in another case, and as UTF-8
// misread as Latin-1.

import Foundation

enum NeedleForms {
  /// The name of sightings in another case in placeholders.
  static let otherCase = "case"

  /// The forms that differ from the secret, each with its name. Cost: one pass for an ASCII secret.
  static func further(of text: String, _ bytes: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    var forms: [(name: String, bytes: [UInt8])] = []
    if let first = bytes.first, let last = bytes.last, isSpace(first) || isSpace(last) {
      let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
      let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
      forms.append(("trim", Array(bytes[start..<end])))
    }
    guard bytes.contains(where: { $0 >= 0x80 }) else { return forms }
    for form in [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping] {
      let form = Array(form.utf8)
      if form != bytes { forms.append(("norm", form)) }
    }
    // The search itself ignores only the case of ASCII letters.
    for form in [text.uppercased(), text.lowercased()] {
      let form = Array(form.utf8)
      if form != bytes { forms.append((otherCase, form)) }
    }
    forms.append(("latin", bytes.flatMap { byte in byte < 0x80 ? [byte] : [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }))
    return forms
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
