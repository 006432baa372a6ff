// A security key in software: the answers of a browser and a key to a WebAuthn challenge (WebAuthn level 2, §5.8, §6).

import Crypto
import Foundation

/// A WebAuthn authenticator for tests: registers with a real attestation object and signs challenges with ES256.
///
/// The key follows from the name: a user who comes with `OrgFactor.webauthn(name:)` has the key of
/// `SoftwareAuthenticator(name:)`, and the same challenge is signed the same way every time.
public struct SoftwareAuthenticator: Sendable {
  /// The name it was made from.
  public let name: String
  private let key: CurveKey

  /// An authenticator with the key of this name.
  public init(name: String) {
    self.name = name
    key = CurveKey(name: "webauthn \(name)")
  }

  /// The answer to a registration, base64 as the form fields carry it.
  public struct Registration: Sendable, Equatable {
    /// `credentials.clientData`.
    public let clientData: String
    /// `credentials.attestation`.
    public let attestation: String
  }

  /// The answer to a challenge, base64 as the form fields carry it.
  public struct Assertion: Sendable, Equatable {
    /// `credentials.clientData`.
    public let clientData: String
    /// `credentials.authenticatorData`.
    public let authenticatorData: String
    /// `credentials.signatureData`.
    public let signatureData: String
  }

  /// Answers `contextualData.activationData.challenge`.
  ///
  /// - Parameters:
  ///   - challenge: The challenge as the response has it, base64url.
  ///   - origin: Scheme, host and port of the page, such as `http://127.0.0.1:8080`.
  ///   - relyingParty: The relying party's id; the host of the origin by default.
  public func register(challenge: String, origin: String, relyingParty: String? = nil) -> Registration {
    let client = Self.clientData("webauthn.create", challenge, origin)
    let id = credentialID
    // AAGUID of zeros: a maker that does not name itself.
    let data =
      Self.head(relyingParty ?? Self.host(origin), flags: 0x45)
      + [UInt8](repeating: 0, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xff)] + id + coseKey.encoded
    let signature = key.signDER(data + Array(SHA256.hash(data: client)))
    let statement: CBOR = .map([.init(.text("alg"), .int(-7)), .init(.text("sig"), .bytes(signature))])
    let object: CBOR = .map([
      .init(.text("fmt"), .text("packed")), .init(.text("attStmt"), statement), .init(.text("authData"), .bytes(data)),
    ])
    return Registration(clientData: Base64.text(client), attestation: Base64.text(object.encoded))
  }

  /// Answers `contextualData.challengeData.challenge`. Parameters as in ``register(challenge:origin:relyingParty:)``.
  public func sign(challenge: String, origin: String, relyingParty: String? = nil) -> Assertion {
    let client = Self.clientData("webauthn.get", challenge, origin)
    let data = Self.head(relyingParty ?? Self.host(origin), flags: 0x05)
    let signature = key.signDER(data + Array(SHA256.hash(data: client)))
    return Assertion(
      clientData: Base64.text(client), authenticatorData: Base64.text(data), signatureData: Base64.text(signature))
  }

  /// Its credential id, as responses show it.
  public var credentialId: String { Base64.urlText(credentialID) }

  private var credentialID: [UInt8] { Array(SHA256.hash(data: key.publicKey).prefix(20)) }

  var passkey: IDXState.Passkey { .init(publicKey: key.publicKey, credentialID: credentialID) }

  private var coseKey: CBOR {
    .map([
      .init(.int(1), .int(2)), .init(.int(3), .int(-7)), .init(.int(-1), .int(1)),
      .init(.int(-2), .bytes(Array(key.publicKey.prefix(32)))),
      .init(.int(-3), .bytes(Array(key.publicKey.suffix(32)))),
    ])
  }

  private static func clientData(_ type: String, _ challenge: String, _ origin: String) -> [UInt8] {
    let json: OrgJSON = [
      "type": .string(type), "challenge": .string(challenge), "origin": .string(origin), "crossOrigin": false,
    ]
    return json.encoded
  }

  /// Hash of the relying party's id, flags, a counter that stays at zero (§6.1).
  private static func head(_ party: String, flags: UInt8) -> [UInt8] {
    Array(SHA256.hash(data: Array(party.utf8))) + [flags, 0, 0, 0, 0]
  }

  static func host(_ origin: String) -> String { URLComponents(string: origin)?.host ?? origin }
}
