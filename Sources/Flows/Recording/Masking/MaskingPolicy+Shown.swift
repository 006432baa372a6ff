// What may be shown of a message that belongs to no flow.

package import EventStore

extension MaskingPolicy {
  /// A message as a log would have it: secrets, and whatever is not declared, as placeholders.
  package func masked(_ message: JSON, as schema: WireSchema) -> JSON {
    var vault = Vault()
    return Masker(policy: self).mask(message, as: schema, into: &vault)
  }
}
