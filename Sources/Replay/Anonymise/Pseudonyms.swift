// Made-up values with the shape of real ones.

import FlowRecording

/// Gives each personal value another one of the same shape: letters for letters, digits for digits, everything else as
/// it is. The same value always gets the same replacement, regardless of case. IP addresses get addresses of the ranges
/// for documentation.
struct Pseudonyms {
  private var addresses = MadeUpAddresses()
  private var known: [String: [UInt8]] = [:]
  private var taken: Set<String> = []
  /// The replaced values with their replacements.
  private(set) var replacements: [String: String] = [:]

  /// The replacement of a value. The parts of a mail address, before and after the `@`, are replaced separately, so
  /// that two people of one company still share a domain. Placeholders of secrets stay as they are.
  mutating func replacement(of value: String) -> String {
    if let made = replacements[value] { return made }
    if let address = addresses.replacement(of: value) {
      replacements[value] = address
      return address
    }
    var (made, rest) = ("", value[...])
    while let start = rest.firstRange(of: "$secret."), let end = rest[start.upperBound...].firstIndex(of: "$") {
      made += parts(of: rest[..<start.lowerBound]) + rest[start.lowerBound...end]
      rest = rest[rest.index(after: end)...]
    }
    made += parts(of: rest)
    replacements[value] = made
    return made
  }

  /// Learns a value before any is replaced: no address gets one that the recording has itself.
  mutating func avoid(_ value: String) { addresses.avoid(value) }

  private mutating func parts(of text: Substring) -> String {
    text.split(separator: "@", omittingEmptySubsequences: false).map { part in
      part.isEmpty ? "" : shaped(like: String(part))
    }.joined(separator: "@")
  }

  private mutating func shaped(like text: String) -> String {
    Self.shape(text, bytes(for: text.lowercased()))
  }

  private static func shape(_ text: String, _ bytes: [UInt8]) -> String {
    var index = 0
    return String(
      text.map { character in
        let byte = bytes[index % bytes.count]
        index += 1
        // Characters that mask the digits of a phone number stay.
        if character == "X" || character == "*" { return character }
        if character.isNumber { return Character(Unicode.Scalar(UInt8(ascii: "0") + byte % 10)) }
        guard character.isLetter else { return character }
        let first = UInt8(ascii: character.isUppercase ? "A" : "a")
        return Character(Unicode.Scalar(first + byte % 26))
      })
  }

  /// Bytes for a value in lower case, chosen so that its replacement is unique and differs from the value.
  private mutating func bytes(for text: String) -> [UInt8] {
    if let made = known[text] { return made }
    var attempt: UInt8 = 0
    while true {
      // A step of a linear congruential generator for each character.
      var hash = StableHash.value((Array(text.utf8) + [attempt]).span)
      let made = (0..<max(1, text.count)).map { _ -> UInt8 in
        hash = hash &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: hash >> 33) % 130
      }
      let shape = Self.shape(text, made)
      // After this many attempts, the value is so short that it must share a replacement.
      if attempt == .max || shape != text && taken.insert(shape).inserted {
        known[text] = made
        return made
      }
      attempt += 1
    }
  }
}
