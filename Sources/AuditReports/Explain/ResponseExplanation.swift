// A response of an org as the SDK interprets it, for display.

import Authn
package import EventStore
import IDX

/// The contents of a response body.
package struct ResponseExplanation {
  /// The canonical summary (spec `authn-summary.md`, `idx.md` §18).
  package let summary: JSON
  private let isIdentityEngine: Bool
  /// Whether it has a member of its API, even if none that the SDK reads, as in the answer to a cancel.
  private let hasOwnMember: Bool
  /// Whether it has only members of the other API.
  private let isForeign: Bool
  /// Whether it is blank, or an object without members.
  private let isEmpty: Bool

  /// Explains a body of the classic authentication API, whatever its contents.
  package init(authn body: [UInt8]) {
    summary = Authn.CanonicalSummary.summary(of: body)
    isIdentityEngine = false
    hasOwnMember = Self.has(Self.classicNames, body)
    isForeign = !hasOwnMember && Self.isOfIdentityEngine(body)
    isEmpty = Self.isEmpty(body)
  }

  /// Explains a body of the Identity Engine, whatever its contents.
  package init(idx body: [UInt8]) {
    summary = IDX.CanonicalSummary.summary(of: body)
    isIdentityEngine = true
    hasOwnMember = Self.isOfIdentityEngine(body) || Self.has(["terminal", "errorCode"], body)
    isForeign = false
    isEmpty = Self.isEmpty(body)
  }

  /// Whether a body has members that only the Identity Engine sends (idx §2.4, §3, §4): handles, remediations,
  /// messages, its version, an error of OAuth.
  package static func isOfIdentityEngine(_ body: [UInt8]) -> Bool {
    has(engineNames, body) || has(["error"], body) && !has(["errorCode"], body)
  }

  /// Members of answers of the Identity Engine.
  private static let engineNames = [
    "stateHandle", "interaction_handle", "remediation", "successWithInteractionCode", "messages", "version", "intent",
    "currentAuthenticator", "currentAuthenticatorEnrollment", "authenticatorEnrollments", "authenticators",
    "recoveryAuthenticator", "terminal", "cancel",
  ]

  /// Members of answers of the classic API (authn §3).
  private static let classicNames = [
    "status", "stateToken", "sessionToken", "recoveryToken", "factorResult", "relayState", "errorCode", "_links",
    "_embedded",
  ]

  private static func isEmpty(_ body: [UInt8]) -> Bool {
    let body = JSON.withoutMark(body)
    return body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      || (try? JSON(parsing: body))?.object?.members.isEmpty == true
  }

  private static func has(_ names: [String], _ body: [UInt8]) -> Bool {
    guard let object = (try? JSON(parsing: JSON.withoutMark(body)))?.object else { return false }
    return names.contains { object[$0] != nil }
  }

  /// Why the body is not a response that the SDK could use; nil if it is one.
  package enum Problem: Sendable, Equatable {
    /// It is not JSON.
    case noJSON
    /// It is JSON without any member that the SDK reads.
    case noResponse
  }

  /// What is wrong with the body as a whole, or nil.
  ///
  /// - Parameter isNamed: whether the API that answered is known. If so, an empty body or an empty object is also
  ///   valid.
  package func problem(ofNamed isNamed: Bool) -> Problem? {
    if summary["error"]?.string == "invalid-json" { return .noJSON }
    return isForeign || !(isNamed && isEmpty) && rows.isEmpty && !hasOwnMember ? .noResponse : nil
  }

  private var rows: [(String, String)] { isIdentityEngine ? IdentityEngineRows.rows(of: summary) : authnRows }

  /// The explanation in lines of a width; text of the response is made safe for a terminal.
  package func lines(width: LineWidth) -> [String] {
    if problem(ofNamed: true) == .noJSON {
      return [
        isIdentityEngine
          ? "no JSON: the SDK reports invalidResponseData" : "no JSON: the SDK reports responseSerializationError"
      ]
    }
    let rows = rows
    if rows.isEmpty {
      return [
        "nothing that the SDK reads: no \(isIdentityEngine ? "remediation, no message" : "status, no link, no error")"
      ]
    }
    return rows.flatMap { name, text in
      Paragraph.lines(text.printable, width: width, lead: name.padded(to: 10))
    }
  }

  private var authnRows: [(String, String)] {
    var rows: [(String, String)] = []
    add("status", to: &rows)
    add("factorResult", as: "result", to: &rows)
    add("recoveryType", as: "recovery", to: &rows)
    add("factorType", as: "factor", to: &rows)
    add("user", to: &rows)
    add("expiresAt", as: "expires", to: &rows)
    for factor in summary["factors"]?.array ?? [] {
      let words = ["provider", "factorType", "id"].compactMap { factor[$0]?.string }
      rows.append(("factor", words.joined(separator: " ")))
    }
    let links = (summary["links"]?.array ?? []).compactMap(\.string)
    if !links.isEmpty { rows.append(("links", links.joined(separator: " "))) }
    let tokens = [("hasStateToken", "state token"), ("hasSessionToken", "session token")]
      .filter { summary[$0.0]?.bool == true }.map(\.1)
    if !tokens.isEmpty { rows.append(("carries", tokens.joined(separator: ", "))) }
    add("errorCode", as: "error", to: &rows)
    add("errorSummary", as: "says", to: &rows)
    for cause in summary["errorCauses"]?.array ?? [] { rows.append(("cause", cause.string ?? "(without a text)")) }
    if let items = summary["items"]?.int { rows.append(("items", "\(items)")) }
    return rows
  }

  private func add(_ member: String, as name: String? = nil, to rows: inout [(String, String)]) {
    if let text = summary[member]?.string { rows.append((name ?? member, text)) }
  }
}
