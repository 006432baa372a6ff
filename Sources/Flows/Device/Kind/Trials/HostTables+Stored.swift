// Stored values converted to and from JSON, and the results of drawing them.

import EventStore
import FlowRecording

extension HostTables {
  /// Stored values that are written and read again.
  static var storedForms: [String] {
    let enrollment = (HostSamples.enrollment.json.object?.members ?? []).map { ($0.key, Optional($0.value)) }
    let device = (HostSamples.device.json.object?.members ?? []).map { ($0.key, Optional($0.value)) }
    let odd: [JSON] = [
      ["id": 5], ["orgID": nil], ["userName": 5], ["transactionTypes": "LOGIN"], ["transactionTypes": ["B", 5, "A"]],
      ["created": 5], ["updated": "soon"], ["created": "1.25"],
    ]
    var enrollments: [JSON] = [[:], "text"]
    enrollments += odd.map { HostSamples.with($0, in: HostSamples.enrollment.json) }
    enrollments += RuntimeTables.withEachLeftOut(of: enrollment).map { JSON.members($0) }
    var devices: [JSON] = [["orgID": 5]]
    devices += RuntimeTables.withEachLeftOut(of: device).map { JSON.members($0) }
    let least = StoredEnrollment(id: "i", orgID: "o", orgURL: "u", userID: "p", deviceID: "d")
    let policies: [JSON] = [
      HostSamples.policy, HostSamples.with(["supportedMethods": []], in: HostSamples.policy), [:],
    ]
    let transactions = [
      HostSamples.transaction(), HostSamples.transaction(.signed, response: "jwt"), HostSamples.transaction(.ended),
      HostSamples.transaction(.signed, response: HostSamples.answer("DENIED_CONSENT_PROMPT")),
      HostSamples.transaction(.signed, response: HostSamples.answer("NONE")),
    ]
    var lines = enrollments.map { line($0.text, StoredEnrollment($0)?.json.text) }
    lines += devices.map { line($0.text, StoredDevice($0)?.json.text) }
    lines += policies.map { content in
      line(content.text, StoredPolicy(orgID: "o", id: "i", clientID: "c", content: content).json.text)
    }
    lines += transactions.map { line($0.description, $0.json.text) }
    return lines + [line("least", least.json.text)] + failures
  }

  /// Reasons for which storage and keys could not be used.
  private static var failures: [String] {
    let storage: [StorageFailure] = [
      .directory(path: "place", reason: "why"), .migration(reason: "why"), .sqlite(code: 5, reason: "why"),
      .unreadable(reason: "why"),
    ]
    let keys: [KeyStoreError] = [
      .notFound(tag: "tag"), .invalidated(tag: "tag"), .notVerified(tag: "tag"), .lockedOut(tag: "tag"),
      .notMade(tag: "tag", reason: "why"), .unavailable(reason: "place"),
    ]
    let draws: [DrawFailure] = DrawFailure.Reason.allCases.flatMap { reason in
      [
        nil, "", "text", "storage.sqliteError: text (5)", "storage.other", ": text", "keyGenFailed: text",
        "failedToSignPayload: a: b", "jwkError", "generalEncryptionError:  text", "other: text", "storage.:x",
      ].map { DrawFailure(reason, $0) }
    }
    let refusals = draws.map { failure -> String in
      let refusal = Refusal(failure)
      let cause = KeyFallback.Cause(failure.reason).rawValue
      return line(show(failure), "\(refusal.code) \(refusal.details.text) \(cause)")
    }
    return storage.map { show($0) } + keys.map { show($0) } + refusals
  }

  private static let organization: JSON = ["enrollment": "pfd-1", "org": "00o-1", "transaction": "ft-1"]

  /// The parts of stored values that a flow receives.
  static var excerpts: [String] {
    let storage = MemoryEnrollmentStorage()
    let keys = HostKeys()
    let services = services(storage, keys)
    var lines = [line("empty", show(services.stored(organization)))]
    let tags: [String?] = ["uv-1", "lost", "locked", "broken", nil]
    for tag in tags {
      var enrollment = HostSamples.enrollment
      enrollment.userVerificationTag = tag
      try? storage.save(enrollment)
      lines.append(line("key \(tag ?? "-")", show(services.stored(["enrollment": "pfd-1"]))))
    }
    lines += invalidated
    var (other, third) = (HostSamples.enrollment, HostSamples.enrollment)
    (other.id, other.orgURL) = ("pfd-2", "https://aaa.example")
    (third.id, third.orgID, third.orgURL) = ("pfd-3", "00o-2", "https://third.example")
    for enrollment in [other, third] { try? storage.save(enrollment) }
    try? storage.save(HostSamples.device)
    try? storage.save(StoredPolicy(orgID: "00o-1", id: "aut-1", clientID: "c", content: HostSamples.policy))
    try? storage.save(HostSamples.transaction(.signed, response: "jwt"))
    let inputs: [JSON] = [
      organization, [:], ["enrollment": "pfd-1"], ["enrollment": "pfd-3"], ["enrollment": "pfd-9"],
      ["org": "00o-1"], ["org": "00o-2"], ["org": "00o-9"], ["transaction": "ft-1"],
      ["enrollment": "pfd-3", "org": "00o-1"], ["enrollment": nil, "org": "00o-1"],
    ]
    lines += inputs.map { line($0.text, show(services.stored($0))) }
    storage.fail(with: .unreadable(reason: "why"))
    return lines + [line("broken", show(services.stored(["org": "00o-1"])))]
  }

  /// Keys that were bound under one enrolled set, and how they behave under another.
  private static var invalidated: [String] {
    let (storage, keys) = (MemoryEnrollmentStorage(), MemoryKeyStore())
    let receipt = VerificationReceipt(method: .pin, secret: Array(repeating: 7, count: 32), epoch: [1])
    _ = try? keys.add(
      privateKey: Array(1...32), tag: "uv-1", role: .userVerification, binding: KeyBinding(receipt))
    _ = try? keys.add(privateKey: Array(1...32), tag: "pop-1", role: .proofOfPossession)
    var enrollment = HostSamples.enrollment
    return ["uv-1", "pop-1", "lost"].flatMap { tag in
      [[1], [2], []].map { (epoch: [UInt8]) -> String in
        enrollment.userVerificationTag = tag
        try? storage.save(enrollment)
        let services = DeviceServices(
          keys: keys, storage: storage, verifier: ScriptedVerifier(epoch: epoch), signals: FixedSignals(),
          application: [:])
        return line("key \(tag) under \(epoch)", show(services.stored(["enrollment": "pfd-1"])))
      }
    }
  }

  /// Services of a device with the given storage and keys.
  static func services(
    _ storage: MemoryEnrollmentStorage, _ keys: HostKeys, verifier: any UserVerifier = NoVerifier(),
    profile: DeviceProfile? = nil, application: JSON = [:], plugins: [any SignalPlugin] = []
  ) -> DeviceServices {
    DeviceServices(
      keys: keys, storage: storage, verifier: verifier, signals: profile.map { FixedSignals($0) } ?? FixedSignals(),
      application: application, plugins: plugins)
  }
}
