// A security key: registered once, asked from then on.

import Foundation
import IDX

/// The part of the system that talks to keys.
protocol KeyRing {
  func create(challenge: Data, relyingParty: String, user: Data) -> (attestation: Data, clientData: Data)
  func sign(challenge: Data, relyingParty: String) -> (authenticatorData: Data, clientData: Data, signature: Data)
}

struct SecurityKey {
  let ring: any KeyRing

  /// Registers a key if the page asks for one.
  func register(_ response: Response) async throws -> Response? {
    guard let remediation = response.remediations[.enrollAuthenticator],
      let capability = remediation.webAuthnRegistration
    else { return nil }
    let made = ring.create(
      challenge: capability.challenge, relyingParty: capability.relyingPartyIdentifier ?? "", user: capability.userId)
    try capability.register(attestation: made.attestation, clientJSON: made.clientData)
    return try await remediation.proceed()
  }

  /// Lets a key sign if the page asks for it.
  func sign(_ response: Response) async throws -> Response? {
    guard let remediation = response.remediations[.challengeAuthenticator],
      let capability = remediation.webAuthnAuthentication
    else { return nil }
    let made = ring.sign(challenge: capability.challenge, relyingParty: capability.relyingPartyIdentifier ?? "")
    try capability.challenge(
      authenticatorData: made.authenticatorData, clientData: made.clientData, signatureData: made.signature)
    return try await remediation.proceed()
  }
}
