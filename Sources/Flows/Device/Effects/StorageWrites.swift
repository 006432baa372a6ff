// The storage writes of a flow; each is one transaction.

import EventStore
import FlowRecording

extension DeviceServices {
  /// Performs a write that the core requested.
  ///
  /// - Parameters:
  ///   - input: the member `write` names the operation; the other members are its data.
  ///   - stream: the stream of the flow that writes.
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

  /// Stores an enrollment, and its device record if it is a different one.
  ///
  /// - Returns: the tags of keys that nothing in storage references anymore: those of an earlier enrollment with the
  ///   same ID, and those of the previous device record.
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
    // The device is saved first, because the enrollment cannot answer without its record.
    if let device { try storage.save(device) }
    try storage.save(enrollment)
    return before.filter { !named.contains($0) }
  }

  /// Changes the named members of an enrollment; null removes a member.
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

  /// Claims a transaction; the flow that claims it first answers it. The claim is made after the person has answered,
  /// so a process that finds a claim must not ask again.
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
