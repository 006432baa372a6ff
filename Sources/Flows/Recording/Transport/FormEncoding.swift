// Bodies of type `application/x-www-form-urlencoded` (WHATWG URL §5.2, as required by RFC 6749 appendix B).

package import EventStore

/// Encodes the members of an object as a form.
package enum FormEncoding {
  /// Returns the bytes of the body: names and values are percent-encoded, with `%20` for a space. Null values are left
  /// out; arrays and objects are written as JSON.
  package static func bytes(_ json: JSON) -> [UInt8] {
    var out: [UInt8] = []
    for member in json.object?.members ?? [] where member.value != .null {
      if !out.isEmpty { out.append(UInt8(ascii: "&")) }
      encode(member.key, into: &out)
      out.append(UInt8(ascii: "="))
      switch member.value {
      case .string(let text), .number(let text): encode(text, into: &out)
      case .null, .bool, .array, .object: encode(member.value.text, into: &out)
      }
    }
    return out
  }

  /// Returns a URL with the members of an object appended to its query. A fragment is removed.
  package static func url(_ url: String, query: JSON) -> String {
    let form = String(decoding: bytes(query), as: UTF8.self)
    let base = String(decoding: url.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    guard !form.isEmpty else { return base }
    guard base.utf8.contains(UInt8(ascii: "?")) else { return base + "?" + form }
    return base.hasSuffix("?") || base.hasSuffix("&") ? base + form : base + "&" + form
  }

  /// Percent-encodes everything except the unreserved characters of RFC 3986 §2.3.
  package static func encoded(_ text: String) -> String {
    var out: [UInt8] = []
    encode(text, into: &out)
    return String(decoding: out, as: UTF8.self)
  }

  private static func encode(_ text: String, into out: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        out.append(byte)
      default: out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }
}
