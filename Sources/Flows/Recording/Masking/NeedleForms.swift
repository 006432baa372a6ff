// Further forms of a secret that are looked for as they stand: without the white space around it, normalized, in
// another case, and as a reader that takes UTF-8 for Latin-1 shows it.

import Foundation

enum NeedleForms {
  /// What a sighting with letters of another case is called in placeholders.
  static let otherCase = "case"

  /// The forms that differ from the secret, each with what it is called. Cost: one pass for a secret of ASCII.
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
    // The search itself ignores the case of ASCII letters alone.
    for form in [text.uppercased(), text.lowercased()] {
      let form = Array(form.utf8)
      if form != bytes { forms.append((otherCase, form)) }
    }
    forms.append(("latin", bytes.flatMap { byte in byte < 0x80 ? [byte] : [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }))
    return forms
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
