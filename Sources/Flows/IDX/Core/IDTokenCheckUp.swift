// Tokens that came, and how far the check of their ID token is (oidc §8).

package import EventStore
package import FlowRecording
import OIDC

/// What is known so far of tokens that wait for the check of their ID token; secrets are placeholders.
package struct IDTokenCheckUp: Sendable, Equatable {
  /// The exchange that waits for the tokens; nil if it has ended without a verdict. The next exchange goes on from here: the
  /// interaction code is spent.
  package var call: Int?
  /// What was exchanged for the tokens: only an exchange of the same gets them.
  package var exchanged: Exchanged
  /// The answer of the token endpoint.
  package var body: JSON
  /// The remembered metadata of the server, once they were asked for.
  package var known: JSON?
  /// The remembered keys of the server, once they were asked for.
  package var keys: JSON?
  /// The keys that were fetched.
  package var fetched: JSON?
  /// For how many seconds the fetched keys are good, if the server says so.
  package var maxAge: Int?
  /// The revision of the `draw.asked` that asks for the verdict.
  package var asked: Int?
  /// What the check came to.
  package var verdict: StepAnswer?

  /// What an exchange is of.
  package enum Exchanged: Sendable, Equatable {
    /// The code of the response of this revision; nil for none.
    case response(Int?)
    /// The code that a redirect brought; nil for none.
    case redirect(code: String?)

    /// What a call exchanges; nil if it is no exchange.
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

  /// The ID token of an answer of the token endpoint; nil if it has none.
  static func idToken(in body: JSON) -> String? { body["id_token"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether the keys must be fetched, and have not been.
  var needsKeys: Bool { fetched == nil && keys?["jwks"] == nil && keys?["mayFetch"]?.bool == true }

  /// The exchange has ended without a verdict: what could not be fetched or read is asked for again by the next one.
  mutating func rest() {
    (call, asked, verdict) = (nil, nil, nil)
    (fetched, maxAge) = (nil, nil)
  }

  /// What of the state a draw changes.
  mutating func take(_ draw: DrawMade, cause: Int?) {
    switch draw.kind {
    case .oidcKnown: known = draw.value
    case .oidcKeys: keys = draw.value
    case .oidcValidate where asked != nil && cause == asked: verdict = StepAnswer(draw)
    case let other: _ = other
    }
  }

  /// The state by the names of its members.
  var json: JSON {
    .members([
      ("call", call.map(JSON.int)), ("exchanged", exchanged.json), ("body", body), ("known", known), ("keys", keys),
      ("fetched", fetched),
      ("maxAge", maxAge.map(JSON.int)), ("asked", asked.map(JSON.int)), ("verdict", verdict.map(\.json)),
    ])
  }
}

extension IDTokenCheckUp.Exchanged {
  /// What was exchanged, by its name.
  fileprivate var json: JSON {
    switch self {
    case .response(let revision): .members([("response", revision.map(JSON.int))])
    case .redirect(let code): .members([("code", code.map(JSON.string))])
    }
  }
}
