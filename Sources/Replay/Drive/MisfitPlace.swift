// A value of a recorded answer that did not fit its place was masked, including its type: its made-up replacement must
// not fit either.

import EventStore
import FlowRecording

/// The constraints on a replacement: it must not fit any of the places where the value occurs.
struct MisfitPlace {
  private var takesText = false
  private var takesNumber = false
  private var takesWord = false
  /// True if it is a part of a text, or is in a place that can hold only text.
  var isText = false

  /// Adds a place where it stands alone. Returns true.
  mutating func stands(at schema: WireSchema) -> Bool {
    switch schema {
    case .text, .login, .place, .url: takesText = true
    case .personal: (takesText, takesNumber) = (true, true)
    case .number: takesNumber = true
    case .boolean: takesWord = true
    case .identifier, .errorCode, .date, .word, .object, .map, .array, .secret, .own, .setting, .depending: break
    }
    return true
  }

  /// Adds a place where it is a part of a text. Returns false if a made-up part would make the text no longer fit
  /// there.
  mutating func standsIn(_ schema: WireSchema) -> Bool {
    isText = true
    switch schema {
    case .text, .personal, .url: return true
    default: return false
    }
  }

  /// A value that fits none of the places; nil if there is none.
  ///
  /// - Parameter name: the name in the placeholder: `undeclared.1`.
  func value(of name: Substring) -> JSON? {
    // A tilde stands in no identifier, date or number, and needs no encoding in an address (RFC 3986, section 2.3).
    if !takesText {
      return .string("sur~\(String(StableHash.value(name.utf8.span), radix: 36))x\(name.filter { $0 != "." })")
    }
    let number = Int(name.drop { $0 != "." }.dropFirst()) ?? 0
    if !takesNumber, !isText { return .int(7_310_000 + number) }
    return takesWord || isText ? nil : .bool(true)
  }
}
