// Bodies of `application/x-www-form-urlencoded` (WHATWG URL §5.2, as RFC 6749 appendix B asks).

package import EventStore

/// Writes the members of an object as a form.
package enum FormEncoding {
  /// The body's bytes: names and values percent-encoded, a space as `%20`. Values that are null are left out, arrays
  /// and objects stand as JSON.
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

  /// A URL with the members of an object behind the query that it has; a fragment is left out.
  package static func url(_ url: String, query: JSON) -> String {
    let form = String(decoding: bytes(query), as: UTF8.self)
    let base = String(decoding: url.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    guard !form.isEmpty else { return base }
    guard base.utf8.contains(UInt8(ascii: "?")) else { return base + "?" + form }
    return base.hasSuffix("?") || base.hasSuffix("&") ? base + form : base + "&" + form
  }

  /// Text with everything but the unreserved characters of RFC 3986 §2.3 percent-encoded.
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
