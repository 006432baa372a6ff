// Compares what a status object shows with its answer, which is read here independently of the object's code.

import EventStore
import FlowRecording
import Foundation

/// Checks the public members of one status object.
///
/// Not checked: members that show no value of the answer (`customMirror`), `responseHandler`, which belongs to the
/// application, and `flowID`, which is not in any answer.
struct AuthnObjectCheck {
  let status: OktaAuthStatus
  let answer: JSON
  private var found: [String] = []

  init(_ status: OktaAuthStatus, _ secrets: PlayedSecrets) {
    self.status = status
    answer = secrets.reveal(status.object.state.current?.body ?? .null)
  }

  /// The first member that differs, in a sentence; nil if all match the answer.
  var complaint: String? {
    var check = self
    check.transaction()
    check.user()
    check.embedded()
    check.expect("links", status.links == status.model.links)
    check.classes()
    check.expect("factors", status.factors.count == sentFactors.count)
    for (index, factor) in status.factors.enumerated() { check.factor(factor, at: index) }
    return check.found.first.map { "\($0) of the status object is not what the org sent" }
  }

  mutating func expect(_ member: @autoclosure () -> String, _ isRight: Bool) { if !isRight { found.append(member()) } }

  // MARK: Reading

  /// A number, which servers also send as text.
  static func number(_ json: JSON?) -> Int? {
    switch json {
    case .number(let text), .string(let text): Int(text)
    case .null, .bool, .array, .object, nil: nil
    }
  }

  /// A flag, which servers also send as text.
  static func flag(_ json: JSON?) -> Bool? {
    switch json {
    case .bool(let flag): flag
    case .string(let text): ["true": true, "false": false][text.lowercased()]
    case .null, .number, .array, .object, nil: nil
    }
  }

  /// Whether a date is that of a text. A text that Foundation cannot read is not compared.
  static func isSame(_ date: Date?, _ text: String?) -> Bool {
    guard let text else { return date == nil }
    guard let time = PlayedTime.date(text) else { return true }
    return abs((date?.timeIntervalSince1970 ?? 0) - time.timeIntervalSince1970) < 0.001
  }

  /// The factors as the org sent them: in a list, or a single one.
  var sentFactors: [JSON] {
    let embedded = answer["_embedded"]
    for list in [embedded?["factors"], embedded?["factor"]] {
      if let array = list?.array?.filter({ $0.object != nil }), !array.isEmpty { return array }
      if let list, list.object != nil { return [list] }
    }
    return []
  }

  // MARK: The transaction

  private mutating func transaction() {
    let model = status.model
    expect("statusType", status.statusType.raw == answer["status"]?.string)
    let words = status.statusType.description
    expect("statusType.description", AuthnWords.isCase(words, answer["status"]?.string, of: AuthnWords.statuses))
    expect("model", model.json == answer)
    expect("model.rawData", model.rawData.flatMap { try? JSON(parsing: Array($0)) } == answer)
    expect("model.basicStatus", model.basicStatus.map { type(of: $0) == type(of: status) } ?? false)
    expect("model.status", model.status?.raw == answer["status"]?.string)
    expect("stateToken", model.stateToken == answer["stateToken"]?.string)
    expect("sessionToken", model.sessionToken == answer["sessionToken"]?.string)
    expect("recoveryToken", model.recoveryToken == answer["recoveryToken"]?.string)
    expect("relayState", model.relayState == answer["relayState"]?.string)
    expect("expirationDate", model.expirationDate == answer["expiresAt"]?.string)
    expect("expirationTime", Self.isSame(model.expirationTime, answer["expiresAt"]?.string))
    expect("type", model.type == answer["type"]?.string)
    expect("factorResultMessage", model.factorResultMessage == answer["factorResultMessage"]?.string)
    expect("factorResult", status.factorResult?.rawValue == answer["factorResult"]?.string)
    expect(
      "factorResult", AuthnWords.isCase(status.factorResult, answer["factorResult"]?.string, of: AuthnWords.results))
    expect("model.factorResult", model.factorResult?.rawValue == answer["factorResult"]?.string)
    expect("recoveryType", model.recoveryType?.rawValue == answer["recoveryType"]?.string)
    expect("factorType", model.factorType?.rawValue.lowercased() == answer["factorType"]?.string?.lowercased())
    expect("canReturn", status.canReturn() == hasLink("prev"))
    expect("canCancel", status.canCancel() == hasLink("cancel"))
    links(of: "model", model.links, answer["_links"])
  }

  private mutating func user() {
    let (user, json) = (status.user, answer["_embedded"]?["user"])
    expect("model.user", status.model.user == user && status.model.embedded?.user == user)
    expect("user", (user != nil) == (json?.object != nil))
    expect("user.id", user?.id == json?["id"]?.string)
    expect("user.passwordChanged", Self.isSame(user?.passwordChanged, json?["passwordChanged"]?.string))
    expect(
      "user.recoveryQuestion", user?.recoveryQuestion?.question == json?["recovery_question"]?["question"]?.string)
    let profile = json?["profile"]
    expect("user.profile.login", user?.profile?.login == profile?["login"]?.string)
    expect("user.profile.firstName", user?.profile?.firstName == profile?["firstName"]?.string)
    expect("user.profile.lastName", user?.profile?.lastName == profile?["lastName"]?.string)
    expect("user.profile.locale", user?.profile?.locale == profile?["locale"]?.string)
    expect("user.profile.timeZone", user?.profile?.timeZone == profile?["timeZone"]?.string)
  }
}
