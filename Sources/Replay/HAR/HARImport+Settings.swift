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
    guard name == "issuer" else { return .members([(name, .string(origin))]) }
    let servers = places.lazy.compactMap { place in
      CapturedPlace.serverPath(in: place.path).map { place.origin + $0 }
    }
    return .members([(name, .string(servers.first ?? origin))])
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
