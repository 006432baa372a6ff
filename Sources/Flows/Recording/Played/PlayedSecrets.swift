// What stands for the secrets of a recording while it is replayed.

package import EventStore

/// Puts what stands for secrets into what a recording says. Checks read by it what the org sent, and so find what the
/// vault of the flow reveals otherwise.
package struct PlayedSecrets: Sendable {
  private let text: @Sendable (String) -> String
  private let value: @Sendable (JSON) -> JSON

  /// Secrets by what reveals them in texts and in values.
  package init(text: @escaping @Sendable (String) -> String, value: @escaping @Sendable (JSON) -> JSON) {
    (self.text, self.value) = (text, value)
  }

  /// A text with its secrets.
  package func reveal(_ text: String) -> String { self.text(text) }

  /// A value with its secrets.
  package func reveal(_ value: JSON) -> JSON { self.value(value) }
}
