// Checking what a security key answered (WebAuthn level 2, §7.1, §7.2): challenge, origin, relying party, signature.

import Crypto
import Foundation

extension OrgState {
  /// The key of a registration, if everything about it is right.
  func registration(_ call: IDXCall, expected challenge: String) -> IDXState.Passkey? {
    guard let client = clientData(call, type: "webauthn.create", challenge),
      let object = call.text("credentials.attestation").flatMap(Base64.bytes).flatMap({ CBOR.read($0[...])?.value }),
      let data = object[.text("authData")]?.bytes, isOurs(data), data.count > 55, data[32] & 0x40 != 0
    else { return nil }
    let length = Int(data[53]) << 8 | Int(data[54])
    guard data.count > 55 + length, let cose = CBOR.read(data[(55 + length)...])?.value,
      cose[.int(1)] == .int(2), cose[.int(3)] == .int(-7), cose[.int(-1)] == .int(1),
      let x = cose[.int(-2)]?.bytes, let y = cose[.int(-3)]?.bytes, x.count == 32, y.count == 32
    else { return nil }
    let passkey = IDXState.Passkey(publicKey: x + y, credentialID: Array(data[55..<(55 + length)]))
    switch object[.text("fmt")] {
    case .text("none"): return passkey
    case .text("packed"):
      let signature = object[.text("attStmt")]?[.text("sig")]?.bytes ?? []
      return Self.isSigned(data, client, signature, by: passkey) ? passkey : nil
    default: return nil
    }
  }

  /// Whether one of the person's keys signed the challenge.
  func checkAssertion(_ call: IDXCall, expected challenge: String, _ enrolments: [Enrolment], _ login: String) -> Bool {
    enrolments.contains { enrolment in
      passkey(of: enrolment).map { isAsserted(call, expected: challenge, by: $0) } ?? false
    }
  }

  func isAsserted(_ call: IDXCall, expected challenge: String, by passkey: IDXState.Passkey) -> Bool {
    guard let client = clientData(call, type: "webauthn.get", challenge),
      let data = call.text("credentials.authenticatorData").flatMap(Base64.bytes), isOurs(data),
      let signature = call.text("credentials.signatureData").flatMap(Base64.bytes)
    else { return false }
    return Self.isSigned(data, client, signature, by: passkey)
  }

  /// A passkey that answered on the first page: it identifies its owner.
  mutating func answerAutofill(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard let challenge = transaction.autofillChallenge else { throw .step(.notNow) }
    for (login, account) in accounts.sorted(by: { $0.key < $1.key }) where !account.locked {
      guard checkAssertion(call, expected: challenge, account.enrolments, login) else { continue }
      (transaction.login, transaction.identifier) = (login, account.user.login)
      transaction.autofillChallenge = nil
      // A passkey is something one has and something one is: it stands for both factors.
      transaction.verified = [.webauthn, .password]
      advance(&transaction)
      return
    }
    throw wrong(.step(.wrongKey, status: 401), &transaction)
  }

  /// What the browser signed, if it is about this challenge and this org.
  private func clientData(_ call: IDXCall, type: String, _ challenge: String) -> [UInt8]? {
    guard let bytes = call.text("credentials.clientData").flatMap(Base64.bytes),
      let client = try? JSONDecoder().decode(ClientData.self, from: Data(bytes)), client.type == type,
      client.challenge.filter({ $0 != "=" }) == challenge,
      SoftwareAuthenticator.host(client.origin) == SoftwareAuthenticator.host(baseURL)
    else { return nil }
    return bytes
  }

  private struct ClientData: Decodable {
    var type: String
    var challenge: String
    var origin: String
  }

  /// Hash of this org's host, and a person who was there.
  private func isOurs(_ data: [UInt8]) -> Bool {
    let party = SHA256.hash(data: Array(SoftwareAuthenticator.host(baseURL).utf8))
    return data.count >= 37 && Array(data.prefix(32)) == Array(party) && data[32] & 0x01 != 0
  }

  private static func isSigned(
    _ data: [UInt8], _ client: [UInt8], _ signature: [UInt8], by passkey: IDXState.Passkey
  ) -> Bool {
    guard let key = try? P256.Signing.PublicKey(rawRepresentation: passkey.publicKey),
      let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
    else { return false }
    return key.isValidSignature(signature, for: data + Array(SHA256.hash(data: client)))
  }
}
