// Received tokens, and the progress of the check of their ID token (oidc §8).

package import EventStore
package import FlowRecording
import OIDC

/// What is known about tokens whose ID token is being checked. Secrets are placeholders.
package struct IDTokenCheckUp: Sendable, Equatable {
  /// The exchange that waits for the tokens; `nil` if it ended without a verdict. The next exchange continues from
  /// here, because the interaction code has been used up.
  package var call: Int?
  /// What was exchanged for the tokens. Only an exchange of the same thing receives them.
  package var exchanged: Exchanged
  /// The response of the token endpoint.
  package var body: JSON
  /// The cached metadata of the server, once looked up.
  package var known: JSON?
  /// The cached keys of the server, once looked up.
  package var keys: JSON?
  /// The fetched keys.
  package var fetched: JSON?
  /// How many seconds the fetched keys are valid, if the server says so.
  package var maxAge: Int?
  /// The revision of the `draw.asked` that requests the verdict.
  package var asked: Int?
  /// The result of the check.
  package var verdict: StepAnswer?

  /// What an exchange exchanges for tokens.
  package enum Exchanged: Sendable, Equatable {
    /// The interaction code in the response with this revision; `nil` if there is none.
    case response(Int?)
    /// The code in a redirect; `nil` if there is none.
    case redirect(code: String?)

    /// Determines what a call exchanges; `nil` if it is not an exchange.
    init?(_ made: CallMade) {
      switch IDXCall(rawValue: made.call) {
      case .exchangeCode: self = .response(made.on)
      case .exchangeRedirect: self = .redirect(code: made.arguments["interaction_code"]?.string)
      case .start, .restore, .reset, .resume, .proceed, .startPolling, .stopPolling, nil: return nil
      }
    }
  }

  init(_ body: JSON, of exchanged: Exchanged, call: Int) {
    self.body = body
    self.exchanged = exchanged
    self.call = call
  }

  /// Returns the ID token in a response of the token endpoint; `nil` if it has none.
  static func idToken(in body: JSON) -> String? { body["id_token"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether the keys must be fetched and have not been.
  var needsKeys: Bool { fetched == nil && keys?["jwks"] == nil && keys?["mayFetch"]?.bool == true }

  /// Handles an exchange that ended without a verdict: the next exchange requests again what could not be fetched or
  /// read.
  mutating func rest() {
    (call, asked, verdict) = (nil, nil, nil)
    (fetched, maxAge) = (nil, nil)
  }

  /// Updates the state with the result of a draw.
  mutating func take(_ draw: DrawMade, cause: Int?) {
    switch draw.kind {
    case .oidcKnown: known = draw.value
    case .oidcKeys: keys = draw.value
    case .oidcValidate where asked != nil && cause == asked: verdict = StepAnswer(draw)
    case let other: _ = other
    }
  }

  /// The state as JSON, keyed by property name.
  var json: JSON {
    .members([
      ("call", call.map(JSON.int)), ("exchanged", exchanged.json), ("body", body), ("known", known), ("keys", keys),
      ("fetched", fetched),
      ("maxAge", maxAge.map(JSON.int)), ("asked", asked.map(JSON.int)), ("verdict", verdict.map(\.json)),
    ])
  }
}

extension IDTokenCheckUp.Exchanged {
  /// What was exchanged, as JSON.
  fileprivate var json: JSON {
    switch self {
    case .response(let revision): .members([("response", revision.map(JSON.int))])
    case .redirect(let code): .members([("code", code.map(JSON.string))])
    }
  }
}
