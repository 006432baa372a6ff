// The state of an Identity Engine sign-in, and the only way to derive it. `IDXCore+Decide.swift` decides what follows
// from inputs. No file in this folder imports Foundation, because a core has no clock and no random numbers.

package import EventStore
package import FlowRecording
import OIDC

/// The state of one `InteractionCodeFlow`. Secrets are placeholders.
package struct IDXCore: FlowCore {
  package static var kind: String { "idx" }
  package static var policy: MaskingPolicy { IDXPolicy.policy }
  package static let draws: DrawDeclarations = .standard(and: OIDCDraws.ofIDTokens)

  /// The calls, requests, latest answer, cookies, and outcome.
  package internal(set) var ledger = Ledger<Call, Sending>()
  /// The configuration of the flow.
  package internal(set) var settings = Settings()
  /// Where requests may be sent.
  package internal(set) var links = LinkRule(home: "")
  /// The phase of the sign-in.
  package internal(set) var phase = Phase.resting
  /// The response that the application currently has.
  package internal(set) var current: Snapshot?
  /// The tokens of the latest exchange.
  package internal(set) var token: TokenIssued?
  /// The requests that wait to be sent again, keyed by the revision of their timer.
  package internal(set) var retries: [Int: Request] = [:]
  /// A request that has waited long enough and is now sent again.
  package internal(set) var due: Due?
  /// The current polling.
  package internal(set) var poll: Poll?
  /// Unanswered requests of an earlier sign-in. Their answers must not restore its cookie (§1).
  package internal(set) var earlier: Set<Int> = []
  /// Whether the latest `start` was cancelled before it returned. A `start` that another call replaced does not count.
  package internal(set) var isGivenUp = false
  /// The token by which the org recognizes this device, once it has been drawn.
  package internal(set) var deviceToken: String?
  /// Whether the current sign-in was started without the device token.
  package internal(set) var omitsDeviceToken = false
  /// The authorization server's metadata, once this flow has fetched them.
  package internal(set) var metadata: JSON?
  /// Received tokens that are returned only after their ID token has been checked.
  package internal(set) var check: IDTokenCheckUp?

  /// A request that has not been answered.
  package typealias Request = Ledger<Call, Sending>.Request

  /// The phases of a sign-in.
  package enum Phase: Sendable, Equatable {
    /// No sign-in is in progress.
    case resting
    /// A `start` has drawn what it needs, but interact has not answered.
    case starting(Context, call: Int)
    /// Interact has answered, or the sign-in was restored. `start` is the call if it has not returned yet.
    case begun(Context, start: Int?)
  }

  /// The settings recorded in `flow.started`.
  package struct Settings: Sendable, Equatable {
    package var issuer = ""
    package var clientID = ""
    package var scope = ""
    package var redirectURI = ""
    package var clientSecret: String?
    package var parameters: [JSONObject.Member] = []
    /// Whether to send the client's name in `X-Okta-User-Agent-Extended`, as browsers require.
    package var usesExtendedUserAgent = false
    /// How ID tokens are checked; `nil` for flows recorded by versions that did not check them.
    package var idToken: IDTokenTerms?
  }

  /// The settings for ID token checks in `flow.started`.
  package struct IDTokenTerms: Sendable, Equatable {
    /// The accepted signature algorithms.
    package var algorithms: [String]
    /// The accepted difference between clocks, in seconds.
    package var skew: Int
  }

  /// The identity of a sign-in, which is sufficient to continue it in another process.
  package struct Context: Sendable, Equatable {
    package var interactionHandle: String?
    package var state: String?
    package var verifier: String?
    package var challenge: String?
    /// The nonce that the ID token must contain, if one was sent to interact.
    package var nonce: String?
    /// The maximum age of a session, in seconds, if it was sent to interact.
    package var maxAge: Int?
  }

  /// A response that the application has.
  package struct Snapshot: Sendable, Equatable {
    /// The revision of the event that created it.
    package var revision: Int
    package var body: JSON
  }

  /// The purpose of a request.
  package enum Purpose: String, Sendable, Equatable {
    case interact, introspect, remediation, discovery, token, keys
  }

  /// The facts kept about a request that has not been answered.
  package struct Sending: Sendable, Equatable {
    package var purpose: Purpose
    package var sent: RequestSent
    /// How many times it was sent before.
    package var retries = 0
    /// How long it has waited for rate limits, in milliseconds.
    package var waited = 0
    /// The org's ID for the first attempt.
    package var firstID: String?
  }

  /// A request that was delayed by a rate limit and whose timer has fired.
  package struct Due: Sendable, Equatable {
    /// The revision of the `timer.fired`.
    package var revision: Int
    package var request: Request
  }

  /// A call that has not returned.
  package struct Call: Sendable, Equatable {
    /// The call's name.
    package var name: String
    /// The call; `nil` if this version does not know it.
    package var kind: IDXCall? { IDXCall(rawValue: name) }
    /// The remediation that it submits.
    package var form: String?
    /// The names of the fields that were filled in.
    package var filled: [String] = []
    /// The code of a redirect, until it has been exchanged.
    package var interactionCode: String?
    /// What it exchanges for tokens; `nil` if it is not an exchange.
    package var exchanged: IDTokenCheckUp.Exchanged?
    /// The source that a `startPolling` polls.
    package var source: Poll.Source?
  }

  /// The state of polling: either one request or one timer at a time.
  package struct Poll: Sendable, Equatable {
    package var call: Int
    package var source: Source
    package var step: PollStep
    /// The latest answer, if it is a response. Its forms are the next to send.
    package var answer: JSON?
    /// The additional delay that the server asked for, in milliseconds (`slow_down`).
    package var delay = 0
    /// When polling began.
    package var since: Timestamp

    /// The running timer; `nil` if there is none.
    package var timer: Int? { step.timer }
    /// The unanswered request; `nil` if there is none.
    package var request: Int? { step.request }

    /// The owner of the poll form.
    package enum Source: Sendable, Equatable {
      /// An authenticator of the given kind.
      case authenticator(String)
      /// The remediation with the given name.
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

  /// The context of the current sign-in; `nil` before interact has answered and after the end.
  package var context: Context? { if case .begun(let context, _) = phase { context } else { nil } }

  /// The values that `start` has drawn or was given, until interact has answered.
  var pending: Context? { if case .starting(let context, _) = phase { context } else { nil } }

  /// Whether a sign-in is in progress.
  package var isAuthenticating: Bool { phase != .resting }

  /// Whether no sign-in remains after a `start` with this outcome, because it was cancelled or interact returned
  /// nothing to continue with.
  func isOver(after outcome: CallReturned.Outcome) -> Bool { outcome == .cancelled ? isGivenUp : context == nil }

  /// An awaited draw is needed as long as its call waits.
  package func awaits(draw revision: Int) -> Bool {
    guard let check, check.asked == revision, check.verdict == nil else { return false }
    return check.call.map { ledger.calls[$0] != nil } ?? false
  }

  /// Whether another call's request changes the transaction. Polling does not.
  func isBusy(besides call: Int) -> Bool {
    (ledger.requests.values.map(\.call) + retries.values.map(\.call) + [check?.call].compactMap { $0 })
      .contains { $0 != call && $0 != poll?.call && ledger.calls[$0] != nil }
  }
}

extension ResponseReceived {
  /// The body as JSON. An empty body counts as an empty object (§3.2); an unreadable one is `nil`.
  var json: JSON? {
    switch body {
    case .empty: [:]
    case .json(let json): json
    case .opaque: nil
    }
  }
}
