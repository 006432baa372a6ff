// The rules for changing stored transactions (spec/device.md §9.6, §12), shared by every storage.

extension StoredTransaction {
  /// The transaction as it is stored: once it has ended, the secret answer is no longer needed and is removed.
  var kept: StoredTransaction {
    guard stage == .ended else { return self }
    var kept = self
    kept.response = nil
    return kept
  }

  /// Whether this equals what is known about the same transaction, including the answer.
  func isStill(_ known: StoredTransaction) -> Bool { self == known.kept }

  /// Rejects a change that could ask a person twice or send an org two different answers.
  func check(follows known: StoredTransaction) throws(StorageFailure) {
    guard stage.order >= known.stage.order else {
      throw Self.conflict(id, "is \(known.stage.rawValue) already and does not go back to \(stage.rawValue)")
    }
    guard fingerprint == known.fingerprint, enrollmentID == known.enrollmentID else {
      throw Self.conflict(id, "is known with other claims")
    }
    if known.stage == .signed, stage == .signed, response != known.response {
      throw Self.conflict(id, "has an answer already; another one is not taken")
    }
  }

  /// Rejects what `check(follows:)` rejects, and replacing one transaction with another.
  func check(replaces known: StoredTransaction) throws(StorageFailure) {
    guard id == known.id else { throw Self.conflict(known.id, "is not replaced by \(id)") }
    try check(follows: known)
  }

  /// SQLite's code for a constraint violation (SQLITE_CONSTRAINT).
  private static let constraint: Int32 = 19

  private static func conflict(_ id: String, _ what: String) -> StorageFailure {
    .sqlite(code: constraint, reason: "transaction \(id) \(what)")
  }
}

extension StoredTransaction.Stage {
  /// Stages only increase.
  var order: Int {
    switch self {
    case .asked: 0
    case .signed: 1
    case .ended: 2
    }
  }
}

extension StoredEnrollment {
  /// The tags of the enrollment's keys: proof of possession, user verification, and biometrics or PIN.
  var keyTags: [String] { [proofOfPossessionTag, userVerificationTag, bioOrPinTag].compactMap(\.self) }
}

extension DeletedEnrollment {
  /// Determines what is deleted together with an enrollment.
  ///
  /// - Parameters:
  ///   - others: the enrollments that remain, of any org.
  ///   - device: the device record of the enrollment's org.
  ///   - otherDevices: the device records of other orgs.
  init(_ enrollment: StoredEnrollment, others: [StoredEnrollment], device: StoredDevice?, otherDevices: [StoredDevice])
  {
    let isLast = !others.contains { $0.orgID == enrollment.orgID }
    let gone = isLast ? device : nil
    let staying = otherDevices + (isLast ? [] : [device].compactMap(\.self))
    let named = Set(others.flatMap(\.keyTags) + staying.map(\.clientInstanceTag))
    var orphaned: [String] = []
    for tag in enrollment.keyTags + [gone?.clientInstanceTag].compactMap(\.self)
    where !named.contains(tag) && !orphaned.contains(tag) { orphaned.append(tag) }
    self.init(enrollment: enrollment, device: gone, orphanedTags: orphaned)
  }
}
