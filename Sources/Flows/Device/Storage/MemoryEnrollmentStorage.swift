// Storage that lasts as long as the process: for tests and demonstrations.

import FlowRecording

/// Keeps enrollments in memory, by the same rules as `SQLiteEnrollmentStorage`.
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

  /// Makes an empty storage.
  public init() {}

  /// Lets each call end with an error, until it is set to nil: a disk that is gone, for tests.
  public func fail(with failure: StorageFailure?) { state.withLock { $0.failure = failure } }

  /// One step over the state, alone: whole or not at all.
  private func step<Value>(_ body: (inout State) throws(StorageFailure) -> Value) throws(StorageFailure) -> Value {
    let result = state.withLock { state -> Result<Value, StorageFailure> in
      if let failure = state.failure { return .failure(failure) }
      do throws(StorageFailure) { return .success(try body(&state)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// All enrollments, in the order in which they were first saved.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
  public func enrollments() throws(StorageFailure) -> [StoredEnrollment] { try step { $0.enrollments } }

  /// The enrollment of an id, or nil.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
  public func enrollment(id: String) throws(StorageFailure) -> StoredEnrollment? {
    try step { state in state.index(id).map { state.enrollments[$0] } }
  }

  /// Stores an enrollment in the place of one with the same id and org.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
  public func save(_ enrollment: StoredEnrollment) throws(StorageFailure) {
    try step { state in
      let known = state.enrollments.firstIndex { $0.id == enrollment.id && $0.orgID == enrollment.orgID }
      if let known { state.enrollments[known] = enrollment } else { state.enrollments.append(enrollment) }
    }
  }

  /// Changes an enrollment in one step.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
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

  /// Deletes an enrollment, and the org's policy and device record if it was the org's last one.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
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

  /// The policy of an org, or nil.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
  public func policy(orgID: String) throws(StorageFailure) -> StoredPolicy? { try step { $0.policies[orgID] } }

  /// Stores an org's policy.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
  public func save(_ policy: StoredPolicy) throws(StorageFailure) { try step { $0.policies[policy.orgID] = policy } }

  /// The device record of an org, or nil.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
  public func device(orgID: String) throws(StorageFailure) -> StoredDevice? { try step { $0.devices[orgID] } }

  /// Stores an org's device record.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
  public func save(_ device: StoredDevice) throws(StorageFailure) { try step { $0.devices[device.orgID] = device } }

  /// Claims a transaction.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
  public func claim(_ transaction: StoredTransaction, now: Double) throws(StorageFailure) -> StoredTransaction? {
    try step { state in
      state.transactions = state.transactions.filter { $0.value.expiry >= now }
      if let known = state.transactions[transaction.id] { return known }
      state.transactions[transaction.id] = transaction.kept
      return nil
    }
  }

  /// What is known of a transaction, or nil.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any.
  public func transaction(id: String) throws(StorageFailure) -> StoredTransaction? {
    try step { $0.transactions[id] }
  }

  /// Notes how far a transaction is.
  ///
  /// - Throws: the failure that was set by `fail(with:)`, if any; `sqlite` with code 19 if the stage would go back, the
  ///   claims differ, or a signed answer would change.
  public func save(_ transaction: StoredTransaction) throws(StorageFailure) {
    try step { (state) throws(StorageFailure) in
      if let known = state.transactions[transaction.id] { try transaction.check(follows: known) }
      state.transactions[transaction.id] = transaction.kept
    }
  }

  /// Puts a transaction in the place of what is known of it, if that is still so.
  ///
  /// - Throws: what `save` of a transaction throws; `sqlite` with code 19 also if `next` has another id.
  public func replace(_ known: StoredTransaction, with next: StoredTransaction?) throws(StorageFailure) -> Bool {
    try step { (state) throws(StorageFailure) in
      guard let current = state.transactions[known.id], current.isStill(known) else { return false }
      if let next { try next.check(replaces: current) }
      state.transactions[known.id] = next?.kept
      return true
    }
  }
}
