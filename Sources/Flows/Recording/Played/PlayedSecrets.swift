// The values that replace the secrets of a recording in a replay.

package import EventStore

/// Inserts replacement values for the secrets of a recording. Checks use it to read what the org sent, independently of
/// the flow's vault, so that they notice if the vault reveals something else.
package struct PlayedSecrets: Sendable {
  private let text: @Sendable (String) -> String
  private let value: @Sendable (JSON) -> JSON

  /// Makes the replacement from functions for texts and for values.
  package init(text: @escaping @Sendable (String) -> String, value: @escaping @Sendable (JSON) -> JSON) {
    (self.text, self.value) = (text, value)
  }

  /// A text with its secrets.
  package func reveal(_ text: String) -> String { self.text(text) }

  /// A value with its secrets.
  package func reveal(_ value: JSON) -> JSON { self.value(value) }
}
