// What a call adds to the query of a link (authn §1.1, §2.2).

import EventStore
import FlowRecording

/// A flag in a query: `rememberDevice=true`.
package struct AuthnQueryItem: Sendable, Equatable {
  package var name: String
  package var value: Bool

  /// The flags of a call, in a fixed order.
  static func items(of made: CallMade) -> [AuthnQueryItem] {
    ["autoPush", "rememberDevice", "updatePhone"].compactMap { name in
      made.arguments[name]?.bool.map { AuthnQueryItem(name: name, value: $0) }
    }
  }

  /// Adds flags to the query of a URL: those with an existing name replace it in place, others are kept, new ones are
  /// appended.
  static func merge(_ items: [AuthnQueryItem], into url: String) -> String {
    guard !items.isEmpty, let parts = URLParts(url) else { return url }
    var pairs = (parts.query ?? "").split(separator: "&").map(String.init)
    for item in items {
      let pair = "\(item.name)=\(item.value)"
      if let index = pairs.firstIndex(where: { $0 == item.name || $0.hasPrefix(item.name + "=") }) {
        pairs[index] = pair
      } else {
        pairs.append(pair)
      }
    }
    return parts.origin + parts.path + "?" + pairs.joined(separator: "&") + (parts.fragment.map { "#" + $0 } ?? "")
  }
}
