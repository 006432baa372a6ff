// Checks the data for security keys and passkeys (idx §8.11).

import EventStore
import FlowRecording
import Foundation

extension IDXObjectCheck {
  /// Compares a remediation's WebAuthn data with that of its security keys.
  mutating func passkeys(_ remediation: Remediation, _ name: String, _ json: JSON, _ related: [Authenticator]) {
    registration(remediation.webAuthnRegistration, data("activationData", of: related))
    let isAutofill =
      name == "challenge-webauthn-autofillui-authenticator"
      && (json["relatesTo"]?.array ?? [json["relatesTo"] ?? .null]).contains {
        $0 == "webauthnAutofillUIChallenge" || $0 == "$.webauthnAutofillUIChallenge"
      }
    let autofill = answer["webauthnAutofillUIChallenge"]?["value"]?["challengeData"]
    let data = isAutofill ? autofill : data("challengeData", of: related)
    let (shown, challenge) = (remediation.webAuthnAuthentication, Self.bytes(data?["challenge"]))
    expect("webAuthnAuthentication", (shown != nil) == (challenge != nil))
    guard let shown, let data else { return }
    expect("webAuthnAuthentication.challenge", shown.challenge == challenge)
    expect("webAuthnAuthentication.userVerification", shown.userVerification == data["userVerification"]?.string)
    expect("webAuthnAuthentication.challengeData", Self.isSame(shown.challengeData, data))
    party(shown.relyingPartyIdentifier, data)
  }

  private mutating func registration(_ shown: Capability.WebAuthnRegistration?, _ data: JSON?) {
    let (challenge, user) = (Self.bytes(data?["challenge"]), data?["user"])
    let texts = ["id", "name", "displayName"].map { user?[$0]?.string }
    expect("webAuthnRegistration", (shown != nil) == (challenge != nil && !texts.contains(nil)))
    guard let shown, let data else { return }
    expect("webAuthnRegistration.challenge", shown.challenge == challenge)
    expect(
      "webAuthnRegistration.user",
      [String(decoding: shown.userId, as: UTF8.self), shown.name, shown.displayName] == texts.map { $0 ?? "" })
    let selection = data["authenticatorSelection"]
    expect("webAuthnRegistration.userVerification", shown.userVerification == selection?["userVerification"]?.string)
    expect("webAuthnRegistration.attestation", shown.attestation == data["attestation"]?.string)
    let numbers = (data["pubKeyCredParams"]?.array ?? []).compactMap { $0["alg"]?.int }
    expect("webAuthnRegistration.algorithms", shown.algorithms == numbers)
    expect("webAuthnRegistration.activationData", Self.isSame(shown.activationData, data))
    party(shown.relyingPartyIdentifier, data)
  }

  /// The org specifies the host for a credential in one of four places; otherwise, it is the org's own.
  private mutating func party(_ shown: String?, _ data: JSON) {
    let named = [data["rp"]?["id"], data["rpId"]].compactMap { $0?.string }.first
    let app = [data["u2fParams"]?["appid"], data["extensions"]?["appid"]].compactMap { $0?.string }.first
    let issuer = response.origin.state.settings.issuer
    let host = [app, issuer].compactMap { $0.flatMap(URLComponents.init(string:))?.host }.first
    expect("relyingPartyIdentifier", shown == named ?? host)
  }

  /// The data with a name from the first security key that has it.
  private func data(_ name: String, of authenticators: [Authenticator]) -> JSON? {
    for authenticator in authenticators {
      guard let index = response.authenticators.firstIndex(where: { $0 === authenticator }), index < groups.count
      else { continue }
      let places = groups[index]
      let key = places.members.lazy.compactMap { $0["key"]?.string }.first
      guard places.members.first?["type"] == "security_key", key == "webauthn" else { continue }
      if let data = places.object("contextualData")?[name], data.object != nil { return data }
    }
    return nil
  }

  private static func bytes(_ json: JSON?) -> Data? {
    guard var text = json?.string else { return nil }
    text = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return Data(base64Encoded: text.padding(toLength: (text.utf8.count + 3) / 4 * 4, withPad: "=", startingAt: 0))
  }

  private static func isSame(_ data: Data, _ json: JSON) -> Bool { (try? JSON(parsing: Array(data))) == json }
}
