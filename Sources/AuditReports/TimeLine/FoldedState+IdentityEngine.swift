// The state of an Identity Engine flow by the names of its members.

import EventStore
import FlowRecording
import IDX

extension IDXCore {
  var json: JSON {
    .members([
      ("issuer", .string(settings.issuer)), ("clientId", .string(settings.clientID)),
      ("scope", .string(settings.scope)), ("redirectUri", .string(settings.redirectURI)),
      ("isAuthenticating", .bool(isAuthenticating)), ("context", context.map(\.json) ?? .null),
      ("responseRevision", current.map { .int($0.revision) }), ("response", current?.body), ("polled", polled),
      ("token", token?.data), ("latest", latest.map(\.json)),
      ("calls", keyed(calls) { .members([("name", .string($0.name)), ("form", $0.form.map(JSON.string))]) }),
      (
        "requests",
        keyed(requests) {
          ["call": .int($0.call), "purpose": .string($0.purpose.rawValue), "url": .string($0.sent.url)]
        }
      ), ("poll", poll.map(\.json) ?? .null),
      (
        "cookies",
        .array(
          cookies.cookies.map {
            ["origin": .string($0.origin), "name": .string($0.name), "value": .string($0.value)]
          })
      ), ("userAgent", userAgent.map(JSON.string) ?? .null),
      ("lastError", lastError.map(JSON.string) ?? .null), ("outcome", outcome.map(JSON.string) ?? .null),
    ])
  }
}

extension IDXCore.Context {
  fileprivate var json: JSON {
    .members([
      ("interactionHandle", interactionHandle.map(JSON.string)), ("state", state.map(JSON.string)),
      ("codeVerifier", verifier.map(JSON.string)), ("codeChallenge", challenge.map(JSON.string)),
    ])
  }
}

extension IDXCore.Reply {
  fileprivate var json: JSON {
    let head: [(String, JSON?)] = [("revision", .int(revision)), ("call", (request?.call).map(JSON.int))]
    switch content {
    case .answer(let response): return .members(head + [("httpStatus", .int(response.status))])
    case .failure(let error):
      return .members(
        head + [("failure", .string(error.code.rawValue)), ("detail", .string(error.detail))])
    }
  }
}

extension IDXCore.Poll {
  fileprivate var json: JSON {
    let source: (String, JSON?) =
      switch self.source {
      case .authenticator(let kind): ("authenticator", .string(kind))
      case .remediation(let name): ("remediation", .string(name))
      }
    return .members([
      ("call", .int(call)), source, ("timer", timer.map(JSON.int)), ("request", request.map(JSON.int)),
    ])
  }
}
