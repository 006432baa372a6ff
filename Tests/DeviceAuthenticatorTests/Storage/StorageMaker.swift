import DeviceAuthenticator
import Testing

/// Makes an empty storage, for tests of what each of them must do.
struct StorageMaker: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var make: @Sendable () throws -> any EnrollmentStorage

  static let all = [StorageMaker(testDescription: "memory") { MemoryEnrollmentStorage() }]
}

extension StoredEnrollment {
  /// One with all that it can hold.
  static func full(_ id: String, org: String = "00o1", tags: (String, String) = ("pop", "uv")) -> StoredEnrollment {
    StoredEnrollment(
      id: id, orgID: org, orgURL: "https://\(org).example.com", userID: "00u1", userName: "ana@example.com",
      deviceID: "guo1", methodID: "opf1", pendingURL: "https://\(org).example.com/pending/\(id)",
      proofOfPossessionTag: tags.0, userVerificationTag: tags.1, bioOrPinTag: "\(id)-bio",
      transactionTypes: ["LOGIN", "CIBA"], clientID: "0oa1", serverErrorCode: "E0000152", created: 1_700_000_000.25,
      updated: 1_700_000_001.5)
  }
}

extension StoredTransaction {
  /// One that is being asked.
  static func asked(_ id: String, stream: String = "device/1", expiry: Double = 1_000) -> StoredTransaction {
    StoredTransaction(
      id: id, enrollmentID: "pfd1", fingerprint: "print", stream: stream, stage: .asked, expiry: expiry)
  }

  /// The same, signed.
  func signed(_ response: String = "a.b.c") -> StoredTransaction {
    var next = self
    next.stage = .signed
    next.response = response
    next.responseExpiry = 900
    return next
  }

  /// The same, ended.
  var ended: StoredTransaction {
    var next = self
    next.stage = .ended
    return next
  }
}
