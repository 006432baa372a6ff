import EventStore
import FlowRecording
import Foundation
import OIDC
import Testing

@testable import IDX

/// An org that quotes what it was sent in its errors: whatever is printed of them shows no secret (DESIGN §5).
@Suite struct ReflectedErrorTests {
  private static let password = "Canary-Zx81 & Quagga"

  /// The forms in which an org may quote a secret.
  private static func forms(of secret: String) -> [String] {
    [
      secret, secret.uppercased(), Data(secret.utf8).base64EncodedString(),
      secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
      secret.replacingOccurrences(of: "&", with: "&amp;"), secret.utf16.map { String(format: "\\u%04x", $0) }.joined(),
    ]
  }

  /// Error bodies with a text in each place that has one.
  private static func bodies(_ text: String) -> [(JSON, Int)] {
    let quoted = JSON.string("quoted: \(text) here")
    return [
      (["errorCode": "E0000011", "errorSummary": quoted, "errorId": quoted], 500),
      (["errorCode": quoted, "errorSummary": quoted], 500),
      (["error": "invalid_grant", "error_description": quoted, "errorId": quoted], 500),
      (["error": quoted, "errorDescription": quoted], 500), (["error": quoted], 500),
      (
        [
          "version": "1.0.0",
          "messages": ["value": [["message": quoted, "class": "ERROR", "i18n": ["key": quoted, "params": [quoted]]]]],
        ], 500
      ),
      (["odd": quoted], 500), (.array([quoted]), 500), (quoted, 500),
    ]
  }

  private func texts(of error: InteractionCodeFlowError) -> [String] {
    var values: [Any] = [error, error.oauth, error.details as Any, IDXServerError(error) as Any, error as NSError]
    if case .apiError(let api) = error { values.append(api) }
    var texts = values.flatMap { value in
      var dumped = ""
      dump(value, to: &dumped)
      return ["\(value)", String(reflecting: value), dumped]
    }
    texts += [error.localizedDescription, error.errorDescription ?? "", error.oauth.localizedDescription]
    texts += [(error as NSError).userInfo.description]
    return texts
  }

  private func check(
    _ error: InteractionCodeFlowError, hides secret: String, _ place: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for text in texts(of: error) {
      for form in Self.forms(of: secret) {
        #expect(!text.contains(form), "\(place): \(form) in \(text)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test("a password that a form was sent with is in no text of an error")
  func remediation() async throws {
    for form in Self.forms(of: Self.password) {
      for (body, status) in Self.bodies(form) {
        let script = IDXScript(ION.challenge)
        let flow = script.flow()
        let challenge = try #require(try await flow.start().remediations[.challengeAuthenticator])
        challenge["credentials.passcode"]?.value = Self.password
        script.add(body, status: status)
        let error = try await idxFailure { try await challenge.proceed() }
        check(error, hides: Self.password, body.text)
        if case .apiError(let api) = error, body["errorCode"] == "E0000011" {
          #expect(api.errorSummary == "quoted: \(form) here", "the application gets what the org said")
        }
        if case .serverError(let message, _, _) = error {
          #expect(flow.revealed(message) == "quoted: \(form) here", "the application gets what the org said")
        }
        if case .oauthError(let summary, _, _) = error, body["error_description"] != nil {
          #expect(flow.revealed(summary) == "quoted: \(form) here")
        }
      }
    }
  }

  @Test("tokens of a start are in no text of an error of interact and introspect")
  func start() async throws {
    let token = "Canary-recovery-77a"
    for form in Self.forms(of: token) {
      for (body, status) in Self.bodies(form) {
        let interact = IDXScript([IDXScript.answer(body, status: 400)])
        let first = try await idxFailure { try await interact.flow().start(options: [.recoveryToken: token]) }
        check(first, hides: token, body.text)
        let introspect = IDXScript([IDXScript.answer(["interaction_handle": "handle-handle"])])
        introspect.add(body, status: status)
        let second = try await idxFailure { try await introspect.flow().start(options: [.recoveryToken: token]) }
        check(second, hides: token, body.text)
      }
    }
  }

  @Test("code and verifier are in no text of an error of the exchange")
  func exchange() async throws {
    let code = "Canary-interaction-code-1"
    let success: JSON = [
      "version": "1.0.0",
      "successWithInteractionCode": [
        "name": "issue", "href": "https://acme.example/oauth2/default/v1/token", "method": "POST",
        "value": [
          ["name": "grant_type", "value": "interaction_code"], ["name": "interaction_code", "value": .string(code)],
          ["name": "client_id", "value": "0oa1client"],
        ],
      ],
    ]
    for form in Self.forms(of: code) {
      for (body, _) in Self.bodies(form) {
        let script = IDXScript(success)
        let response = try await script.flow().start()
        script.add(body, status: 400)
        let error = try await idxFailure { try await response.exchangeCode() }
        check(error, hides: code, body.text)
      }
    }
  }
}
