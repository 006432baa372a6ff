import EventStore
import FlowRecording
import Foundation
import OIDC
import Scenarios
import Testing

@testable import IDX

/// An org that quotes what it was sent in the texts of a page: the objects of a response show no secret where they are printed,
/// and give what the org said where they are asked (DESIGN §5).
@Suite struct ReflectedTextTests {
  private static let password = "Canary-Zx81 & Quagga"

  private static let forms = [
    password, password.uppercased(), Data(password.utf8).base64EncodedString(),
    password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
    password.replacingOccurrences(of: "&", with: "&amp;"),
  ]

  /// A page that quotes in each text and in each name that may be any.
  private static func page(_ quote: String) -> JSON {
    let said = JSON.string("shows \(quote) there")
    let message: JSON = ["message": said, "class": "ERROR", "i18n": ["key": said]]
    let href = "https://acme.example/idp/idx/challenge/answer"
    return [
      "version": "1.0.0", "stateHandle": "handle-of-the-state-1",
      "messages": ["type": "array", "value": [message]],
      "remediation": [
        "type": "array",
        "value": [
          [
            "name": "challenge-authenticator", "relatesTo": ["$.currentAuthenticator"], "href": .string(href),
            "method": "POST",
            "value": [
              [
                "name": "credentials", "type": "object", "label": said,
                "form": [
                  "value": [
                    [
                      "name": "passcode", "label": said, "secret": true,
                      "messages": ["type": "array", "value": [message]],
                    ], ["name": said, "label": said],
                  ]
                ],
              ],
              ["name": "choice", "type": "object", "options": [["label": said, "value": said]]],
            ],
          ],
          ["name": said, "href": .string(href), "method": "POST", "value": [["name": said, "label": said]]],
          [
            "name": "redirect-idp", "type": "GOOGLE", "idp": ["id": "0oa1idp", "name": said],
            "href": "https://acme.example/sso/idps/0oa1idp", "method": "GET",
          ],
        ],
      ],
      "currentAuthenticator": [
        "type": "object",
        "value": ["type": "password", "key": "okta_password", "id": "aut1", "displayName": said],
      ],
    ]
  }

  @Test("a password that a page quotes is in no text of its objects")
  func page() async throws {
    for form in Self.forms {
      let script = IDXScript(ION.challenge)
      let challenge = try #require(try await script.flow().start().remediations[.challengeAuthenticator])
      challenge["credentials.passcode"]?.value = Self.password
      script.add(Self.page(form))
      let response = try await challenge.proceed()

      let next = try #require(response.remediations[.challengeAuthenticator])
      let passcode = try #require(next["credentials.passcode"])
      let message = try #require(response.messages.first)
      let provider = try #require(response.remediations.allSocialIdps.first)
      let authenticator = try #require(response.authenticators.current ?? response.authenticators.first)
      let quoted = "shows \(form) there"
      #expect(message.message == quoted && passcode.label == quoted && provider.idpName == quoted)
      #expect(authenticator.displayName == quoted && response.remediations[1].name == quoted)
      #expect(next["choice"]?.options?.first?.label == quoted && passcode.messages.first?.message == quoted)

      var values: [Any] = [response, response.remediations, response.authenticators, response.messages, provider]
      values += response.messages.allMessages.map { $0 as Any } + [authenticator]
      for remediation in response.remediations {
        values += [remediation, remediation.form, remediation.capabilities]
        for field in remediation.form {
          values.append(field)
          values += (field.form ?? remediation.form).map { $0 as Any } + (field.options ?? []).map { $0 as Any }
        }
      }
      for value in values {
        for text in texts(of: value) {
          for form in Self.forms { #expect(!text.contains(form), "\(type(of: value)): \(text)") }
        }
      }
      #expect("\(message)".contains("$secret.") && "\(provider)".hasPrefix("SocialIDP("))
    }
  }
}
