// An authenticator's configuration as the org answers it (spec/device.md §4.2), read leniently.

package import EventStore

/// One authenticator's configuration.
package struct PolicyReading: Sendable, Equatable {
  /// The element of the org's answer.
  package var content: JSON

  /// A configuration of its element; nil if a required member is missing.
  package init?(_ content: JSON) {
    guard content["authenticatorId"]?.string != nil, content["orgId"]?.string != nil, content["key"]?.string != nil,
      content["appAuthenticatorEnrollEndpoint"]?.string != nil, let methods = content["supportedMethods"]?.array,
      methods.allSatisfy({ $0["type"]?.string != nil && $0["status"]?.string != nil })
    else { return nil }
    self.content = content
  }

  /// Why no configuration can be used.
  package enum ReadingFailure: Error, Sendable, Hashable {
    /// Not an array, or an element without what is required.
    case malformed
    /// An empty array.
    case notFound
    /// None has a push method that is active.
    case nothingToEnroll
  }

  /// The configuration to enroll with: the first whose push method is active.
  package static func choose(from answer: JSON) throws(ReadingFailure) -> PolicyReading {
    guard let elements = answer.array else { throw .malformed }
    guard !elements.isEmpty else { throw .notFound }
    let policies = elements.compactMap(PolicyReading.init)
    guard policies.count == elements.count else { throw .malformed }
    guard let policy = policies.first(where: \.isPushActive) else { throw .nothingToEnroll }
    return policy
  }

  /// The authenticator's id.
  package var authenticatorID: String { content["authenticatorId"]?.string ?? "" }
  /// The org's id.
  package var orgID: String { content["orgId"]?.string ?? "" }
  /// Where enrollments are made.
  package var enrollURL: String { content["appAuthenticatorEnrollEndpoint"]?.string ?? "" }
  /// `preferred`, `required` or another word, lower case.
  package var userVerification: String { content["settings"]?["userVerification"]?.string?.lowercased() ?? "" }

  private var push: JSON? {
    content["supportedMethods"]?.array?.first { $0["type"] == "push" && $0["status"] == "ACTIVE" }
  }

  /// Whether push can be enrolled.
  package var isPushActive: Bool { push != nil }
  /// Whether keys must be kept in hardware.
  package var wantsHardware: Bool { push?["settings"]?["keyProtection"]?.string?.uppercased() == "HARDWARE" }
}
