// What the writes of a flow leave in storage.

import EventStore
import FlowRecording

extension HostTables {
  private static let policy = JSON.members([
    ("write", "policy"), ("policy", HostSamples.policy), ("clientID", "client-1"),
  ])
  private static let enrollment = JSON.members([
    ("write", "enrollment"), ("enrollment", HostSamples.enrollment.json), ("device", HostSamples.device.json),
  ])
  private static let claim: JSON = [
    "write": "claim", "transaction": "ft-1", "enrollment": "pfd-1", "fingerprint": "print-1", "expiry": 100, "now": 50,
    "response": "not yet", "responseExpiry": 5,
  ]

  /// Writes of policies and enrollments.
  private static let enrollmentWrites: [JSON] = [
    [:], ["write": "other"], ["write": "policy"], policy,
    HostSamples.with(["orgID": "00o-2", "clientID": nil], in: policy),
    HostSamples.with(["policy": ["orgId": "00o-1"]], in: policy), ["write": "enrollment"], enrollment,
    HostSamples.with(["enrollment": stored(["orgID": "00o-2"])], in: enrollment),
    ["write": "enrollment", "enrollment": ["id": "pfd-1"]],
    ["write": "enrollment", "enrollment": stored(["userName": "bob"])],
    ["write": "enrollment", "device": ["orgID": "00o-1"], "enrollment": stored(["id": "pfd-2"])],
  ]

  private static func stored(_ changes: JSON) -> JSON { HostSamples.with(changes, in: HostSamples.enrollment.json) }

  private static func change(_ set: JSON, updated: JSON = nil, of enrollment: String = "pfd-1") -> JSON {
    ["write": "change", "enrollment": .string(enrollment), "set": set, "updated": updated]
  }

  /// Changes to stored enrollments.
  private static let changes: [JSON] = [
    ["write": "change"], ["write": "change", "enrollment": "pfd-1"],
    change(["userVerificationTag": "uv-2"], updated: "5.5"),
    change(["userVerificationTag": nil], updated: "soon"), change(["transactionTypes": ["B", 5, "A"]], updated: 7),
    change(["transactionTypes": "A", "serverErrorCode": "E0000008"]),
    change(["serverErrorCode": nil, "userName": "eve"]), change(["serverErrorCode": "E0000008"], of: "pfd-9"),
  ]

  private static func claimed(_ changes: JSON) -> JSON { HostSamples.with(changes, in: claim) }

  /// Writes of transactions, and deletions.
  private static let transactionWrites: [JSON] = [
    claim, claim, claimed(["fingerprint": "print-2"]), claimed(["now": 100, "expiry": nil]), claimed(["now": 101]),
    claimed(["write": "answer", "response": "jwt", "responseExpiry": 90]),
    claimed(["write": "answer", "response": "other"]), claim,
    claimed(["write": "close", "serverErrorCode": "E0000153"]), claimed(["write": "close"]),
    claimed(["write": "close", "serverErrorCode": 5, "enrollment": "pfd-2"]), ["write": "answer"],
    ["write": "claim"], ["write": "delete"], ["write": "delete", "enrollment": "pfd-2"],
    ["write": "delete", "enrollment": "pfd-1"], ["write": "delete", "enrollment": "pfd-1"],
  ]

  /// The result of each write, and what is stored after it.
  static var stores: [String] {
    let storage = MemoryEnrollmentStorage()
    let services = services(storage, HostKeys())
    var lines = (enrollmentWrites + changes + transactionWrites).map { write in
      line(write.text, "\(show(services.store(write, by: "device/7"))) | \(contents(storage))")
    }
    lines.append(line("text", show(services.store("text", by: "device/7"))))
    storage.fail(with: .sqlite(code: 11, reason: "why"))
    return lines + [policy, enrollment, claim].map { line("broken", show(services.store($0, by: "device/7"))) }
  }

  private static func contents(_ storage: MemoryEnrollmentStorage) -> String {
    let enrollments = ((try? storage.enrollments()) ?? []).map(\.json.text)
    let orgs = ["00o-1", "00o-2"].map { org in
      let policy = (try? storage.policy(orgID: org)).map { "\($0.orgID) \($0.id) \($0.clientID)" } ?? "-"
      return "\(policy) \((try? storage.device(orgID: org))?.json.text ?? "-")"
    }
    let transactions = ["ft-1", ""].map { id in (try? storage.transaction(id: id)).map { show($0) } ?? "-" }
    return "\(enrollments) \(orgs) \(transactions)"
  }

  /// The facts known about a device, keyed by their names on the wire.
  static var facts: [String] {
    let whole = DeviceProfile(
      displayName: "Ann's <b>PC</b>", platform: "IOS", osVersion: "1.2.3", manufacturer: "Maker", model: "Model",
      serialNumber: "serial", udid: "udid", diskEncryptionType: "FULL")
    let profiles = [
      nil, whole, DeviceProfile(displayName: "<x>", osVersion: ""), DeviceProfile(displayName: "", osVersion: "1"),
    ]
    let least = profiles.map { profile in
      line("profile", services(MemoryEnrollmentStorage(), HostKeys(), profile: profile).facts.text)
    }
    let verified = VerifierCapability.allCases.flatMap { capability in
      [KeyProtection.software, .hardware].map { protection -> String in
        let services = services(
          MemoryEnrollmentStorage(), HostKeys(protection), verifier: ScriptedVerifier(capability: capability),
          profile: whole, application: ["clientInstanceBundleId": "bundle", "authenticatorAppKey": "app"])
        return line("\(capability.rawValue) \(protection.rawValue)", services.facts.text)
      }
    }
    return least + verified
  }
}
