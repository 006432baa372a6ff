// The state of a sign-in by the Identity Engine, and the only way it comes to be. What follows from an input stands
// beside it, in `IDXCore+Decide.swift`. No file of this folder imports Foundation: a core has no clock and no random
// numbers.

package import EventStore
package import FlowRecording
import OIDC

/// The state of one `InteractionCodeFlow`: secrets are placeholders in it.
package struct IDXCore: FlowCore {
  package static var kind: String { "idx" }
  package static var policy: MaskingPolicy { IDXPolicy.policy }
  package static let draws: DrawDeclarations = .standard(and: OIDCDraws.ofIDTokens)

  /// Calls, requests, the latest answer, cookies and the outcome.
  package internal(set) var ledger = Ledger<Call, Sending>()
  /// What the flow was configured with.
  package internal(set) var settings = Settings()
  /// Where requests may go.
  package internal(set) var links = LinkRule(home: "")
  /// Where the sign-in stands.
  package internal(set) var phase = Phase.resting
  /// The response that the application holds now.
  package internal(set) var current: Snapshot?
  /// The tokens of the latest exchange.
  package internal(set) var token: TokenIssued?
  /// Requests that wait to be sent again, by the revision of their timer.
  package internal(set) var retries: [Int: Request] = [:]
  /// A request that has waited long enough, and is sent again now.
  package internal(set) var due: Due?
  /// The polling under way.
  package internal(set) var poll: Poll?
  /// The requests of an earlier sign-in that are still under way: their answers must not bring its cookie back (§1).
  package internal(set) var earlier: Set<Int> = []
  /// Whether the latest `start` was given up before it returned; one that another call took over was not.
  package internal(set) var isGivenUp = false
  /// What this device is recognized by, once drawn.
  package internal(set) var deviceToken: String?
  /// Whether the sign-in under way was started without it.
  package internal(set) var omitsDeviceToken = false
  /// The authorization server's metadata, once this flow has fetched them.
  package internal(set) var metadata: JSON?
  /// Tokens that came and are not handed out before their ID token is checked.
  package internal(set) var check: IDTokenCheckUp?

  /// A request under way.
  package typealias Request = Ledger<Call, Sending>.Request

  /// Where the sign-in stands.
  package enum Phase: Sendable, Equatable {
    /// None is under way.
    case resting
    /// A `start` has drawn what it needs; interact has not answered.
    case starting(Context, call: Int)
    /// Interact has answered, or the sign-in was restored. `start` is the call that has not returned yet.
    case begun(Context, start: Int?)
  }

  /// What `flow.started` records.
  package struct Settings: Sendable, Equatable {
    package var issuer = ""
    package var clientID = ""
    package var scope = ""
    package var redirectURI = ""
    package var clientSecret: String?
    package var parameters: [JSONObject.Member] = []
    /// Whether the client's name goes into `X-Okta-User-Agent-Extended`, as browsers need it.
    package var usesExtendedUserAgent = false
    /// How ID tokens are checked; nil in flows of versions that did not check them.
    package var idToken: IDTokenTerms?
  }

  /// What `flow.started` says of the check of ID tokens.
  package struct IDTokenTerms: Sendable, Equatable {
    /// What a token may be signed with.
    package var algorithms: [String]
    /// By how many seconds clocks may differ.
    package var skew: Int
  }

  /// What identifies a sign-in: enough to go on with it in another process.
  package struct Context: Sendable, Equatable {
    package var interactionHandle: String?
    package var state: String?
    package var verifier: String?
    package var challenge: String?
    /// What its ID token must carry, if interact was sent one.
    package var nonce: String?
    /// How old a session may be, in seconds, if interact was sent that.
    package var maxAge: Int?
  }

  /// A response as the application holds it.
  package struct Snapshot: Sendable, Equatable {
    /// The revision of the event that made it.
    package var revision: Int
    package var body: JSON
  }

  /// What a request is for.
  package enum Purpose: String, Sendable, Equatable {
    case interact, introspect, remediation, discovery, token, keys
  }

  /// The facts kept of a request under way.
  package struct Sending: Sendable, Equatable {
    package var purpose: Purpose
    package var sent: RequestSent
    /// How often it was sent before.
    package var retries = 0
    /// How many milliseconds it has waited for a rate limit to end.
    package var waited = 0
    /// What the org called the first attempt.
    package var firstID: String?
  }

  /// A request that a rate limit put off, once its timer has fired.
  package struct Due: Sendable, Equatable {
    /// The revision of the `timer.fired`.
    package var revision: Int
    package var request: Request
  }

  /// A call under way.
  package struct Call: Sendable, Equatable {
    /// The call's name.
    package var name: String
    /// Which call it is; nil for one that this version does not know.
    package var kind: IDXCall? { IDXCall(rawValue: name) }
    /// The remediation that it submits.
    package var form: String?
    /// The fields that were filled in, by their names.
    package var filled: [String] = []
    /// The code of a redirect, until it is exchanged.
    package var interactionCode: String?
    /// What it exchanges for tokens; nil if it is no exchange.
    package var exchanged: IDTokenCheckUp.Exchanged?
    /// Whose form a `startPolling` polls.
    package var source: Poll.Source?
  }

  /// Polling: one request or one timer at a time.
  package struct Poll: Sendable, Equatable {
    package var call: Int
    package var source: Source
    package var step: PollStep
    /// The latest answer, if it is a response: its forms are those to send next.
    package var answer: JSON?
    /// How many milliseconds the server asked to add (`slow_down`).
    package var delay = 0
    /// When it began.
    package var since: Timestamp

    /// The timer that runs; nil for none.
    package var timer: Int? { step.timer }
    /// The request under way; nil for none.
    package var request: Int? { step.request }

    /// Whose poll form it is.
    package enum Source: Sendable, Equatable {
      /// An authenticator of that kind.
      case authenticator(String)
      /// The remediation of that name.
      case remediation(String)

      /// Reads the arguments of a `startPolling`.
      init?(_ arguments: JSON) {
        if let kind = arguments["kind"]?.string {
          self = .authenticator(kind)
        } else if let name = arguments["name"]?.string {
          self = .remediation(name)
        } else {
          return nil
        }
      }
    }
  }

  /// The state before the first event.
  package init() {}

  package var snapshotRevision: Int? { current?.revision }
  package func call(retriedBy timer: Int) -> Int? { retries[timer]?.call }
  package var awaitedTimers: Set<Int> { Set(retries.keys).union(poll?.timer.map { [$0] } ?? []) }
  package var openCalls: Set<Int> { Set(ledger.calls.keys) }
  package var isOpen: Bool { ledger.isOpen }

  /// What the sign-in under way is known by; nil before interact has answered, and after the end.
  package var context: Context? { if case .begun(let context, _) = phase { context } else { nil } }

  /// What `start` has drawn or been given, until interact has answered.
  var pending: Context? { if case .starting(let context, _) = phase { context } else { nil } }

  /// Whether a sign-in is under way.
  package var isAuthenticating: Bool { phase != .resting }

  /// Whether a `start` that returned so leaves no sign-in: it was given up, or interact has brought nothing to go on with.
  func isOver(after outcome: CallReturned.Outcome) -> Bool { outcome == .cancelled ? isGivenUp : context == nil }

  /// An awaited draw counts as long as its call waits.
  package func awaits(draw revision: Int) -> Bool {
    guard let check, check.asked == revision, check.verdict == nil else { return false }
    return check.call.map { ledger.calls[$0] != nil } ?? false
  }

  /// Whether another call's request changes the transaction; polling does not.
  func isBusy(besides call: Int) -> Bool {
    (ledger.requests.values.map(\.call) + retries.values.map(\.call) + [check?.call].compactMap { $0 })
      .contains { $0 != call && $0 != poll?.call && ledger.calls[$0] != nil }
  }
}

extension ResponseReceived {
  /// The body as JSON: an empty one counts as an empty object (§3.2), one that cannot be read as none.
  var json: JSON? {
    switch body {
    case .empty: [:]
    case .json(let json): json
    case .opaque: nil
    }
  }
}
