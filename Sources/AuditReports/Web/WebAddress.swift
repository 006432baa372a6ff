// The addresses of pages, and the parameters in a request.

import Foundation

/// The path and query of an address.
package struct WebAddress: Sendable, Equatable {
  /// The path: `/flow`.
  package var path: String
  /// The members of the query in order, decoded.
  package var query: [(name: String, value: String)]

  /// Creates an address from its parts; members without a value are left out.
  package init(_ path: String, _ query: [(String, String?)] = []) {
    self.path = path
    self.query = query.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The page of a person, whose name may be written in any case.
  static func person(_ user: String) -> WebAddress { WebAddress("/person", [("user", user.lowercased())]) }

  /// Reads the target of a request. An incorrectly encoded part is left unchanged.
  package init(target: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts.first ?? "/")
    query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decoded(halves.first ?? ""), Self.decoded(halves.count > 1 ? halves[1] : ""))
    }
  }

  /// Returns the value of a member; `nil` if it is missing or empty.
  package subscript(name: String) -> String? {
    query.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// The address as it appears in a link.
  var text: String {
    guard !query.isEmpty else { return path }
    return path + "?" + query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
  }

  package static func == (one: WebAddress, other: WebAddress) -> Bool { one.text == other.text }

  private static func decoded(_ text: Substring) -> String {
    let spaced = text.replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
