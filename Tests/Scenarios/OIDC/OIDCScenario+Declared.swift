// A server that sends every member that the policy of OIDC declares.

import EventStore
import FlowRecording
import OIDC

extension OIDCScenario {
  static let declared: [OIDCScenario] = [answersWithAll]

  /// All that a server may say of itself, of a token, and of a person.
  private static let answersWithAll = OIDCScenario("oidc-declared-answers") {
    let metadata = WireSchema.serverMetadata.keys.sorted().filter { !usual.contains($0) }
    let document = DeclaredPages.document(.object(WireSchema.serverMetadata), 0)
    let device: [(String, JSON?)] = [("device_authorization_endpoint", .string(TinyProvider.home + "/device"))]
    return TinyProvider(metadata: metadata.map { ($0, document[$0]) } + device) { request, response in
      let place = request.url.split(separator: "/").last.map(String.init) ?? ""
      guard let number = ["introspect", "userinfo", "token", "device"].firstIndex(of: place),
        let usual = try? JSON(parsing: response.body)
      else { return }
      let all = DeclaredPages.document(OIDCKind.policy.response, number, without: checked)
      let known = usual.object?.members ?? []
      let more = (all.object?.members ?? []).filter { member in !known.contains { $0.key == member.key } }
      response = .json(.members((known + more).map { ($0.key, $0.value) }))
    }
  } play: { stage in
    let manager = try await stage.signIn()
    _ = try? await manager.introspect(token: manager.accessToken)
    _ = try? await manager.getUser()
    _ = try? await stage.auth.signInOnDevice { _ in }
  }

  /// What a flow goes by stays as it is.
  private static let usual: Set<String> = [
    "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "introspection_endpoint", "revocation_endpoint",
    "userinfo_endpoint", "end_session_endpoint", "response_types_supported", "subject_types_supported",
    "id_token_signing_alg_values_supported", "code_challenge_methods_supported",
    "device_authorization_endpoint",
    "pushed_authorization_request_endpoint", "require_pushed_authorization_requests",
  ]

  /// Members by which an answer would be an error, or be checked.
  private static let checked: Set<String> = ["error", "errorCode", "id_token", "issuer", "sub"]
}
