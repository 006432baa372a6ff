// Base64 as bodies carry it: standard with padding for keys, URL-safe without for browser values (RFC 4648 §4, §5).

import Foundation

enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  static func urlText(_ bytes: some Sequence<UInt8>) -> String {
    let letters = Data(bytes).base64EncodedString().utf8.filter { $0 != UInt8(ascii: "=") }
    return String(
      decoding: letters.map {
        $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
      },
      as: UTF8.self)
  }

  /// The bytes of either form, padded or not; `nil` for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    var letters = text.utf8.map {
      $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
    }
    while letters.last == UInt8(ascii: "=") { letters.removeLast() }
    letters += Array(repeating: UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
    return Data(base64Encoded: Data(letters)).map(Array.init)
  }
}
