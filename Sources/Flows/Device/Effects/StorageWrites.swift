// The writes of a flow into storage, each one transaction.

import EventStore
import FlowRecording

extension DeviceServices {
  /// Performs a write that a core asked for.
  ///
  /// - Parameters:
  ///   - input: `write` says which, the other members what.
  ///   - stream: the flow that writes.
  func store(_ input: JSON, by stream: String) -> Result<JSON, DrawFailure> {
    do throws(StorageFailure) {
      var input = input
      if case .object(var object) = input {
        object["stream"] = .string(stream)
        input = .object(object)
      }
      switch input["write"]?.string {
      case "policy": try storePolicy(input)
      case "enrollment":
        let orphaned = try storeEnrollment(input)
        return .success(
          .members([("done", true), ("orphaned", orphaned.isEmpty ? nil : .array(orphaned.map(JSON.string)))]))
      case "change": try change(input)
      case "delete":
        let deleted = try storage.delete(enrollment: input["enrollment"]?.string ?? "")
        return .success([
          "done": .bool(deleted != nil), "orphaned": .array((deleted?.orphanedTags ?? []).map(JSON.string)),
        ])
      case "claim": return .success(try claim(input))
      case "answer": try save(input, stage: .signed)
      case "close": try close(input)
      case let other: return .failure(DrawFailure(.failed, "storage.generalStorageError: no write \(other ?? "")"))
      }
      return .success(["done": true])
    } catch {
      return .failure(DrawFailure(error))
    }
  }

  private func storePolicy(_ input: JSON) throws(StorageFailure) {
    let content = input["policy"] ?? [:]
    guard let policy = PolicyReading(content) else { throw .unreadable(reason: "the policy is not whole") }
    try storage.save(
      StoredPolicy(
        orgID: input["orgID"]?.string ?? policy.orgID, id: policy.authenticatorID,
        clientID: input["clientID"]?.string ?? "", content: content))
  }

  /// Stores an enrollment, and the device record if it is another one.
  ///
  /// - Returns: the tags of keys that nothing stored names any more: those of an enrollment with the same id, and of the device
  ///   record before.
  private func storeEnrollment(_ input: JSON) throws(StorageFailure) -> [String] {
    guard let enrollment = input["enrollment"].flatMap(StoredEnrollment.init) else {
      throw .unreadable(reason: "the enrollment is not whole")
    }
    let all = try storage.enrollments()
    let known = all.first { $0.id == enrollment.id }
    if let known, known.orgID != enrollment.orgID {
      throw .unreadable(reason: "the org gave the enrollment an id that is another org's here; delete that one first")
    }
    let device = input["device"].flatMap(StoredDevice.init)
    var before = known?.keyTags ?? []
    if let device, let old = try storage.device(orgID: device.orgID) { before.append(old.clientInstanceTag) }
    let staying = all.filter { $0.id != enrollment.id } + [enrollment]
    let named = Set(staying.flatMap(\.keyTags) + [device?.clientInstanceTag].compactMap(\.self))
    // The device first: without its record the enrollment could not answer.
    if let device { try storage.save(device) }
    try storage.save(enrollment)
    return before.filter { !named.contains($0) }
  }

  /// Changes the members of an enrollment that are named; null takes one away.
  private func change(_ input: JSON) throws(StorageFailure) {
    let set = input["set"] ?? [:]
    let updated = input["updated"]?.string.flatMap(Double.init)
    try storage.update(enrollment: input["enrollment"]?.string ?? "") { enrollment in
      if let tag = set["userVerificationTag"] { enrollment.userVerificationTag = tag.string }
      if let types = set["transactionTypes"]?.array { enrollment.transactionTypes = Set(types.compactMap(\.string)) }
      if let code = set["serverErrorCode"] { enrollment.serverErrorCode = code.string }
      if let updated { enrollment.updated = updated }
    }
  }

  private func transaction(_ input: JSON, stage: StoredTransaction.Stage) -> StoredTransaction {
    StoredTransaction(
      id: input["transaction"]?.string ?? "", enrollmentID: input["enrollment"]?.string ?? "",
      fingerprint: input["fingerprint"]?.string ?? "", stream: input["stream"]?.string ?? "", stage: stage,
      response: stage == .signed ? input["response"]?.string : nil,
      responseExpiry: stage == .signed ? input["responseExpiry"]?.int.map(Double.init) : nil,
      expiry: input["expiry"]?.int.map(Double.init) ?? 0)
  }

  /// The first to claim a transaction answers it. It is claimed once the person has answered, so that
  /// who finds the claim must not ask again, in whatever process.
  private func claim(_ input: JSON) throws(StorageFailure) -> JSON {
    let mine = transaction(input, stage: .asked)
    let now = input["now"]?.int.map(Double.init) ?? 0
    guard let other = try storage.claim(mine, now: now) else { return ["claimed": true] }
    return [
      "claimed": false, "stage": .string(other.stage.rawValue), "isSame": .bool(other.fingerprint == mine.fingerprint),
    ]
  }

  private func save(_ input: JSON, stage: StoredTransaction.Stage) throws(StorageFailure) {
    try storage.save(transaction(input, stage: stage))
  }

  private func close(_ input: JSON) throws(StorageFailure) {
    try save(input, stage: .ended)
    guard let code = ServerError.code(of: input["serverErrorCode"]) else { return }
    try storage.update(enrollment: input["enrollment"]?.string ?? "") { $0.serverErrorCode = code }
  }
}
