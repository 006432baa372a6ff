// The state of a sign-in by the Identity Engine, and the only way it comes to be. What follows from an input stands
// beside it, in `IDXCore+Decide.swift`. No file of this folder imports Foundation: a core has no clock and no random
// numbers.

package import EventStore
package import FlowRecording

/// The state of one `InteractionCodeFlow`: secrets are placeholders in it.
package struct IDXCore: FlowCore {
  package static var kind: String { "idx" }
  package static var policy: MaskingPolicy { IDXPolicy.policy }

  /// What the flow was configured with.
  package internal(set) var settings = Settings()
  /// What a sign-in under way is known by; nil before interact has answered, and after the end.
  package internal(set) var context: Context?
  /// What `start` has drawn or been given, until interact has answered.
  package internal(set) var pending: Context?
  /// The `start` that is under way, by the revision of its `call.made`; nil once it has returned or another took over.
  package internal(set) var starting: Int?
  /// The response that the application holds now.
  package internal(set) var current: Snapshot?
  /// The answer to the latest poll, while polling goes on: its forms are those to send next.
  package internal(set) var polled: JSON?
  /// The tokens of the latest exchange.
  package internal(set) var token: TokenIssued?
  /// What the last request brought.
  package internal(set) var latest: Reply?
  /// The calls that wait for their `call.returned`, by the revision of their `call.made`.
  package internal(set) var calls: [Int: Call] = [:]
  /// The requests under way, by the revision of their `request.sent`.
  package internal(set) var requests: [Int: Request] = [:]
  /// Requests that wait to be sent again, by the revision of their timer.
  package internal(set) var retries: [Int: Request] = [:]
  /// A request that has waited long enough, and is sent again now.
  package internal(set) var due: Due?
  /// The polling under way.
  package internal(set) var poll: Poll?
  /// The cookies the org has set.
  package internal(set) var cookies = CookieJar()
  /// How far the org's clock is ahead of ours, in microseconds, by the last answer that had a date; nil before.
  package internal(set) var skew: Int64?
  /// What this device is recognised by, once drawn.
  package internal(set) var deviceToken: String?
  /// Whether the sign-in under way was started without it.
  package internal(set) var omitsDeviceToken = false
  /// What requests say of the client, once drawn.
  package internal(set) var userAgent: String?
  /// How the flow ended, once it did.
  package internal(set) var outcome: String?
  /// The code of the error that the last call ended with; nil once one succeeds.
  package internal(set) var lastError: String?

  /// What `flow.started` tells.
  package struct Settings: Sendable, Equatable {
    package var issuer = ""
    package var clientID = ""
    package var scope = ""
    package var redirectURI = ""
    package var clientSecret: String?
    package var parameters: [JSONObject.Member] = []
    package var origins: [String]?
    /// Whether the client's name goes into `X-Okta-User-Agent-Extended`, as browsers need it.
    package var usesExtendedUserAgent = false
  }

  /// What identifies a sign-in: enough to go on with it in another process.
  package struct Context: Sendable, Equatable {
    package var interactionHandle: String?
    package var state: String?
    package var verifier: String?
    package var challenge: String?
  }

  /// A response as the application holds it.
  package struct Snapshot: Sendable, Equatable {
    /// The revision of the event that made it.
    package var revision: Int
    package var body: JSON
  }

  /// What a request is for.
  package enum Purpose: String, Sendable, Equatable {
    case interact, introspect, remediation, discovery, token
  }

  /// A request under way.
  package struct Request: Sendable, Equatable {
    package var call: Int
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

  /// What a request brought: an answer of the org, or none.
  package struct Reply: Sendable, Equatable {
    package var revision: Int
    package var request: Request?
    package var content: Content

    /// An answer, or why there is none.
    package enum Content: Sendable, Equatable {
      case answer(ResponseReceived)
      case failure(TransportError)
    }
  }

  /// A call under way.
  package struct Call: Sendable, Equatable {
    /// The intent's name.
    package var name: String
    /// The remediation that it submits.
    package var form: String?
    /// The fields that were filled in, by their names.
    package var filled: [String] = []
    /// The code of a redirect, until it is exchanged.
    package var interactionCode: String?
    /// Whose form a `startPolling` polls.
    package var source: Poll.Source?
  }

  /// Polling: one request or one timer at a time.
  package struct Poll: Sendable, Equatable {
    package var call: Int
    package var source: Source
    package var timer: Int?
    package var request: Int?
    /// How many milliseconds the server asked to add (`slow_down`).
    package var delay = 0
    /// When it began.
    package var since: Timestamp

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
  package var openCalls: Set<Int> { Set(calls.keys) }
  package var isOpen: Bool { outcome == nil && (latest != nil || !calls.isEmpty) }
  /// Whether a sign-in is under way.
  package var isAuthenticating: Bool { context != nil || pending != nil }

  /// The call whose request changes the transaction, if one is under way; polling is none.
  var operation: Int? {
    (requests.values.map(\.call) + retries.values.map(\.call))
      .filter { $0 != poll?.call && calls[$0] != nil }.min()
  }

  /// The last answer; nil where none came.
  var answer: ResponseReceived? {
    guard case .answer(let response) = latest?.content else { return nil }
    return response
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
