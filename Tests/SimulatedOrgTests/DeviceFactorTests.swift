// Duo, U2F and WebAuthn: what a browser does between two requests is played here (authn.md §5.2, §5.3, §7).

import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceFactorTests {
  /// What a browser hands over for a challenge.
  private func clientData(_ challenge: String) -> String {
    Data(#"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"https://acme.example"}"#.utf8)
      .base64EncodedString()
  }

  @Test(arguments: [OrgFactor.u2f, .webauthn(name: "Key")])
  func `a key signs the challenge it was given`(factor: OrgFactor) async throws {
    let user = People.user(factors: [factor])
    let name = factor == .u2f ? "nonce" : "challenge"
    try await withOrg(.init(users: [user])) { _, client in
      let challenge = try await client.challenge(user)
      #expect(challenge.statusText == "MFA_CHALLENGE")
      #expect(challenge.value("factorResult") as? String == (factor == .u2f ? nil : "CHALLENGE"))
      let nonce = try challenge.text("_embedded.factor._embedded.challenge.\(name)")
      var body: [String: Any] = [
        "clientData": clientData("another"), "signatureData": "c2ln", "authenticatorData": "YXV0aA",
      ]
      #expect(try await client.follow(challenge, "_links.next", body).errorCode == "E0000068")
      body["clientData"] = clientData(nonce)
      #expect(try await client.follow(challenge, "_links.next", body).statusText == "SUCCESS")
      #expect(try await client.challenge(user).text("_embedded.factor._embedded.challenge.\(name)") != nonce)
    }
  }

  @Test(arguments: [(OrgFactorOffer.Kind.u2f, "nonce", "registrationData"), (.webauthn, "challenge", "attestation")])
  func `a key is set up with the challenge it was given`(
    kind: OrgFactorOffer.Kind, name: String, proof: String
  ) async throws {
    let user = OrgUser(
      login: "hal@acme.example", password: People.password, mfaRequired: true, offers: [.init(kind)])
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      let wanted: [String: Any] = ["factorType": try list.text("_embedded.factors.0.factorType"), "provider": "FIDO"]
      let activate = try await client.follow(list, "_embedded.factors.0._links.enroll", wanted)
      #expect(activate.statusText == "MFA_ENROLL_ACTIVATE")
      let nonce = try activate.text("_embedded.factor._embedded.activation.\(name)")
      let body: [String: Any] = ["clientData": clientData(nonce), proof: "cHJvb2Y"]
      #expect(try await client.follow(activate, "_links.next", ["clientData": "?"]).errorCode == "E0000068")
      #expect(try await client.follow(activate, "_links.next", body).statusText == "SUCCESS")
    }
  }

  @Test func `Duo's widget reports back, and the next poll succeeds`() async throws {
    let user = People.user(factors: [.duo])
    try await withOrg(.init(users: [user])) { _, client in
      let challenge = try await client.challenge(user)
      #expect(try challenge.text("factorResult") == "WAITING")
      #expect(try challenge.text("_links.next.name") == "poll")
      #expect(challenge.value("_links.resend") == nil)
      let verification = "_embedded.factor._embedded.verification."
      #expect(try challenge.text(verification + "host").hasSuffix("duosecurity.com"))
      #expect(try await client.follow(challenge, "_links.next").text("factorResult") == "WAITING")
      let (id, token) = (try challenge.text("_embedded.factor.id"), try challenge.text("stateToken"))
      client.headers[1].1 = "application/x-www-form-urlencoded"
      let complete = try challenge.text(verification + "_links.complete.href")
      let empty = try await client.request("POST", complete, "id=\(id)&stateToken=\(token)")
      #expect(empty.errorCode == "E0000001")
      let form = "id=\(id)&stateToken=\(token)&sig_response=AUTH%7Cx+y%3AAPP%7Cz"
      #expect(try await client.request("POST", complete, form).status == 200)
      client.headers[1].1 = "application/json"
      #expect(try await client.follow(challenge, "_links.next").statusText == "SUCCESS")
    }
  }

  @Test func `Duo is set up through its widget, or by an answer from the phone`() async throws {
    let user = OrgUser(login: "ida@acme.example", password: People.password, mfaRequired: true, offers: [.init(.duo)])
    try await withOrg(.init(users: [user])) { org, client in
      let list = try await client.signIn(user)
      let wanted: [String: Any] = ["factorType": "web", "provider": "DUO"]
      let activate = try await client.follow(list, "_embedded.factors.0._links.enroll", wanted)
      #expect(activate.statusText == "MFA_ENROLL_ACTIVATE")
      #expect(try activate.text("_embedded.factor._embedded.activation.factorResult") == "WAITING")
      org.answerPush(for: user.login, .timeOut)
      let late = try await client.follow(activate, "_links.next")
      #expect(try late.text("factorResult") == "TIMEOUT")
      let again = try await client.follow(late, "_links.next")
      let token = try again.text("stateToken")
      client.headers.removeLast()
      let complete = try again.text("_embedded.factor._embedded.activation._links.complete.href")
      let done = try await client.request("POST", complete, "stateToken=\(token)&sig_response=AUTH")
      #expect(done.statusText == "MFA_ENROLL_ACTIVATE")
      client.headers.append(("Content-Type", "application/json"))
      #expect(try await client.follow(again, "_links.next").statusText == "SUCCESS")
    }
  }
}
