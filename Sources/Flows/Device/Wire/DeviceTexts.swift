// Helpers for text on the wire (spec/device.md §3, §5.1, §22.4).

import FlowRecording

/// Converts text to the form used on the wire.
package enum DeviceTexts {
  /// Removes every `<…>` from a name.
  package static func stripTags(_ text: String) -> String {
    var out = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      out += rest[..<open]
      rest = rest[rest.index(after: close)...]
    }
    return out + rest
  }

  /// Formats bytes as lowercase hex.
  package static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// An org's URL in normalized form: `https`, host, and port. `nil` if it is not a URL, or if it uses `http` for
  /// anything but this machine.
  package static func orgURL(_ text: String) -> String? {
    let whole = text.contains("://") ? text : "https://" + text
    guard let parts = URLParts(whole), !parts.authority.utf8.contains(UInt8(ascii: "@")),
      parts.scheme == "https" || parts.isLoopback
    else { return nil }
    return parts.origin
  }

  /// Makes text a valid `User-Agent` token (RFC 9110 §5.6.2): other characters become `_`, and empty text becomes
  /// `unknown`.
  package static func token(_ text: String) -> String {
    let kept = text.unicodeScalars.map { scalar -> Character in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~":
        Character(scalar)
      default: "_"
      }
    }
    return kept.isEmpty ? "unknown" : String(kept)
  }
}
