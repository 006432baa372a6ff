import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// Exchanges that other clients of the API were tested with: ours sends the same.
@Suite struct CorpusPairsTests {
  private struct Item {
    var suite: String
    var title: String?
    var outcome: String
    var start: JSON?
    var request: JSON
    var response: [UInt8]?
    var status: Int
    var name: String { suite + (title.map { " | " + $0 } ?? "") }
  }

  private static func items() throws -> [Item] {
    try (JSON(parsing: Corpus.bytes(of: "authn-pairs.json"))["items"]?.array ?? []).compactMap { item in
      guard let call = item["calls"]?.array?.first else { return nil }
      let start = try item["start"]?.string.map { try JSON(parsing: Corpus.bytes(of: $0)) }
      return Item(
        suite: item["suite"]?.string ?? "", title: item["title"]?.string, outcome: item["outcome"]?.string ?? "",
        start: start, request: call, response: try call["response"]?.string.map(Corpus.bytes),
        status: call["httpStatus"]?.int ?? 0)
    }
  }

  @Test(
    "each exchange that the API can express sends the request that is expected",
    .enabled(if: Corpus.isThere, "../shared/corpus is not there"))
  func pairs() async throws {
    let items = try Self.items()
    #expect(!items.isEmpty)
    for item in items {
      var answers: [ScriptedTransport.Answer] = []
      if let start = item.start { answers.append(Script.answer(start)) }
      if let response = item.response {
        answers.append(.respond(with: HTTPResponse(status: item.status, body: response)))
      } else {
        answers.append(.fail(with: TransportError(.cannotConnect, "no network")))
      }
      let script = Script(answers)
      let org = Self.org(of: item)
      let start = script.begin(origins: Self.origins(of: item), org: org)
      guard let target = try await status(item, start) else { continue }
      var outcome = "ok"
      do throws(OktaError) {
        guard try await act(item, on: target, start) else {
          Issue.record("not expressible: \(item.name)")
          continue
        }
      } catch {
        // A status that the SDK does not model is an answer all the same.
        if case .unknownStatus = error {} else { outcome = "error" }
      }
      #expect(outcome == item.outcome, "\(item.name)")
      let sent = try #require(script.transport.requests.last)
      #expect(sent.method == item.request["method"]?.string, "\(item.name)")
      #expect(sent.url.hasSuffix(item.request["path"]?.string ?? "?"), "\(item.name): \(sent.url)")
      // Primary authentication always sends user name and options; its exchanges are about the errors.
      if item.request["path"]?.string == "/api/v1/authn" { continue }
      let body = try sent.body.map { try JSON(parsing: $0) }
      #expect(Self.folded(body) == Self.folded(item.request["body"]), "\(item.name)")
      try await script.expectWhole(start, item.name)
    }
  }

  /// Where the links of the exchange lead.
  private static func org(of item: Item) -> String {
    let text = item.start?.text ?? ""
    return text.contains("http://") && !text.contains("https://") ? "http://acme.example" : Script.org
  }

  /// The origins of its links: no exchange was recorded at our org.
  private static func origins(of item: Item) -> [String] {
    let text = item.start?.text ?? ""
    return text.matches(of: /https?:\/\/[^\/"?#]+/).map { String($0.output) }
  }

  /// Members sorted, kinds of factors in one case: servers take any (§2.4).
  private static func folded(_ json: JSON?) -> JSON? {
    guard case .object(var object) = json else { return nil }
    object["factorType"] = object["factorType"]?.string.map { .string($0.lowercased()) }
    return JSON.object(object).sorted
  }

  /// The object that the exchange starts from; nil if there is none.
  private func status(_ item: Item, _ start: OktaAuthStatusUnauthenticated) async throws -> OktaAuthStatus? {
    guard item.start != nil else { return start }
    do throws(OktaError) {
      return try await start.authenticate(username: "ann", password: "x")
    } catch {
      guard case .unknownStatus(let response) = error else { throw error }
      return response.basicStatus
    }
  }

  /// Does what the exchange is about; false if the API has no call for it.
  private func act(
    _ item: Item, on status: OktaAuthStatus, _ start: OktaAuthStatusUnauthenticated
  ) async throws(OktaError) -> Bool {
    let body = item.request["body"]
    let text = { (name: String) in body?[name]?.string ?? "" }
    switch item.request["path"]?.string.map({ $0.prefix { $0 != "?" } }) {
    case "/api/v1/authn": _ = try await start.authenticate(username: "ann", password: "x")
    case "/api/v1/authn/cancel": try await status.cancel()
    case "/api/v1/authn/factors":
      let sms = status.factors.compactMap { $0 as? OktaFactorSms }.first
      let updates = item.request["path"]?.string?.contains("updatePhone=true") == true
      guard let sms else { throw .internalError("no factor") }
      _ = try await sms.enroll(
        phoneNumber: body?["profile"]?["phoneNumber"]?.string, updatePhone: updates ? true : nil)
    case "/api/v1/authn/recovery/unlock":
      let factor = OktaRecoveryFactors(rawValue: text("factorType").lowercased())
      _ = try await start.unlockAccount(
        username: text("username"), factorType: factor, relayState: body?["relayState"]?.string)
    case "/api/v1/authn/recovery/password":
      guard let factor = OktaRecoveryFactors(rawValue: text("factorType").lowercased()) else { return false }
      _ = try await start.recoverPassword(username: text("username"), factorType: factor)
    case "/api/v1/authn/recovery/token":
      _ = try await start.recover(with: text("recoveryToken"), relayState: body?["relayState"]?.string)
    case "/api/v1/authn/credentials/reset_password":
      guard let reset = status as? OktaAuthStatusPasswordReset else { throw .internalError("no PASSWORD_RESET") }
      _ = try await reset.resetPassword(newPassword: text("newPassword"))
    default:
      let question = status.factors.compactMap { $0 as? OktaFactorQuestion }.first
      guard let question else { return false }
      let questions = try await question.downloadSecurityQuestions()
      #expect(!questions.isEmpty)
    }
    return true
  }
}
