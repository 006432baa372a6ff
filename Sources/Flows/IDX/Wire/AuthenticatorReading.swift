// Reads authenticators, which appear in several places of a response; those that belong together are one (idx §7.2).

package import EventStore

/// An authenticator, merged from every place where it appears.
package struct AuthenticatorReading: Sendable, Equatable {
  /// The paths where it appears, as `relatesTo` would name them.
  package var paths: [String]
  /// The objects at those paths, in the same order.
  package var members: [JSON]
  package var state: State

  /// The state according to those places; the highest one wins (§7.3).
  package enum State: Int, Sendable, Comparable {
    case normal, enrolled, authenticating, enrolling, recovery

    package static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }

    /// The state's name.
    package var name: String {
      switch self {
      case .normal: "normal"
      case .enrolled: "enrolled"
      case .authenticating: "authenticating"
      case .enrolling: "enrolling"
      case .recovery: "recovery"
      }
    }
  }

  package var type: String? { members.first?["type"]?.string }
  package var id: String? { members.first?["id"]?.string }
  package var displayName: String? { members.first?["displayName"]?.string }
  package var key: String? { members.lazy.compactMap { $0["key"]?.string }.first }
  package var methods: [String] {
    (members.lazy.compactMap { $0["methods"]?.array }.first ?? []).compactMap { $0["type"]?.string }
  }
  package var profile: JSON? { firstObject("profile") }
  package var settings: JSON? { firstObject("settings") }
  package var contextualData: JSON? { firstObject("contextualData") }
  /// Whether it is used in the current step.
  package var isCurrent: Bool { state == .authenticating || state == .enrolling }

  /// The first form with the given name: `send`, `resend`, `poll`, or `recover`.
  package func form(_ name: String) -> FormReading? {
    members.lazy.compactMap { FormReading($0[name]) }.first { $0.href != nil }
  }

  /// The first object with the given member name.
  func firstObject(_ name: String) -> JSON? { members.lazy.compactMap { $0[name] }.first { $0.object != nil } }

  /// Whether it has one of these methods.
  func hasMethod(_ names: Set<String>) -> Bool {
    members.contains { member in
      (member["methods"]?.array ?? []).contains { $0["type"]?.string.map(names.contains) == true }
    }
  }
}

extension AuthenticatorReading {
  /// The authenticators of a response, in order of first appearance.
  static func groups(of response: JSON) -> [AuthenticatorReading] {
    var groups: [AuthenticatorReading] = []
    var indices: [ByteName: Int] = [:]
    func take(_ json: JSON?, _ path: String, _ state: State) {
      guard let json, json.object != nil else { return }
      let identity = ByteName(identity(of: json))
      if let index = indices[identity] {
        groups[index].paths.append(path)
        groups[index].members.append(json)
        groups[index].state = max(groups[index].state, state)
      } else {
        indices[identity] = groups.count
        groups.append(AuthenticatorReading(paths: [path], members: [json], state: state))
      }
    }
    take(response["currentAuthenticatorEnrollment"]?["value"], "$.currentAuthenticatorEnrollment", .enrolling)
    take(response["currentAuthenticator"]?["value"], "$.currentAuthenticator", .authenticating)
    take(response["recoveryAuthenticator"]?["value"], "$.recoveryAuthenticator", .recovery)
    for (list, state) in [("authenticatorEnrollments", State.enrolled), ("authenticators", .normal)] {
      for (index, json) in (response[list]?["value"]?.array ?? []).enumerated() {
        take(json, "$.\(list).value[\(index)]", state)
      }
    }
    // Newer servers list the authenticator being enrolled twice. The path resolves, but implies no state (§7.2).
    if let enrolling = response["enrollmentAuthenticator"]?["value"], enrolling.object != nil,
      let index = indices[ByteName(identity(of: enrolling))]
    {
      groups[index].paths.append("$.enrollmentAuthenticator")
    }
    return groups
  }

  private static func identity(of json: JSON) -> String {
    (json["type"]?.string ?? "") + ":" + (json["id"]?.string ?? "-")
  }
}
