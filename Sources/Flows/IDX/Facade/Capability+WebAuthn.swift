// WebAuthn (idx §8.11): the data for an authenticator, and the form for its answer.

import EventStore
import FlowRecording
public import Foundation

extension Capability {
  /// Why WebAuthn cannot continue.
  public enum WebAuthnError: Error, Swift.Sendable, Hashable {
    /// The response contains no challenge.
    case missingChallengeJson
    /// The relying party of the credential is unknown.
    case missingRelyingPartyIdentifier
    /// The form does not accept such an answer.
    case invalidRemediationForm
    /// The type of credential is not supported.
    case unsupportedCredentialType
  }

  /// Registers a new security key or passkey.
  public final class WebAuthnRegistration: RemediationCapability, CustomReflectable {
    /// The challenge to answer.
    public let challenge: Data
    /// The account name.
    public let name: String
    /// The user's display name.
    public let displayName: String
    /// The ID of the user that the credential belongs to.
    public let userId: Data
    /// The user verification requirement: `required`, `preferred`, or `discouraged`.
    public let userVerification: String?
    /// The attestation conveyance: `direct`, `none`.
    public let attestation: String?
    /// The acceptable signature algorithms, as COSE numbers.
    public let algorithms: [Int]
    /// The activation data as received.
    public let activationData: Data
    private let party: Locked<String?>
    private let form: Remediation.Form
    private let isEnrollment: Bool

    init?(_ reading: FormReading, _ form: Remediation.Form, _ related: [Authenticator], _ origin: ResponseOrigin) {
      guard let data = WebAuthnData.of(related, "activationData"),
        let challenge = data["challenge"]?.string.flatMap(WebAuthnData.bytes), let user = data["user"],
        let name = user["name"]?.string, let displayName = user["displayName"]?.string,
        let id = user["id"]?.string
      else { return nil }
      self.challenge = challenge
      self.name = name
      self.displayName = displayName
      userId = Data(id.utf8)
      userVerification = data["authenticatorSelection"]?["userVerification"]?.string
      attestation = data["attestation"]?.string
      algorithms = (data["pubKeyCredParams"]?.array ?? []).compactMap { $0["alg"]?.int }
      activationData = Data(data.bytes)
      party = Locked(WebAuthnData.relyingParty(data, origin))
      self.form = form
      isEnrollment = reading.name == "enroll-authenticator"
    }

    /// The relying party ID of the credential: a host name.
    public var relyingPartyIdentifier: String? {
      get { party.withLock { $0 } }
      set { party.withLock { $0 = newValue } }
    }

    /// Fills the form with an authenticator's answer. Send the remediation afterward.
    ///
    /// - Parameters:
    ///   - attestation: the attestation object.
    ///   - clientJSON: the client data, as JSON.
    ///   - transports: how the authenticator can be reached, such as `usb` or `internal`; none by default.
    ///   - clientExtensions: the results of client extensions, as the text of a JSON object; none by default.
    /// - Throws: `WebAuthnError.invalidRemediationForm` if the form does not accept such an answer.
    public func register(
      attestation: Data, clientJSON: Data, transports: [String]? = nil, clientExtensions: String? = nil
    ) throws {
      guard isEnrollment, let attestationField = form.hidden("attestation", in: "credentials"),
        let clientField = form.hidden("clientData", in: "credentials")
      else { throw WebAuthnError.invalidRemediationForm }
      attestationField.value = attestation.base64EncodedString()
      clientField.value = clientJSON.base64EncodedString()
      form.hidden("transports", in: "credentials")?.value = JSON.array((transports ?? []).map(JSON.string)).text
      form.hidden("clientExtensions", in: "credentials")?.value = clientExtensions ?? "{}"
    }

    /// No children, so that a dump shows no challenge.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// Authenticates with a security key or passkey.
  public final class WebAuthnAuthentication: RemediationCapability, CustomReflectable {
    /// The challenge to answer.
    public let challenge: Data
    /// The user verification requirement: `required`, `preferred`, or `discouraged`.
    public let userVerification: String?
    /// The challenge data as received.
    public let challengeData: Data
    private let party: Locked<String?>
    private let form: Remediation.Form

    init?(
      _ reading: FormReading, _ form: Remediation.Form, _ related: [Authenticator], _ response: ResponseReading,
      _ origin: ResponseOrigin
    ) {
      let autofill = response.json["webauthnAutofillUIChallenge"]?["value"]?["challengeData"]
      let isAutofill =
        reading.name == "challenge-webauthn-autofillui-authenticator"
        && reading.relatesTo.contains { ["webauthnAutofillUIChallenge", "$.webauthnAutofillUIChallenge"].contains($0) }
      guard let data = isAutofill ? autofill : WebAuthnData.of(related, "challengeData"),
        let challenge = data["challenge"]?.string.flatMap(WebAuthnData.bytes)
      else { return nil }
      self.challenge = challenge
      userVerification = data["userVerification"]?.string
      challengeData = Data(data.bytes)
      party = Locked(WebAuthnData.relyingParty(data, origin))
      self.form = form
    }

    /// The relying party ID of the credential: a host name.
    public var relyingPartyIdentifier: String? {
      get { party.withLock { $0 } }
      set { party.withLock { $0 = newValue } }
    }

    /// Fills the form with an authenticator's answer. Send the remediation afterward.
    ///
    /// - Parameters:
    ///   - authenticatorData: the authenticator data.
    ///   - clientData: the client data.
    ///   - signatureData: the signature.
    ///   - userHandle: the user that the passkey belongs to; only if a browser offered the passkey.
    /// - Throws: `WebAuthnError.invalidRemediationForm` if the form does not accept such an answer.
    public func challenge(
      authenticatorData: Data, clientData: Data, signatureData: Data, userHandle: Data? = nil
    ) throws {
      let answers = [
        ("authenticatorData", authenticatorData), ("clientData", clientData), ("signatureData", signatureData),
      ]
      for (name, data) in answers {
        guard let field = form.hidden(name, in: "credentials") else {
          throw WebAuthnError.invalidRemediationForm
        }
        field.value = data.base64EncodedString()
      }
      if let userHandle, let field = form.hidden("userHandle", in: "credentials") {
        field.value = String(data: userHandle, encoding: .utf8) ?? userHandle.base64EncodedString()
      }
    }

    /// No children, so that a dump shows no challenge.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
}

/// Reads the data of WebAuthn.
enum WebAuthnData {
  /// Returns the data with the given name from a security key in the response.
  static func of(_ authenticators: [Authenticator], _ name: String) -> JSON? {
    authenticators.lazy.filter { $0.type == .securityKey && $0.key == "webauthn" }
      .compactMap { $0.reading.contextualData?[name] }.first { $0.object != nil }
  }

  /// Decodes base64url, with or without padding.
  static func bytes(_ text: String) -> Data? {
    var standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while standard.utf8.count % 4 != 0 { standard += "=" }
    return Data(base64Encoded: standard)
  }

  /// The relying party ID of a credential: the one that the org specifies, or else the org's own.
  static func relyingParty(_ data: JSON, _ origin: ResponseOrigin) -> String? {
    if let id = data["rp"]?["id"]?.string ?? data["rpId"]?.string { return id }
    let app = data["u2fParams"]?["appid"]?.string ?? data["extensions"]?["appid"]?.string
    if let host = app.flatMap({ URL(string: $0)?.host }) { return host }
    return URL(string: origin.state.settings.issuer)?.host
  }
}
