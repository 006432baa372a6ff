// The keys and metadata with which clients check the ID tokens of an org that answers as recorded.

import EventStore
import FlowRecording

/// The part of a recorded org that signs. An org whose recording has no ID token signs nothing.
struct RecordedIssuer: Sendable {
  private let origin: String
  /// The algorithms of the recording's ID tokens, each once.
  private var algorithms: [OrgSigner.Algorithm] = []
  /// The paths of the keys according to recorded metadata.
  private var keyPaths: Set<String> = []

  /// An issuer for an org that clients reach at an address.
  init(at origin: String) { self.origin = origin }

  private var signs: Bool { !algorithms.isEmpty }
  /// The signing keys, each once, with their algorithms, which may differ from the recorded ones.
  private var signers: [OrgSigner] {
    var signers: [OrgSigner] = []
    for signer in algorithms.map(OrgSigner.key(for:)) {
      if !signers.contains(where: { $0.algorithm == signer.algorithm }) { signers.append(signer) }
    }
    return signers
  }
  private var names: JSON { .array(signers.map { .string($0.algorithm.rawValue) }) }
  private var keys: JSON { ["keys": .array(signers.map(\.webKey))] }

  /// Notes that an ID token is signed with an algorithm.
  mutating func sign(by algorithm: OrgSigner.Algorithm) {
    if !algorithms.contains(algorithm) { algorithms.append(algorithm) }
  }

  /// Notes what a recorded answer says about the keys.
  mutating func note(_ event: FlowEvent) {
    guard case .responseReceived(let response) = event, case .json(let body) = response.body,
      let keys = body["jwks_uri"]?.string.flatMap({ URLParts($0) })
    else { return }
    keyPaths.insert(keys.path)
  }

  /// Returns whether a path is that of metadata or keys, which are the same for all clients.
  func isOfDocument(_ path: String) -> Bool { Self.isOfMetadata(path) || isOfKeys(path) }

  private static func isOfMetadata(_ path: String) -> Bool { path.contains("/.well-known/") }

  private func isOfKeys(_ path: String) -> Bool { path.hasSuffix("/v1/keys") || keyPaths.contains(path) }

  /// A recorded answer to `GET`, with the recorded keys, with which this org cannot sign, replaced by its own.
  func changed(_ body: JSON, of path: String) -> JSON {
    guard signs, case .object(var object) = body else { return body }
    if isOfKeys(path), object["keys"]?.array != nil { return keys }
    guard Self.isOfMetadata(path), object["issuer"] != nil else { return body }
    object["id_token_signing_alg_values_supported"] = names
    return .object(object)
  }

  /// The keys, or the metadata that refers to them, if the recorded client did not ask for them.
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
