// Settings of a recorded flow as the values that an application passes.

package import EventStore
package import Foundation

extension JSON {
  /// A member that is a URL and keeps its spelling; nil for anything else.
  package func url(_ member: String) -> URL? { self[member]?.url }

  /// A URL that keeps its spelling; nil for anything else.
  package var url: URL? {
    guard let text = string, let url = URL(string: text), url.absoluteString == text else { return nil }
    return url
  }
}
