// What captured requests show of a flow's settings, and how the bodies of such requests are masked.

import EventStore
import FlowKinds
import FlowRecording

extension FlowKind {
  /// The settings that requests to one origin show: the address of the org, or of its authorization server, by the
  /// name that the kind has for it.
  static func settings(ofRequestsTo urls: [String]) -> JSON {
    let places = urls.compactMap(URLParts.init)
    guard case .object(let declared) = policy.settings, let origin = places.first?.origin,
      let name = ["org", "orgURL", "issuer"].first(where: { declared[$0] != nil })
    else { return [:] }
    let server = name == "issuer" ? places.lazy.compactMap { CapturedPlace.serverPath(in: $0.path) }.first : nil
    return .members([(name, .string(origin + (server ?? "")))])
  }
}

extension MaskingPolicy {
  /// The policy for the bodies of captured requests, which have members that are no argument of a call.
  var forCaptured: MaskingPolicy {
    guard case .object(let declared) = arguments else { return self }
    var policy = self
    policy.arguments = .object(declared.merging(added) { own, _ in own })
    return policy
  }
}
