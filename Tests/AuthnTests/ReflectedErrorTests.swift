import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// An org that quotes what it was sent: whatever is printed of its errors shows no secret; a login stays readable.
@Suite struct ReflectedErrorTests {
  @Test(
    "a password is in no text of an error, however the org quotes it",
    arguments: [
      "Canary-Zx81 & Quagga", "CANARY-ZX81 & QUAGGA", "Canary-Zx81 &amp; Quagga", "Canary-Zx81%20%26%20Quagga",
    ])
  func errors(form: String) async throws {
    let quoted = JSON.string("quoted: \(form) here")
    let bodies: [JSON] = [
      ["errorCode": "E0000004", "errorSummary": quoted, "errorId": quoted, "errorLink": quoted],
      ["errorCode": quoted, "errorCauses": [["errorSummary": quoted, "location": quoted, "reason": quoted]]],
      ["status": quoted], ["odd": quoted], quoted, ["status": "MFA_REQUIRED", "stateToken": quoted],
    ]
    for body in bodies {
      for status in [200, 401] {
        let script = Script()
        script.transport.add(Script.answer(body, status: status))
        do throws(OktaError) {
          _ = try await script.begin().authenticate(username: "ann", password: "Canary-Zx81 & Quagga")
          Issue.record("the sign-in should have failed: \(body.text)")
        } catch {
          var values: [Any] = [error, error as NSError]
          if case .serverRespondedWithError(let response) = error { values.append(response) }
          for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped, error.localizedDescription] {
              #expect(!text.contains(form) && !text.contains("Quagga"), "\(body.text): \(text)")
            }
          }
        }
      }
    }
  }

  @Test("a login that is typed as the password stays readable as the login", arguments: ["ann", "ann@acme.example"])
  func loginAsPassword(login: String) async throws {
    let script = Script()
    script.transport.add(
      Script.answer(["errorCode": "E0000004", "errorSummary": .string("No \(login) here")], status: 401))
    let start = script.begin()
    do throws(OktaError) {
      _ = try await start.authenticate(username: login, password: login)
    } catch {
      #expect("\(error)".contains("No \(login) here"))
    }
    #expect(try script.lastBody["password"]?.string == login && script.lastBody["username"]?.string == login)
    try await script.expectWhole(start)
    let made = try #require(
      script.recorder.records(of: start.flowID).compactMap { record in
        if case .callMade(let made) = record.event { made } else { nil }
      }.first)
    #expect(made.arguments["username"]?.string == login)
    #expect(made.arguments["password"] == "$secret.password.1$")
  }
}
