import EventStore
import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// Printing, interpolating, reflecting and dumping what the SDK hands out shows no secret.
@Suite struct SafeDescriptionTests {
  @Test("statuses, factors, responses and states")
  func statuses() async throws {
    try await Scenario.pushRejected.run(recorder: nil) { _, last in
      let status = try #require(last as? OktaAuthStatusFactorChallenge)
      let token = try #require(status.model.stateToken)
      let values: [Any] = [
        status, status.model, status.object, status.object.state, status.object.session.flow.vault,
        status.factor as Any, OktaError.unknownStatus(status.model),
      ]
      for value in values { for text in texts(of: value) { #expect(!text.contains(token), "\(type(of: value))") } }
    }
  }

  @Test("errors that quote a secret")
  func errors() async throws {
    let secret = "quoted-secret-11"
    let reply = #"{"errorCode":"E0000004","errorSummary":"no quoted-secret-11 here","odd":"quoted-secret-11"}"#
    let scenario = Scenario("quoting", Scenario.passwordOnly.configuration) { stage in
      for body in [reply, "<html>quoted-secret-11"] {
        stage.org.inject(Fault(.reply(status: 401, body: body)))
        do throws(OktaError) {
          _ = try await stage.begin().authenticate(username: Scenario.login, password: secret)
          Issue.record("the sign-in should have failed")
        } catch {
          for text in texts(of: error) { #expect(!text.contains(secret), "\(text)") }
          #expect(!error.localizedDescription.contains(secret))
          if case .serverRespondedWithError(let response) = error {
            #expect(response.errorSummary?.contains(secret) == true, "the application gets what the org said")
            for text in texts(of: response) { #expect(!text.contains(secret), "\(text)") }
          }
        }
      }
      return nil
    }
    try await scenario.run(recorder: nil)
  }

  private func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped, maxDepth: 4)
    return ["\(value)", String(describing: value), String(reflecting: value), dumped]
  }

  @Test("requests, responses and links print nothing that they hold")
  func messagesPrintNothing() throws {
    let request = HTTPRequest(
      method: "POST", url: "https://acme.example/?token=hush", headers: [HTTPField("Cookie", "hush")],
      body: Array("hush".utf8))
    let response = HTTPResponse(status: 200, headers: [HTTPField("Set-Cookie", "hush")], body: Array("hush".utf8))
    let url = try #require(URL(string: "https://acme.example/?token=hush"))
    let link = LinksResponse.Link(href: url, name: "next")
    for value in [request, response, link] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("hush") && !text.contains("104"), "\(text)")
      }
    }
  }
}
