// Settings of a recorded flow as the values that an application gives.

package import EventStore
package import Foundation

extension JSON {
  /// A member that is an address and stays as it is written; nil for anything else.
  package func url(_ member: String) -> URL? { self[member]?.url }

  /// An address that stays as it is written; nil for anything else.
  package var url: URL? {
    guard let text = string, let url = URL(string: text), url.absoluteString == text else { return nil }
    return url
  }
}
