// Reads an authenticator's configuration leniently from the org's response (spec/device.md §4.2).

package import EventStore

/// The configuration of one authenticator.
package struct PolicyReading: Sendable, Equatable {
  /// The element in the org's response.
  package var content: JSON

  /// Reads a configuration from its element; `nil` if a required member is missing.
  package init?(_ content: JSON) {
    guard content["authenticatorId"]?.string != nil, content["orgId"]?.string != nil, content["key"]?.string != nil,
      content["appAuthenticatorEnrollEndpoint"]?.string != nil, let methods = content["supportedMethods"]?.array,
      methods.allSatisfy({ $0["type"]?.string != nil && $0["status"]?.string != nil })
    else { return nil }
    self.content = content
  }

  /// Why no configuration can be used.
  package enum ReadingFailure: Error, Sendable, Hashable {
    /// The response is not an array, or an element lacks a required member.
    case malformed
    /// The array is empty.
    case notFound
    /// No configuration has an active push method.
    case nothingToEnroll
  }

  /// Chooses the configuration for an enrollment: the first one with an active push method.
  package static func choose(from answer: JSON) throws(ReadingFailure) -> PolicyReading {
    guard let elements = answer.array else { throw .malformed }
    guard !elements.isEmpty else { throw .notFound }
    let policies = elements.compactMap(PolicyReading.init)
    guard policies.count == elements.count else { throw .malformed }
    guard let policy = policies.first(where: \.isPushActive) else { throw .nothingToEnroll }
    return policy
  }

  /// The authenticator's ID.
  package var authenticatorID: String { content["authenticatorId"]?.string ?? "" }
  /// The org's ID.
  package var orgID: String { content["orgId"]?.string ?? "" }
  /// The URL for enrolling.
  package var enrollURL: String { content["appAuthenticatorEnrollEndpoint"]?.string ?? "" }
  /// `preferred`, `required`, or another value, in lowercase.
  package var userVerification: String { content["settings"]?["userVerification"]?.string?.lowercased() ?? "" }

  private var push: JSON? {
    content["supportedMethods"]?.array?.first { $0["type"] == "push" && $0["status"] == "ACTIVE" }
  }

  /// Whether push can be enrolled.
  package var isPushActive: Bool { push != nil }
  /// Whether keys must be hardware-protected.
  package var wantsHardware: Bool { push?["settings"]?["keyProtection"]?.string?.uppercased() == "HARDWARE" }
}
