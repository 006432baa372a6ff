// Sign-ins and account changes for security tools, before conversion to any tool's format.

import EventStore
import FlowRecording

/// Something that happened to a person's sign-in or account.
struct SecurityEvent: Sendable, Equatable {
  /// What happened.
  enum Action: String, Sendable, CaseIterable {
    case logon, logoff, tokenRenewal, pushAnswer
    case accountCreate, passwordChange, passwordReset, lock, unlock, factorEnable, factorDisable

    /// Whether an account was changed; otherwise a person authenticated.
    var isAccountChange: Bool {
      switch self {
      case .logon, .logoff, .tokenRenewal, .pushAnswer: false
      case .accountCreate, .passwordChange, .passwordReset, .lock, .unlock, .factorEnable, .factorDisable: true
      }
    }

    /// The action in words.
    var words: String {
      switch self {
      case .logon: "Logon"
      case .logoff: "Logoff"
      case .tokenRenewal: "Token Renewal"
      case .pushAnswer: "Push Answer"
      case .accountCreate: "Create"
      case .passwordChange: "Password Change"
      case .passwordReset: "Password Reset"
      case .lock: "Lock"
      case .unlock: "Unlock"
      case .factorEnable: "MFA Factor Enable"
      case .factorDisable: "MFA Factor Disable"
      }
    }
  }

  /// How it went.
  enum Result: Sendable, Equatable {
    case success, failure
    /// It ended with neither; the value is the log's word, such as `abandoned`.
    case other(String)
    /// It is still in progress, or the process died.
    case open

    /// The outcome in a word.
    var words: String {
      switch self {
      case .success: "success"
      case .failure: "failure"
      case .other(let word): word
      case .open: "open"
      }
    }
  }

  /// The record that proves it.
  struct Evidence: Sendable, Equatable {
    /// The id of the store.
    var store: String
    /// The log's name.
    var origin: String
    /// The record's position.
    var position: UInt64
    /// Its leaf in the log's Merkle tree.
    var leafHash: TreeHash
    /// Its time.
    var at: Timestamp
  }

  var action: Action
  var result: Result
  /// The error code of the org or the SDK: `E0000004`.
  var code: String?
  /// The error in words.
  var detail: String?
  /// The error in the vocabulary of reports: `wrongPassword`.
  var reason: FailureReason?
  /// The facts known about the flow when it happened.
  var flow: FlowFacts
  /// The org's address.
  var org: String?
  /// Product and version of what recorded it.
  var sdk: String?
  /// The factors of the flow so far; for an account change, the factor it is about, if known.
  var factors: [String]
  var evidence: Evidence

  /// Whether several factors were used: of a sign-in that succeeded, those that the org accepted, otherwise those that
  /// were tried.
  var isMultiFactor: Bool {
    guard action == .logon, result == .success else { return Set(factors).count > 1 }
    return Set(flow.signIn.tries.filter(\.isVerified).map(\.factor.rawValue)).count > 1
  }

  /// Where the person was, and which program they used.
  var origin: EventOrigin { EventOrigin(of: flow) }

  /// Identifies the event in every export, by the position of its record. The last record of an open flow may itself
  /// produce an event, so the event for the flow has an extra word.
  var id: String { "\(evidence.store)/\(evidence.position)\(result == .open ? "/open" : "")" }

  /// The name or the address of the org's host, without brackets; nil if the org's address has none.
  var host: String? {
    guard let org, let start = org.firstRange(of: "://")?.upperBound else { return nil }
    var authority = org[start...].unicodeScalars.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let end = authority.lastIndex(of: "@") { authority = authority[authority.index(after: end)...] }
    let isBracketed = authority.first == "["
    let name = isBracketed ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    return name.isEmpty ? nil : String(name)
  }

  /// The version of the recording SDK: the part after the slash of `sdk`.
  var version: String { sdk?.split(separator: "/").dropFirst().first.map(String.init) ?? "0" }
}
