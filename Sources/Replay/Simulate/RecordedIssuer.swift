// What clients check ID tokens with: the keys of an org that answers as recorded, and its metadata.

import EventStore
import FlowRecording

/// The part of a recorded org that signs. An org whose recording has no ID token signs nothing.
struct RecordedIssuer: Sendable {
  private let origin: String
  /// What the recording's ID tokens are signed with, each once.
  private var algorithms: [OrgSigner.Algorithm] = []
  /// Where recorded metadata say that the keys are.
  private var keyPaths: Set<String> = []

  /// An org that clients reach at an address.
  init(at origin: String) { self.origin = origin }

  private var signs: Bool { !algorithms.isEmpty }
  /// The keys that sign, each once, and their algorithms, which may be others than the recorded ones.
  private var signers: [OrgSigner] {
    var signers: [OrgSigner] = []
    for signer in algorithms.map(OrgSigner.key(for:)) {
      if !signers.contains(where: { $0.algorithm == signer.algorithm }) { signers.append(signer) }
    }
    return signers
  }
  private var names: JSON { .array(signers.map { .string($0.algorithm.rawValue) }) }
  private var keys: JSON { ["keys": .array(signers.map(\.webKey))] }

  /// Takes up that an ID token is signed so.
  mutating func sign(by algorithm: OrgSigner.Algorithm) {
    if !algorithms.contains(algorithm) { algorithms.append(algorithm) }
  }

  /// Takes up what a recorded answer says of the keys.
  mutating func note(_ event: FlowEvent) {
    guard case .responseReceived(let response) = event, case .json(let body) = response.body,
      let keys = body["jwks_uri"]?.string.flatMap({ URLParts($0) })
    else { return }
    keyPaths.insert(keys.path)
  }

  private func isOfKeys(_ path: String) -> Bool { path.hasSuffix("/v1/keys") || keyPaths.contains(path) }

  /// A recorded answer to `GET`, with this org's keys in the place of the recorded ones, which it cannot sign with.
  func changed(_ body: JSON, of path: String) -> JSON {
    guard signs, case .object(var object) = body else { return body }
    if isOfKeys(path), object["keys"]?.array != nil { return keys }
    guard path.contains("/.well-known/"), object["issuer"] != nil else { return body }
    object["id_token_signing_alg_values_supported"] = names
    return .object(object)
  }

  /// The keys, or the metadata that lead to them, if the recorded client did not ask for them.
  func answer(_ method: String, _ path: String) -> RecordedOrg.Answer? {
    guard signs, method == "GET" else { return nil }
    let ending = "/.well-known/openid-configuration"
    let body: JSON
    if isOfKeys(path) {
      body = keys
    } else if path.hasSuffix(ending) {
      let issuer = origin + path.dropLast(ending.count)
      let server = issuer == origin ? origin + "/oauth2" : issuer
      body = .members([
        ("issuer", .string(issuer)), ("authorization_endpoint", .string(server + "/v1/authorize")),
        ("token_endpoint", .string(server + "/v1/token")), ("jwks_uri", .string(server + "/v1/keys")),
        ("response_types_supported", ["code"]), ("subject_types_supported", ["public"]),
        ("id_token_signing_alg_values_supported", names),
      ])
    } else {
      return nil
    }
    return RecordedOrg.Answer(status: 200, headers: [("Content-Type", "application/json")], body: body.bytes)
  }
}
