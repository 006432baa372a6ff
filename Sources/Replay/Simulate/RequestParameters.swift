// The parameters of a client's request for tokens, or of one that begins a sign-in.

import EventStore
import FlowRecording
import Foundation

/// The parameters of a request: those of its form, then those of its query.
struct RequestParameters: Sendable {
  private let members: [(name: String, value: String)]
  /// The client that it names.
  let client: String?

  /// - Parameters:
  ///   - target: the path with its query.
  ///   - body: a form; anything else has no parameters.
  ///   - authorization: the header of that name.
  init(target: String, body: [UInt8], authorization: String?) {
    let query = target.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    let form = body.count <= 1 << 20 ? String(decoding: body, as: UTF8.self) : ""
    let members = Self.members(form) + Self.members(String(query))
    func value(_ name: String) -> String? { members.first { $0.name == name }?.value }
    let asserted = value("client_assertion").flatMap { CompactJWS($0) }?.claims["sub"]?.string
    client = value("client_id") ?? Self.user(authorization) ?? asserted
    self.members = members
  }

  /// The value of a parameter.
  subscript(name: String) -> String? { members.first { $0.name == name }?.value }

  private static func members(_ text: String) -> [(name: String, value: String)] {
    text.utf8.split(separator: UInt8(ascii: "&")).prefix(256).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(parts[0]), parts.count == 2 ? decoded(parts[1]) : "")
    }
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    let plain = String(decoding: text, as: UTF8.self).replacing("+", with: " ")
    return plain.removingPercentEncoding ?? plain
  }

  /// The user of HTTP Basic, which is form-encoded (RFC 6749 §2.3.1).
  private static func user(_ authorization: String?) -> String? {
    guard let authorization, authorization.lowercased().hasPrefix("basic "),
      let bytes = Data(base64Encoded: String(authorization.dropFirst(6)))
    else { return nil }
    return decoded(String(decoding: bytes, as: UTF8.self).prefix { $0 != ":" }.utf8)
  }
}
