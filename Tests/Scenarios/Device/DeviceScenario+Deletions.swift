// Enrollments that are deleted, tokens without a person, pulling (spec/device.md §12, §13.6).

import DeviceAuthenticator
import SimulatedOrg

extension DeviceScenario {
  // MARK: Deleting (§13.6)

  static let deletions: [DeviceScenario] = [
    deleted, gone, suspendedDeleted, suspendedKept, deletionRefused, deletedHere,
  ]

  /// At the org, then here.
  static let deleted = DeviceScenario("device-delete") { stage in
    let enrollment = try await stage.enroll(verification: true)
    try await stage.authenticator.delete(enrollment: enrollment, authenticationToken: try stage.token())
    try expect(try stage.keys.tags().isEmpty, "keys are left")
  }

  /// The org has it no more.
  static let gone = DeviceScenario("device-delete-gone") { stage in
    let enrollment = try await stage.enroll()
    stage.org.inject(Fault(.refused(410, "E0000154"), path: "/app-authenticators/"))
    try await stage.authenticator.delete(enrollment: enrollment, authenticationToken: try stage.token())
    try expect(stage.authenticator.allEnrollments().isEmpty, "it is still here")
  }

  /// The org calls it suspended: it is deleted here all the same.
  static let suspendedDeleted = DeviceScenario("device-delete-suspended") { stage in
    let enrollment = try await stage.enroll()
    stage.org.setEnrollment(enrollment.enrollmentId, .suspended)
    try await stage.authenticator.delete(enrollment: enrollment, authenticationToken: try stage.token())
    try expect(stage.authenticator.allEnrollments().isEmpty, "it is still here")
  }

  /// The same, and the application wants to keep it; later it is active again.
  static let suspendedKept = DeviceScenario("device-delete-kept", deletesSuspended: false) { stage in
    let enrollment = try await stage.enroll()
    let token = try stage.token()
    stage.org.setEnrollment(enrollment.enrollmentId, .suspended)
    try await failure(-1) {
      try await stage.authenticator.delete(enrollment: enrollment, authenticationToken: token)
    }
    try expect(enrollment.state == .suspended, "the state is \(enrollment.state)")
    stage.org.setEnrollment(enrollment.enrollmentId, .active)
    try await enrollment.updateDeviceToken(.tokenString("beef"), authenticationToken: token)
    try expect(enrollment.state == .active, "the state is \(enrollment.state)")
  }

  /// The org refuses, then cannot be reached: nothing is deleted.
  static let deletionRefused = DeviceScenario("device-delete-refused") { stage in
    let enrollment = try await stage.enroll()
    let token = try stage.token()
    stage.org.inject(Fault(.refused(404, "E0000007"), path: "/app-authenticators/"))
    try await failure(-1) {
      try await stage.authenticator.delete(enrollment: enrollment, authenticationToken: token)
    }
    stage.org.inject(Fault(.connectionReset, path: "/app-authenticators/"))
    try await failure(-2) {
      try await stage.authenticator.delete(enrollment: enrollment, authenticationToken: token)
    }
    try expect(stage.authenticator.allEnrollments().count == 1, "it is deleted")
  }

  /// Here alone; of two enrollments the device's key goes with the second.
  static let deletedHere = DeviceScenario("device-delete-here") { stage in
    let enrollments = [try await stage.enroll(), try await stage.enroll(secondLogin)]
    for (enrollment, left) in zip(enrollments, [2, 0]) {
      try enrollment.deleteFromDevice()
      let count = try stage.keys.tags().count
      try expect(count == left, "\(count) keys are left")
    }
  }

  // MARK: Without a person (§4.8, §12)

  static let pulls: [DeviceScenario] = [maintenance, pulled]

  /// A token without a person, and one that the org does not give.
  static let maintenance = DeviceScenario("device-maintenance-token") { stage in
    let enrollment = try await stage.enroll()
    let scopes = ["okta.myAccount.appAuthenticator.maintenance.read"]
    let credential = try await enrollment.retrieveMaintenanceToken(scopes: scopes)
    let pulled = try await enrollment.retrievePushChallenges(authenticationToken: .bearer(credential.access_token))
    try expect(pulled.isEmpty, "something is pending")
    stage.org.setEnrollment(enrollment.enrollmentId, .suspended)
    try await failure(-1) { _ = try await enrollment.retrieveMaintenanceToken(scopes: scopes) }
  }

  /// Two pending challenges are pulled, one of them spoiled; the other is answered, and is pending no more.
  static let pulled = DeviceScenario("device-pull") { stage in
    let enrollment = try await stage.enroll()
    let token = try stage.token()
    let challenge = try stage.challenge(enrollment)
    _ = try stage.challenge(enrollment) { $0.defect = .claim("iss", nil) }
    let pulled = try await enrollment.retrievePushChallenges(authenticationToken: token)
    try expect(pulled.map(\.transactionId) == [challenge.id], "\(pulled.count) challenges are pulled")
    try await pulled[0].resolve(onRemediation: DeviceAnswers().handle)
    try expect(stage.org.challenge(id: challenge.id)?.status == .approved, "the approval does not count")
  }
}
