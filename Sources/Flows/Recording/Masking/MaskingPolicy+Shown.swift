// How a message that belongs to no flow is shown.

package import EventStore

extension MaskingPolicy {
  /// A message as a log would contain it: secrets and undeclared values are placeholders.
  package func masked(_ message: JSON, as schema: WireSchema) -> JSON {
    var vault = Vault()
    return Masker(policy: self).mask(message, as: schema, into: &vault)
  }
}
