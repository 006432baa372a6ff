// Security keys (idx.md §8.11): real challenges, attestations and signatures.

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXWebAuthnTests {
  private let key = SoftwareAuthenticator(name: "Cat's key")
  private var user: OrgUser { People.user(factors: [.webauthn(name: "Cat's key")]) }

  private func challenge(_ walk: IDXWalker) throws -> String {
    try walk.reply.text("currentAuthenticator.value.contextualData.challengeData.challenge")
  }

  private func body(_ assertion: SoftwareAuthenticator.Assertion) -> [String: Any] {
    [
      "credentials": [
        "clientData": assertion.clientData, "authenticatorData": assertion.authenticatorData,
        "signatureData": assertion.signatureData,
      ]
    ]
  }

  @Test("a key signs the challenge and lets in")
  func sign() async throws {
    try await withWalk(policy("two-factors"), [user]) { walk in
      try await walk.password(user)
      #expect(try walk.reply.text("authenticatorEnrollments.value.0.credentialId") == key.credentialId)
      let assertion = key.sign(challenge: try challenge(walk), origin: walk.org.url.absoluteString)
      try await walk.send("challenge-authenticator", body(assertion))
      #expect(walk.isDone)
    }
  }

  @Test("another key, another challenge, another origin, another party, a damaged signature: none lets in")
  func refused() async throws {
    try await withWalk(policy("two-factors"), [user], { $0.wrongCodeLimit = 50 }) { walk in
      try await walk.password(user)
      let (asked, origin) = (try challenge(walk), walk.org.url.absoluteString)
      var wrong = [
        SoftwareAuthenticator(name: "other").sign(challenge: asked, origin: origin),
        key.sign(challenge: "AAAA", origin: origin), key.sign(challenge: asked, origin: "https://evil.example"),
        key.sign(challenge: asked, origin: origin, relyingParty: "evil.example"),
      ]
      let right = key.sign(challenge: asked, origin: origin)
      let forged = "MEQCIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAiAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQ=="
      for text in [forged, "", "AAAA", "?"] {
        wrong.append(
          .init(clientData: right.clientData, authenticatorData: right.authenticatorData, signatureData: text))
      }
      for assertion in wrong {
        try await walk.send("challenge-authenticator", body(assertion))
        #expect(walk.reply.status == 401)
        #expect(walk.messages == ["authfactor.webauthn.error"])
      }
      try await walk.send("challenge-authenticator", body(right))
      #expect(walk.isDone)
    }
  }

  @Test("a key is registered by its attestation and is a factor then")
  func register() async throws {
    let new = SoftwareAuthenticator(name: "a new key")
    try await withWalk(policy("enrol-optional"), [People.ann]) { walk in
      try await walk.password(People.ann)
      try await walk.choose("Security Key or Biometric", in: "select-authenticator-enroll")
      let data = "currentAuthenticator.value.contextualData.activationData"
      #expect(try walk.reply.text("\(data).user.name") == "ann@acme.example")
      let asked = try walk.reply.text("\(data).challenge")
      let wrong = new.register(challenge: "AAAA", origin: walk.org.url.absoluteString)
      try await walk.send(
        "enroll-authenticator", ["credentials": ["clientData": wrong.clientData, "attestation": wrong.attestation]])
      #expect(walk.reply.status == 401)
      let right = new.register(challenge: asked, origin: walk.org.url.absoluteString)
      for attestation in ["", "oA==", String(right.attestation.dropLast(8)), wrong.attestation] {
        try await walk.send(
          "enroll-authenticator", ["credentials": ["clientData": right.clientData, "attestation": attestation]])
        #expect(walk.reply.status == 401 || walk.reply.status == 429)
      }
      try await walk.send(
        "enroll-authenticator", ["credentials": ["clientData": right.clientData, "attestation": right.attestation]])
      #expect(walk.reply.count("authenticators.value") == 6)
      let again = try await IDXWalker(walk.org, walk.wire)
      try await again.password(People.ann)
      let assertion = new.sign(challenge: try challenge(again), origin: walk.org.url.absoluteString)
      try await again.send("challenge-authenticator", body(assertion))
      #expect(again.reply.status == 200 && again.offered.first == "select-authenticator-enroll")
    }
  }

  @Test("a passkey answers on the first page and stands for both factors")
  func autofill() async throws {
    try await withWalk(policy("passkey"), [People.ann, user]) { walk in
      let asked = try walk.reply.text("webauthnAutofillUIChallenge.value.challengeData.challenge")
      let name = "challenge-webauthn-autofillui-authenticator"
      let stranger = SoftwareAuthenticator(name: "other").sign(challenge: asked, origin: walk.org.url.absoluteString)
      try await walk.send(name, body(stranger))
      #expect(walk.messages == ["authfactor.webauthn.error"])
      try await walk.send(name, body(key.sign(challenge: asked, origin: walk.org.url.absoluteString)))
      #expect(walk.isDone)
      #expect(try walk.reply.text("user.value.identifier") == user.login)
    }
  }
}
