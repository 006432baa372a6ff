// A storage that lasts as long as the process, for tests and demonstrations.

import FlowRecording

/// Keeps enrollments in memory, with the same rules as `SQLiteEnrollmentStorage`.
public final class MemoryEnrollmentStorage: EnrollmentStorage {
  private struct State {
    var enrollments: [StoredEnrollment] = []
    var policies: [String: StoredPolicy] = [:]
    var devices: [String: StoredDevice] = [:]
    var transactions: [String: StoredTransaction] = [:]
    var failure: StorageFailure?

    func index(_ id: String) -> Int? { enrollments.firstIndex { $0.id == id } }
  }

  private let state = Locked(State())

  /// Creates an empty storage.
  public init() {}

  /// Makes every call throw an error until this is set to `nil`, to simulate a failed disk in tests.
  public func fail(with failure: StorageFailure?) { state.withLock { $0.failure = failure } }

  /// Runs one atomic step on the state.
  private func step<Value>(_ body: (inout State) throws(StorageFailure) -> Value) throws(StorageFailure) -> Value {
    let result = state.withLock { state -> Result<Value, StorageFailure> in
      if let failure = state.failure { return .failure(failure) }
      do throws(StorageFailure) { return .success(try body(&state)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Returns all enrollments, in the order in which they were first saved.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  public func enrollments() throws(StorageFailure) -> [StoredEnrollment] { try step { $0.enrollments } }

  /// Returns the enrollment with an ID, or `nil`.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  public func enrollment(id: String) throws(StorageFailure) -> StoredEnrollment? {
    try step { state in state.index(id).map { state.enrollments[$0] } }
  }

  /// Stores an enrollment, replacing one with the same ID and org.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  public func save(_ enrollment: StoredEnrollment) throws(StorageFailure) {
    try step { state in
      let known = state.enrollments.firstIndex { $0.id == enrollment.id && $0.orgID == enrollment.orgID }
      if let known { state.enrollments[known] = enrollment } else { state.enrollments.append(enrollment) }
    }
  }

  /// Changes an enrollment in one step.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  @discardableResult
  public func update(enrollment id: String, _ change: @Sendable (inout StoredEnrollment) -> Void)
    throws(StorageFailure) -> StoredEnrollment?
  {
    try step { state in
      guard let index = state.index(id) else { return nil }
      change(&state.enrollments[index])
      return state.enrollments[index]
    }
  }

  /// Deletes an enrollment. If it was the org's last one, the org's policy and device record are deleted too.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  @discardableResult
  public func delete(enrollment id: String) throws(StorageFailure) -> DeletedEnrollment? {
    try step { state in
      guard let index = state.index(id) else { return nil }
      let enrollment = state.enrollments.remove(at: index)
      let deleted = DeletedEnrollment(
        enrollment, others: state.enrollments, device: state.devices[enrollment.orgID],
        otherDevices: state.devices.values.filter { $0.orgID != enrollment.orgID })
      if !state.enrollments.contains(where: { $0.orgID == enrollment.orgID }) {
        state.devices[enrollment.orgID] = nil
        state.policies[enrollment.orgID] = nil
      }
      return deleted
    }
  }

  /// Returns the policy of an org, or `nil`.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  public func policy(orgID: String) throws(StorageFailure) -> StoredPolicy? { try step { $0.policies[orgID] } }

  /// Stores an org's policy.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  public func save(_ policy: StoredPolicy) throws(StorageFailure) { try step { $0.policies[policy.orgID] = policy } }

  /// Returns the device record of an org, or `nil`.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  public func device(orgID: String) throws(StorageFailure) -> StoredDevice? { try step { $0.devices[orgID] } }

  /// Stores an org's device record.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  public func save(_ device: StoredDevice) throws(StorageFailure) { try step { $0.devices[device.orgID] = device } }

  /// Claims a transaction.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  public func claim(_ transaction: StoredTransaction, now: Double) throws(StorageFailure) -> StoredTransaction? {
    try step { state in
      state.transactions = state.transactions.filter { $0.value.expiry >= now }
      if let known = state.transactions[transaction.id] { return known }
      state.transactions[transaction.id] = transaction.kept
      return nil
    }
  }

  /// Returns what is known about a transaction, or `nil`.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any.
  public func transaction(id: String) throws(StorageFailure) -> StoredTransaction? {
    try step { $0.transactions[id] }
  }

  /// Stores the stage of a transaction.
  ///
  /// - Throws: the failure set with `fail(with:)`, if any; `sqlite` with code 19 if the stage would go back, the claims
  ///   differ, or a signed answer would change.
  public func save(_ transaction: StoredTransaction) throws(StorageFailure) {
    try step { (state) throws(StorageFailure) in
      if let known = state.transactions[transaction.id] { try transaction.check(follows: known) }
      state.transactions[transaction.id] = transaction.kept
    }
  }

  /// Replaces what is known about a transaction, if that has not changed.
  ///
  /// - Throws: what `save` throws for a transaction; also `sqlite` with code 19 if `next` has a different ID.
  public func replace(_ known: StoredTransaction, with next: StoredTransaction?) throws(StorageFailure) -> Bool {
    try step { (state) throws(StorageFailure) in
      guard let current = state.transactions[known.id], current.isStill(known) else { return false }
      if let next { try next.check(replaces: current) }
      state.transactions[known.id] = next?.kept
      return true
    }
  }
}
