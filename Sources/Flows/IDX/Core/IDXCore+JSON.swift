// The state of an Identity Engine flow as JSON, for readers of a log.

package import EventStore
import FlowRecording

extension IDXCore {
  /// The state as JSON, keyed by property name.
  package var json: JSON {
    .members(
      settings.members + [
        ("origins", links.origins.map { .array($0.map(JSON.string)) }),
        ("isAuthenticating", .bool(isAuthenticating)), ("context", context.map(\.json) ?? .null),
        ("pending", pending.map(\.json)), ("start", start.map(JSON.int)),
        ("isGivenUp", isGivenUp ? true : nil),
        ("deviceToken", deviceToken.map(JSON.string)), ("omitsDeviceToken", .bool(omitsDeviceToken)),
        ("responseRevision", current.map { .int($0.revision) }), ("response", current?.body), ("polled", poll?.answer),
        ("metadata", metadata), ("check", check?.json), ("token", token?.data), ("poll", poll.map(\.json) ?? .null),
        ("earlier", earlier.isEmpty ? nil : .array(earlier.sorted().map(JSON.int))),
        ("retries", retries.isEmpty ? nil : keyed(retries, Self.json)),
        ("due", due.map { ["revision": .int($0.revision), "request": Self.json($0.request)] }),
      ] + ledger.members(call: \.json, tag: \.members))
  }

  private static func json(_ request: Request) -> JSON {
    .members(request.members(\.members))
  }
}

extension IDXCore.Settings {
  fileprivate var members: [(String, JSON?)] {
    [
      ("issuer", .string(issuer)), ("clientId", .string(clientID)), ("scope", .string(scope)),
      ("redirectUri", .string(redirectURI)), ("clientSecret", clientSecret.map(JSON.string)),
      ("parameters", parameters.isEmpty ? nil : .object(JSONObject(parameters))),
      ("usesExtendedUserAgent", usesExtendedUserAgent ? true : nil), ("idToken", idToken.map(\.json)),
    ]
  }
}

extension IDXCore.IDTokenTerms {
  /// The terms as JSON.
  package var json: JSON { ["algorithms": .array(algorithms.map(JSON.string)), "skew": .int(skew)] }
}

extension IDXCore.Context {
  fileprivate var json: JSON {
    .members([
      ("interactionHandle", interactionHandle.map(JSON.string)), ("state", state.map(JSON.string)),
      ("codeVerifier", verifier.map(JSON.string)), ("codeChallenge", challenge.map(JSON.string)),
      ("nonce", nonce.map(JSON.string)), ("maxAge", maxAge.map(JSON.int)),
    ])
  }
}

extension IDXCore.Call {
  fileprivate var json: JSON {
    .members([
      ("name", .string(name)), ("form", form.map(JSON.string)),
      ("filled", filled.isEmpty ? nil : .array(filled.map(JSON.string))),
      ("interactionCode", interactionCode.map(JSON.string)), ("source", source.map { .members([$0.member]) }),
    ])
  }
}

extension IDXCore.Sending {
  fileprivate var members: [(String, JSON?)] {
    [
      ("purpose", .string(purpose.rawValue)), ("url", .string(sent.url)), ("sent", sent.data),
      ("retries", .int(retries)),
      ("waited", .int(waited)), ("firstId", firstID.map(JSON.string)),
    ]
  }
}

extension IDXCore.Poll {
  fileprivate var json: JSON {
    .members([
      ("call", .int(call)), source.member, ("timer", timer.map(JSON.int)), ("request", request.map(JSON.int)),
      ("delay", .int(delay)), ("since", .string(since.description)),
    ])
  }
}

extension IDXCore.Poll.Source {
  fileprivate var member: (String, JSON?) {
    switch self {
    case .authenticator(let kind): ("authenticator", .string(kind))
    case .remediation(let name): ("remediation", .string(name))
    }
  }
}
