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
    let server = name == "issuer" ? places.lazy.compactMap { serverPath(in: $0.path) }.first : nil
    return .members([(name, .string(origin + (server ?? "")))])
  }

  /// The path of the authorization server that has an endpoint, empty for the org's own; nil for other places.
  private static func serverPath(in path: String) -> String? {
    let metadata = "/.well-known/openid-configuration"
    if path.hasSuffix(metadata) { return String(path.dropLast(metadata.count)) }
    guard path.hasPrefix("/oauth2/"), let end = path.firstRange(of: "/v1/")?.lowerBound else { return nil }
    return path[..<end] == "/oauth2" ? "" : String(path[..<end])
  }
}

extension MaskingPolicy {
  /// The policy for the bodies of captured requests. They have some arguments of calls in a member of their own, and
  /// members that the SDK adds from its settings (idx §3, RFC 6749 §4.1.3, RFC 7636 §4.3).
  var forCaptured: MaskingPolicy {
    guard case .object(var declared) = arguments else { return self }
    let options = declared.filter { ["multiOptionalFactorEnroll", "warnBeforePasswordExpired"].contains($0.key) }
    if !options.isEmpty { declared["options"] = .object(options) }
    if case .object(let settings) = settings, settings["issuer"] != nil {
      declared.merge(Self.added) { own, _ in own }
    }
    var policy = self
    policy.arguments = .object(declared)
    return policy
  }

  private static let added: [String: WireSchema] = [
    "client_id": .text, "scope": .text, "redirect_uri": .text, "grant_type": .text, "code_challenge": .identifier,
    "code_challenge_method": .text, "rememberMe": .boolean, "state": .secret("state"),
    "code_verifier": .secret("codeVerifier"), "interaction_code": .secret("interactionCode"),
    "stateHandle": .secret("stateHandle"), "interactionHandle": .secret("interactionHandle"),
    "client_secret": .secret("clientSecret"), "refresh_token": .secret("refreshToken"), "token": .secret("token"),
    "token_type_hint": .text, "credentials": .object(["passcode": .secret("passcode")]),
  ]
}
