// A device is enrolled, changed and removed (device.md §4.1-§4.5).

import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceEnrollmentTests {
  @Test func `the org says its id without a token`() async throws {
    try await withOrg { org, wire in
      let reply = try await wire.get("/.well-known/okta-organization")
      #expect(reply.status == 200)
      #expect(try reply.text("id") == "00o1simulatedorg0000")
      #expect(try reply.text("_links.organization.href") == org.url.absoluteString)
    }
  }

  @Test func `the configuration names the authenticator of a client, and none for a client it does not serve`()
    async throws
  {
    var authenticator = OrgAppAuthenticator(userVerification: .required, needsHardwareKeys: true)
    authenticator.clients = [OrgClient.sample.id]
    let other = OrgClient(id: "other", redirectURIs: [])
    let devices = OrgDevices().with { $0.authenticators = [authenticator] }
    try await withOrg(.init(clients: [.sample, other], devices: devices)) { org, wire in
      let path = "/.well-known/app-authenticator-configuration?oauthClientId="
      let reply = try await wire.get(path + OrgClient.sample.id)
      #expect(reply.status == 200)
      #expect(try reply.text("0.authenticatorId") == authenticator.id)
      #expect(try reply.text("0.orgId") == "00o1simulatedorg0000")
      #expect(try reply.text("0.key") == "custom_app")
      #expect(try reply.text("0.settings.userVerification") == "REQUIRED")
      #expect(try reply.text("0.supportedMethods.0.type") == "push")
      #expect(try reply.text("0.supportedMethods.0.settings.keyProtection") == "HARDWARE")
      #expect(
        try reply.text("0.appAuthenticatorEnrollEndpoint")
          == org.url.absoluteString + "/idp/myaccount/app-authenticators")
      #expect(try await wire.get(path + "other").bodyText == "[]")
      #expect(try await wire.get(path + "nobody").bodyText == "[]")
      #expect(try await wire.get("/.well-known/app-authenticator-configuration").errorCode == "E0000001")
    }
  }

  @Test func `a token that comes with the question for the configuration must be good`() async throws {
    try await withOrg { org, _ in
      let handset = try await Handset(org)
      let path = "/.well-known/app-authenticator-configuration?oauthClientId=" + OrgClient.sample.id
      #expect(try await handset.send("GET", path, authorization: "Bearer " + handset.token("read")).status == 200)
      #expect(try await handset.send("GET", path, authorization: "Bearer no").errorCode == "E0000011")
      let weak = try await handset.send("GET", path, authorization: "Bearer " + handset.token("maintenance.read"))
      #expect(weak.errorCode == "E0000006")
    }
  }

  @Test func `a new device is enrolled with all the ids that it needs`() async throws {
    try await withOrg { org, _ in
      var handset = try await Handset(org)
      let reply = try await handset.enroll()
      for (path, prefix) in [
        ("id", "pfd"), ("user.id", "00u"), ("device.id", "guo"), ("device.clientInstanceId", "cli"),
        ("methods.push.id", "opf"),
      ] {
        #expect(try reply.text(path).hasPrefix(prefix))
      }
      #expect(try reply.text("device.status") == "ACTIVE")
      #expect(try reply.text("user.username") == People.ann.login)
      #expect(try reply.text("device.profile.displayName") == "build-host-7")
      #expect(try reply.text("links.self.href").hasSuffix("/app-authenticators/" + handset.enrollmentID))
      let kept = try #require(org.enrollments(of: People.ann.login).first)
      #expect(kept.possessionKeyID == handset.possession.id && kept.verificationKeyID == handset.verification?.id)
      #expect(kept.pushToken == "0badcafe" && kept.transactionTypes == [.login, .ciba])
      #expect(kept.apsEnvironment == "PRODUCTION" && kept.profile["clientInstanceKey"] == nil)
    }
  }

  @Test func `user verification that is null or left out is none`() async throws {
    try await withOrg { org, _ in
      for explicit in [true, false] {
        let handset = try await Handset(org)
        var body = try handset.enrollment()
        body[at: "methods/push/keys/userVerification"] = explicit ? NSNull() : nil
        body[at: "methods/push/capabilities"] = nil
        let reply = try await handset.send(
          "POST", "/idp/myaccount/app-authenticators", body, authorization: "Bearer " + handset.token("manage"))
        let kept = try #require(org.enrollment(id: try reply.text("id")))
        #expect(kept.verificationKeyID == nil)
        #expect(kept.transactionTypes == [.login])
      }
    }
  }

  @Test func `two users of one device share its record by an attestation`() async throws {
    try await withHandset { org, first in
      let second = try await Handset.enrolled(org, People.bob.login) {
        $0.known = (first.deviceID, first.clientInstanceID)
        $0.instance = first.instance
      }
      #expect(second.deviceID == first.deviceID && second.clientInstanceID == first.clientInstanceID)
      #expect(second.enrollmentID != first.enrollmentID && second.userID != first.userID)
      #expect(org.enrollment(id: first.enrollmentID)?.status == .active)
    }
  }

  @Test func `enrolling again from the same installation replaces the enrollment`() async throws {
    try await withHandset { org, first in
      let challenge = try first.challenged()
      let second = try await Handset.enrolled(org, People.ann.login) { $0.installation = first.installation }
      #expect(org.enrollment(id: first.enrollmentID)?.status == .deleted)
      #expect(org.enrollment(id: second.enrollmentID)?.status == .active)
      #expect(org.challenge(id: challenge.id)?.status == .superseded)
    }
  }

  @Test func `a change of the push token leaves everything else alone`() async throws {
    try await withHandset { org, handset in
      let id = handset.enrollmentID
      let before = try #require(org.enrollment(id: id))
      let reply = try await handset.patch(["pushToken": "feed", "unknown": 1], scope: "maintenance.manage")
      #expect(reply.status == 200)
      #expect(try reply.text("methods.push.id") == handset.methodID)
      let after = try #require(org.enrollment(id: id))
      #expect(after.pushToken == "feed")
      #expect(after.verificationKeyID == before.verificationKeyID && after.transactionTypes == before.transactionTypes)
    }
  }

  @Test func `user verification goes off by null and on by a key`() async throws {
    try await withHandset { org, handset in
      let off = try await handset.patch(["keys": ["userVerification": NSNull()]])
      #expect(off.status == 200)
      #expect(org.enrollment(id: handset.enrollmentID)?.verificationKeyID == nil)
      let key = TestKey(id: "new")
      let on = try await handset.patch(["keys": ["userVerification": key.webKey], "pushToken": "ab"])
      #expect(on.status == 200)
      #expect(org.enrollment(id: handset.enrollmentID)?.verificationKeyID == "new")
      #expect(org.enrollment(id: handset.enrollmentID)?.pushToken == "ab")
    }
  }

  @Test func `capabilities go off and on`() async throws {
    try await withHandset { org, handset in
      for types in [["LOGIN"], ["LOGIN", "CIBA"]] {
        let reply = try await handset.patch(
          ["capabilities": ["transactionTypes": types]], scope: "maintenance.manage")
        #expect(reply.status == 200)
        #expect(org.enrollment(id: handset.enrollmentID)?.transactionTypes.count == types.count)
      }
    }
  }

  @Test func `a removed enrollment is gone`() async throws {
    try await withHandset { org, handset in
      let path = "/idp/myaccount/app-authenticators/" + handset.enrollmentID
      let reply = try await handset.send("DELETE", path, authorization: "Bearer " + handset.token("manage"))
      #expect(reply.status == 204 && reply.body.isEmpty && reply.header("Content-Length") == nil)
      #expect(org.enrollment(id: handset.enrollmentID)?.status == .deleted)
      let again = try await handset.send("DELETE", path, authorization: "Bearer " + handset.token("manage"))
      #expect(again.status == 410 && again.errorCode == "E0000154")
    }
  }
}
